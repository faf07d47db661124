import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { browserPath } from "../scripts/browser.mjs";
import { LeaseHolder } from "../session-core/live/lease-files.ts";
import { serveFolder, startBrowser } from "../test/serve/agent-folder.ts";
import { type BenchRow, median, repeated, timeOf } from "./lib/harness.ts";
import { onTree, projects } from "./lib/sessions.ts";

const CLIENTS = 1_000;
const PER_SECOND = 200;
const SECONDS = 30;
/** Common prefix of the load test's labels. */
const CROWD = `${CLIENTS} listeners and ${PER_SECOND} requests a second for ${SECONDS} s`;
const BOARD = "/v1/sessions?limit=100";
const PATHS = [BOARD, "/health", "/v1/sessions?q=parser&limit=50", "/v1/sessions?state=live"];

interface Server {
	port: number;
	token: string;
}

/** Measures the server with ten thousand sessions: its response times and, with many clients, its errors and its memory use. */
export function rows(): Promise<BenchRow[]> {
	return onTree({ sessions: 10_000, bytes: 6_000, projects: projects(20) }, async (agentDir) => {
		const { server, tokens } = await serveFolder(agentDir);
		const place = { port: server.port, token: tokens.read };
		try {
			return [...(await board(place)), ...(await crowd(place, agentDir))];
		} finally {
			await server.close();
		}
	});
}

async function board(server: Server): Promise<BenchRow[]> {
	// The first request has to list the sessions, so it is excluded from the measurement.
	await answered(server, BOARD);
	const times = await repeated(40, () => timeOf(() => answered(server, BOARD)));
	const page = "Page with 10,000 sessions in a browser: shortest of seven times to the first paint";
	return [
		{
			what: "Listing 10,000 sessions over HTTP, warm: median time",
			value: median(times),
			unit: "ms",
			most: 50,
		},
		{ what: page, value: await firstPaint(server, 7), unit: "ms", most: 200 },
	];
}

async function crowd(server: Server, agentDir: string): Promise<BenchRow[]> {
	const lease = new LeaseHolder(agentDir, { sessionId: "bench" }, "working", Date.now());
	lease.claim();
	let lost = 0;
	const listeners = Array.from({ length: CLIENTS }, () => listener(server).on("close", () => lost++));
	try {
		await pause(3_000);
		const before = memoryHeld();
		let isWorking = true;
		// Each change of the state is sent to every client.
		const changing = setInterval(() => {
			isWorking = !isWorking;
			lease.update(isWorking ? "working" : "needs_you", Date.now());
		}, 500);
		const answers = await load(server);
		clearInterval(changing);
		await pause(1_000);
		const memory = memoryHeld() / before;
		const connected = (CLIENTS - lost) / CLIENTS;
		const [without, still] = [
			"requests that are answered without error",
			"listeners that are still connected",
		];
		return [
			{ what: `${CROWD}: share of ${without}`, value: answers, unit: "×", least: 1 },
			{ what: `${CROWD}: share of ${still} at the end`, value: connected, unit: "×", least: 1 },
			{ what: `${CROWD}: memory at the end relative to the beginning`, value: memory, unit: "×", most: 1.1 },
		];
	} finally {
		lease.release();
		for (const socket of listeners) socket.destroy();
	}
}

function listener({ port, token }: Server) {
	const socket = connect(port, "127.0.0.1");
	socket.write(`GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
	return socket.resume().on("error", () => undefined);
}

/** Bytes in use after garbage collection. */
function memoryHeld(): number {
	setFlagsFromString("--expose-gc");
	runInNewContext("gc")();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/** Sends requests at a constant rate. Resolves to the share of requests that were answered without an error. */
async function load(server: Server): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: 32 });
	const count = PER_SECOND * SECONDS;
	const begun = performance.now();
	const all: Promise<boolean>[] = [];
	for (let sent = 0; sent < count; sent++) {
		await pause(begun + (sent * 1_000) / PER_SECOND - performance.now());
		all.push(answered(server, PATHS[sent % PATHS.length] ?? BOARD, agent));
	}
	const answers = await Promise.all(all);
	agent.destroy();
	return answers.filter(Boolean).length / count;
}

/** Sends a request. Resolves to whether it was answered without an error. */
function answered({ port, token }: Server, path: string, agent?: Agent): Promise<boolean> {
	const headers = { authorization: `Bearer ${token}` };
	return new Promise((resolve) => {
		get({ host: "127.0.0.1", port, path, headers, ...(agent && { agent }) }, (response) => {
			response.resume().on("end", () => resolve(response.statusCode === 200));
		}).on("error", () => resolve(false));
	});
}

/** Returns the fewest milliseconds from a navigation to the first paint, or NaN if there is no browser. */
async function firstPaint({ port, token }: Server, count: number): Promise<number> {
	const path = browserPath();
	if (path === undefined) return Number.NaN;
	const browser = await startBrowser(path);
	try {
		const paints = await repeated(count, async () => {
			const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
			await page.goto(`http://127.0.0.1:${port}/#token=${token}`);
			await page.getByRole("navigation").getByRole("link").first().waitFor();
			const painted = await page.evaluate<number>(
				"performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
			);
			await page.close();
			return painted;
		});
		return Math.min(...paints);
	} finally {
		await browser.close();
	}
}

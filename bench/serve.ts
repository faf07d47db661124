import { spawn } from "node:child_process";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { browserPath } from "../scripts/browser.mjs";
import { LeaseHolder } from "../session-core/live/lease-files.ts";
import { startBrowser } from "../test/serve/agent-folder.ts";
import {
	atLeast,
	atMost,
	type BenchRow,
	childArguments,
	least,
	median,
	repeated,
	timeUntil,
} from "./lib/harness.ts";
import { onTree, projects } from "./lib/sessions.ts";

const CLIENTS = 1_000;
const PER_SECOND = 200;
const SECONDS = 30;
/** Common prefix of the load test's labels. */
const CROWD = `${CLIENTS} listeners and ${PER_SECOND} requests a second for ${SECONDS} s`;
const BOARD = "/v1/sessions?limit=100";
const PATHS = [BOARD, "/health", "/v1/sessions?q=parser&limit=50", "/v1/sessions?state=live"];

/** A server in a separate process. */
interface Server {
	port: number;
	token: string;
	/** Memory after garbage collection, in megabytes. */
	held(): Promise<number>;
	end(): void;
}

/** Measures the server with ten thousand sessions: its response times and, with many clients, its errors and its memory use. */
export function rows(): Promise<BenchRow[]> {
	return onTree({ sessions: 10_000, bytes: 6_000, projects: projects(20) }, async (agentDir) => {
		const server = await started(agentDir);
		try {
			return [...(await board(server)), ...(await crowd(server, agentDir))];
		} finally {
			server.end();
		}
	});
}

async function board(server: Server): Promise<BenchRow[]> {
	// The first request has to list the sessions, so it is excluded from the measurement.
	await answered(server, BOARD);
	const times = await repeated(40, () => timeUntil(() => answered(server, BOARD)));
	const paints = await firstPaints(server, 7);
	return [
		atMost("Listing 10,000 sessions over HTTP, warm: median time", median(times), 50, "ms"),
		atMost(
			"Page with 10,000 sessions in a browser: shortest of seven times to the first paint",
			least(paints),
			200,
			"ms",
		),
	];
}

async function crowd(server: Server, agentDir: string): Promise<BenchRow[]> {
	const lease = new LeaseHolder(agentDir, { sessionId: "bench" }, "working", Date.now());
	lease.claim();
	let lost = 0;
	const listeners = Array.from({ length: CLIENTS }, () => listener(server).on("close", () => lost++));
	try {
		await pause(3_000);
		const before = await server.held();
		let isWorking = true;
		// Each change of the state is sent to every client.
		const changing = setInterval(() => {
			isWorking = !isWorking;
			lease.update(isWorking ? "working" : "needs_you", Date.now());
		}, 500);
		const answers = await load(server);
		clearInterval(changing);
		await pause(1_000);
		const after = await server.held();
		return [
			atLeast(`${CROWD}: share of requests that are answered without error`, answers, 1),
			atLeast(
				`${CROWD}: share of listeners that are still connected at the end`,
				(listeners.length - lost) / CLIENTS,
				1,
			),
			atMost(`${CROWD}: memory at the end relative to the beginning`, after / before, 1.1, "×"),
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

async function started(agentDir: string): Promise<Server> {
	const args = childArguments("serve", agentDir);
	const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const next = async () => JSON.parse((await lines.next()).value);
	return {
		...(await next()),
		held: async () => {
			child.stdin.write("\n");
			return (await next()).held;
		},
		end: () => void child.stdin.end(),
	};
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

/** Returns the milliseconds from each navigation to the first paint, or an empty list if there is no browser. */
async function firstPaints({ port, token }: Server, count: number): Promise<number[]> {
	const path = browserPath();
	if (path === undefined) return [];
	const browser = await startBrowser(path);
	try {
		return await repeated(count, async () => {
			const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
			await page.goto(`http://127.0.0.1:${port}/#token=${token}`);
			await page.getByRole("navigation").getByRole("link").first().waitFor();
			const painted = await page.evaluate<number>(
				"performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
			);
			await page.close();
			return painted;
		});
	} finally {
		await browser.close();
	}
}

import { spawn } from "node:child_process";
import { Agent, get } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LeaseHolder } from "../session-core/live/lease-files.ts";
import { browserPath, startBrowser } from "../test/serve/browser.ts";
import { least, median } from "./lib/figures.ts";
import { Listeners } from "./lib/listeners.ts";
import { atLeast, atMost, type BenchRow, figureOnly } from "./lib/row.ts";
import { onTree, projects } from "./lib/sessions.ts";

const SESSIONS = 10_000;
const CLIENTS = 1_000;
const PER_SECOND = 200;
const SECONDS = 30;
/** Milliseconds between two changes of a session's state, each of which is sent to every client. */
const CHANGE_MS = 500;
const BOARD = "/v1/sessions?limit=100";
/** Common prefix of the load test's labels. */
const CROWD = `${CLIENTS} listeners and ${PER_SECOND} requests a second for ${SECONDS} s`;
const PATHS = [
	"/v1/sessions?limit=50",
	"/health",
	"/v1/sessions?q=parser&limit=50",
	"/v1/sessions?state=live",
];

/** A server in a separate process. */
interface Server {
	port: number;
	token: string;
	/** Memory after garbage collection, in megabytes. */
	held(): Promise<number>;
	end(): void;
}

/**
 * Measures the server with ten thousand sessions: its response times and, with many clients, its memory use and the number of lost events.
 */
export function rows(): Promise<BenchRow[]> {
	return onTree({ sessions: SESSIONS, bytes: 6_000, projects: projects(20) }, async (agentDir) => {
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
	await timedGet(server, BOARD);
	const times = async (path: string, count: number) => {
		const all: number[] = [];
		for (let time = 0; time < count; time++) all.push((await timedGet(server, path)).ms);
		return all;
	};
	const paints = await firstPaints(server, 7);
	return [
		atMost(`Listing 10,000 sessions over HTTP, warm: median time`, median(await times(BOARD, 40)), 50, "ms"),
		atMost(
			`Listing 10,000 sessions over HTTP, filtered: median time`,
			median(await times("/v1/sessions?q=bug+77", 20)),
			50,
			"ms",
		),
		atMost(
			"Page with 10,000 sessions in a browser: shortest of seven times to the first paint",
			least(paints),
			200,
			"ms",
		),
	];
}

async function crowd(server: Server, agentDir: string): Promise<BenchRow[]> {
	const listeners = new Listeners();
	const lease = new LeaseHolder(agentDir, { sessionId: "bench" }, "working", Date.now());
	lease.claim();
	try {
		await listeners.connect(CLIENTS, server);
		await pause(1_000);
		const before = await server.held();
		const state = () => (Math.floor(performance.now() / CHANGE_MS) % 2 === 0 ? "needs_you" : "working");
		const changing = setInterval(() => lease.update(state(), Date.now()), CHANGE_MS);
		const { times, errors } = await load(server);
		clearInterval(changing);
		await pause(1_000);
		const { fewest, most } = listeners.heard;
		const after = await server.held();
		return [
			atLeast(
				`${CROWD}: share of requests that are answered without error`,
				(times.length - errors) / (PER_SECOND * SECONDS),
				1,
			),
			atLeast(
				`${CROWD}: share of listeners that are still connected at the end`,
				1 - listeners.lost / CLIENTS,
				1,
			),
			atLeast(
				`${CROWD}: smallest number of events that a listener received, relative to the largest`,
				fewest / most,
				1,
			),
			figureOnly(`${CROWD}: median time of an answer`, median(times), "ms"),
			atMost(`${CROWD}: memory at the end relative to the beginning`, after / before, 1.1, "×"),
		];
	} finally {
		lease.release();
		listeners.close();
	}
}

/** Sends requests at a constant rate. Resolves to the response times and the number of error responses. */
async function load(server: Server): Promise<{ times: number[]; errors: number }> {
	const agent = new Agent({ keepAlive: true, maxSockets: 32 });
	const times: number[] = [];
	let errors = 0;
	const all: Promise<void>[] = [];
	const begun = performance.now();
	for (let count = 0; count < PER_SECOND * SECONDS; count++) {
		const due = begun + (count * 1_000) / PER_SECOND;
		if (due > performance.now()) await pause(due - performance.now());
		const answer = timedGet(server, PATHS[count % PATHS.length] ?? "/health", agent);
		all.push(
			answer.then(
				({ ms, status }) => {
					times.push(ms);
					if (status !== 200) errors++;
				},
				// A request without a response is recorded neither as a time nor as an error.
				() => undefined,
			),
		);
	}
	await Promise.all(all);
	agent.destroy();
	return { times, errors };
}

async function started(agentDir: string): Promise<Server> {
	const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
	const args = ["--expose-gc", file("../scripts/run.mjs"), file("./lib/serve-process.ts"), agentDir];
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

function timedGet(
	{ port, token }: Server,
	path: string,
	agent?: Agent,
): Promise<{ ms: number; status: number | undefined }> {
	const begun = performance.now();
	const headers = { authorization: `Bearer ${token}` };
	return new Promise((resolve, reject) => {
		const request = get({ host: "127.0.0.1", port, path, headers, ...(agent && { agent }) }, (response) => {
			response.resume();
			response.on("end", () => resolve({ ms: performance.now() - begun, status: response.statusCode }));
		});
		request.on("error", reject);
	});
}

/** Returns the milliseconds from each navigation to the first paint, or an empty list if there is no browser. */
async function firstPaints({ port, token }: Server, count: number): Promise<number[]> {
	const path = browserPath();
	if (path === undefined) return [];
	const browser = await startBrowser(path);
	const painted: number[] = [];
	try {
		for (let time = 0; time < count; time++) {
			const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
			await page.goto(`http://127.0.0.1:${port}/#token=${token}`);
			await page.getByRole("option").first().waitFor();
			painted.push(
				await page.evaluate<number>(
					"performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
				),
			);
			await page.close();
		}
	} finally {
		await browser.close();
	}
	return painted;
}

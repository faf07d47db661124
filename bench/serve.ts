import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LeaseHolder } from "../session-core/store/lease.ts";
import { median } from "./lib/median.ts";
import { atLeast, atMost, type BenchRow, told } from "./lib/row.ts";
import { Listeners } from "./serve/listeners.ts";
import { paints } from "./serve/paint.ts";
import { growTree } from "./store/tree.ts";

const SESSIONS = 10_000;
const CLIENTS = 1_000;
const PER_SECOND = 200;
const SECONDS = 30;
/** Between two changes of a session's state, each of which all clients are told. In milliseconds. */
const CHANGE_MS = 500;
const PATHS = [
	"/v1/sessions?limit=50",
	"/health",
	"/v1/sessions?q=parser&limit=50",
	"/v1/sessions?state=live",
];

interface Target {
	port: number;
	token: string;
}

/** The server with ten thousand sessions: how fast it answers, and whether it holds a crowd without growing. Loopback only. */
export async function rows(): Promise<BenchRow[]> {
	const agentDir = mkdtempSync(join(tmpdir(), "bench-serve-"));
	growTree(agentDir, { sessions: SESSIONS, bytes: 6_000, folders: 20 });
	const server = await started(agentDir);
	const { target } = server;
	try {
		const cold = await timed(target, "/v1/sessions?limit=100");
		const warm: number[] = [];
		for (let count = 0; count < 40; count++) warm.push((await timed(target, "/v1/sessions?limit=100")).ms);
		const found: number[] = [];
		for (let count = 0; count < 20; count++) found.push((await timed(target, "/v1/sessions?q=bug+77")).ms);
		const shown = await paints(`http://127.0.0.1:${target.port}/#token=${target.token}`, 7);
		return [
			told(`board of ${SESSIONS} sessions over HTTP, cold`, cold.ms, "ms"),
			atMost(`board of ${SESSIONS} sessions over HTTP, warm, median`, median(warm), 50, "ms"),
			atMost(`board of ${SESSIONS} sessions over HTTP, filtered, median`, median(found), 50, "ms"),
			atMost(
				"page with them in a browser: first paint, the best of seven",
				least(shown.map(({ first }) => first)),
				200,
				"ms",
			),
			told("the same, first sessions, the best of seven", least(shown.map(({ rows: at }) => at)), "ms"),
			...(await crowd(server, agentDir)),
		];
	} finally {
		server.end();
		rmSync(agentDir, { recursive: true, force: true });
	}
}

async function crowd({ target, held }: Started, agentDir: string): Promise<BenchRow[]> {
	const listeners = new Listeners();
	const lease = new LeaseHolder(agentDir, { sessionId: "bench" }, "working", Date.now());
	lease.claim();
	try {
		await listeners.connect(CLIENTS, target.port, target.token);
		await pause(1_000);
		const before = await held();
		const agent = new Agent({ keepAlive: true, maxSockets: 32 });
		const times: number[] = [];
		let errors = 0;
		const asked: Promise<void>[] = [];
		const begun = performance.now();
		const changing = setInterval(
			() =>
				lease.update(
					Math.floor(performance.now() / CHANGE_MS) % 2 === 0 ? "needs_you" : "working",
					Date.now(),
				),
			CHANGE_MS,
		);
		for (let count = 0; count < PER_SECOND * SECONDS; count++) {
			const due = begun + (count * 1_000) / PER_SECOND;
			if (due > performance.now()) await pause(due - performance.now());
			const path = PATHS[count % PATHS.length] ?? "/health";
			asked.push(
				timed(target, path, agent).then(
					({ ms, status }) => {
						times.push(ms);
						if (status !== 200) errors++;
					},
					// One that broke off has no time; it is missing among the answers.
					() => undefined,
				),
			);
		}
		await Promise.all(asked);
		clearInterval(changing);
		const seconds = (performance.now() - begun) / 1_000;
		await pause(1_000);
		agent.destroy();
		const { least, most } = listeners.heard;
		times.sort((one, other) => one - other);
		const after = await held();
		return [
			atLeast(
				`${CLIENTS} listeners and ${PER_SECOND} requests a second for ${SECONDS} s: answers without error ÷ requests`,
				(times.length - errors) / (PER_SECOND * SECONDS),
				1,
			),
			atLeast("the same: listeners at the end ÷ at the beginning", 1 - listeners.lost / CLIENTS, 1),
			atLeast("the same: events heard, the least ÷ the most of any listener", least / most, 1),
			told("the same: events that each listener heard", most, "events"),
			told("the same: requests a second", times.length / seconds, "a second"),
			told("the same: an answer, median", median(times), "ms"),
			told("the same: an answer, slowest of 100", times[Math.floor(times.length * 0.99)] ?? Number.NaN, "ms"),
			atMost("the same: memory held afterwards ÷ before", after / before, 1.1, "×"),
			told("the same: memory held, 10,000 sessions included", after, "MB"),
		];
	} finally {
		lease.release();
		listeners.close();
	}
}

interface Started {
	target: Target;
	/** What the server has in memory and cannot let go of, in megabytes. */
	held(): Promise<number>;
	end(): void;
}

async function started(agentDir: string): Promise<Started> {
	const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
	const args = ["--expose-gc", file("../scripts/run.mjs"), file("./serve/server-process.ts"), agentDir];
	const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const next = async () => JSON.parse((await lines.next()).value);
	return {
		target: await next(),
		held: async () => {
			child.stdin.write("\n");
			return (await next()).held;
		},
		end: () => void child.stdin.end(),
	};
}

function timed(
	{ port, token }: Target,
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

/** Whatever else the machine does only adds to a time. NaN of none. */
function least(values: readonly number[]): number {
	return values.length === 0 ? Number.NaN : Math.min(...values);
}

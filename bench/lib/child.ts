/**
 * A part of a measurement that runs in its own process, so that only its memory is measured. `scan`, `search` and `host` print their result
 * as a line of JSON. `serve` prints the port and the token and, for each line of input, the memory in use after garbage collection.
 */
import { createInterface } from "node:readline";
import { listSessions, scanSessions } from "../../session-core/catalog/listing.ts";
import { searchSessions } from "../../session-core/search/search.ts";
import { serveFolder } from "../../test/serve/agent-folder.ts";
import type { Probed } from "./harness.ts";

type Times = Omit<Probed, "peakMb">;

const [what = "", agentDir = "", query = ""] = process.argv.slice(2);
const parts: Record<string, () => Promise<Times>> = { scan, search, host };
if (what === "serve") await serve();
const measured = await parts[what]?.();
console.log(JSON.stringify({ ...measured, peakMb: process.resourceUsage().maxRSS / 1_024 }));

async function scan(): Promise<Times> {
	const started = performance.now();
	const passed = () => performance.now() - started;
	const paths = new Set<string>();
	let first = 0;
	let complete = 0;
	for await (const batch of scanSessions({ agentDir })) {
		first ||= passed();
		const { size } = paths;
		for (const { path } of batch) paths.add(path);
		// Names in the middle of files come last. Every row is known by then.
		if (paths.size > size) complete = passed();
	}
	return { count: paths.size, first, complete };
}

async function search(): Promise<Times> {
	const rows = await listSessions({ agentDir });
	const started = performance.now();
	let first = 0;
	let count = 0;
	for await (const { hits, total } of searchSessions({ query, rows })) {
		if (hits.length > 0) first ||= performance.now() - started;
		count = total;
	}
	return { count, first, complete: performance.now() - started };
}

async function host(): Promise<Times> {
	const { SessionManager } = await import("@mariozechner/pi-coding-agent");
	const started = performance.now();
	const { length: count } = await SessionManager.listAll();
	return { count, first: 0, complete: performance.now() - started };
}

async function serve(): Promise<never> {
	const { server, tokens } = await serveFolder(agentDir);
	console.log(JSON.stringify({ port: server.port, token: tokens.read }));
	for await (const _line of createInterface({ input: process.stdin })) {
		globalThis.gc?.();
		const { heapUsed, external } = process.memoryUsage();
		console.log(JSON.stringify({ held: (heapUsed + external) / 1024 / 1024 }));
	}
	process.exit(0);
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { readAround } from "../session-core/sessions/search/read.ts";
import { searchSessions } from "../session-core/sessions/search/search.ts";
import { type BenchRow, inFolder, repeated } from "./lib/harness.ts";

const RUNS = 5;
/** The maximum time, in milliseconds, for which pi's event loop may be blocked. */
const STEP_MS = 16;

const HOSTILE = `é|ä |"|\\"|\\\\\\"|{"a":"|"password":"|? |. |\n|\t|  | (|[|=|KEY=|: |--token |-----BEGIN |LS0tLS1CRUdJTi|AbC9+/|eyJhbGci.|sk-|%3D|Bearer |://a:b@|error: |1 failed |a|ab |1.2|- [ ] x\n|中文。|\x1b[0m|…|→|\`|a-|_`;

function entryLine(text: string): string {
	const content = [{ type: "toolCall", id: "c", name: "write", arguments: { path: "a", content: text } }];
	const message = { role: "assistant", content };
	return JSON.stringify({ type: "message", id: "1", message });
}

export function rows(): Promise<BenchRow[]> {
	return inFolder(async (folder) => {
		const path = join(folder, "s.jsonl");
		const fixture = Array.from({ length: 4_000 }, (_, id) => ({
			...{ id, token: `t${id ** 7}`, name: `zeppelin "${id}"` },
		}));
		const texts = {
			"JSON inside JSON": JSON.stringify({
				body: JSON.stringify({ body: JSON.stringify({ rows: fixture }) }),
			}),
			"hostile text": HOSTILE.repeat(3_000).slice(0, 500_000),
		};
		const search = async () => {
			for await (const _ of searchSessions({ query: "zeppelin", rows: [{ path }] }));
		};
		const acts = { Search: search, Read: () => readAround(path, "1", 3) };
		const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00Z", cwd: "/" };
		const ask = { type: "message", id: "0", message: { role: "user", content: "look at the zeppelin" } };
		const measured: BenchRow[] = [];
		for (const [name, text] of Object.entries(texts)) {
			writeFileSync(path, `${JSON.stringify(header)}\n${JSON.stringify(ask)}\n${entryLine(text)}\n`);
			for (const [act, run] of Object.entries(acts)) {
				const value = Math.min(...(await repeated(RUNS, () => longestStep(run))));
				const size = `${Math.round(text.length / 1_000)} KB of ${name}`;
				const what = `${act} of a session with ${size}: longest step`;
				measured.push({ what, value, unit: "ms", most: STEP_MS });
			}
		}
		return measured;
	});
}

async function longestStep(run: () => Promise<unknown>): Promise<number> {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	await run();
	// Node.js records an event-loop delay only in the loop's next turn, so the benchmark waits for it.
	await pause(2);
	delay.disable();
	return delay.max / 1e6;
}

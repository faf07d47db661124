import { spawnSync } from "node:child_process";
import { sessionsRoot } from "../session-core/sessions/folders.ts";
import { listSessions } from "../session-core/sessions/listing.ts";
import { searchSessions } from "../session-core/sessions/search/search.ts";
import { type BenchRow, timeOf } from "./lib/harness.ts";
import { COMMON_WORD, LAST_WORD, MANY, onTree, RARE_WORD } from "./lib/sessions.ts";

/** The queries, each with a label and its rarest word. */
const QUERIES = [
	["a common word", COMMON_WORD, COMMON_WORD],
	["a word that occurs in 1 % of the sessions", RARE_WORD, RARE_WORD],
	["a rare word and common words", `torn ${RARE_WORD} ${COMMON_WORD}`, RARE_WORD],
	["a word that occurs only in the last session", LAST_WORD, LAST_WORD],
	["a word that does not occur", "nothingofthesort", "nothingofthesort"],
] as const;
const RUNS = 3;

/** Measures a search of 1 GB of sessions relative to a `grep` for the query's rarest word. */
export function rows(): Promise<BenchRow[]> {
	return onTree(MANY, async (agentDir) => {
		const sessions = await listSessions({ agentDir });
		const measured: BenchRow[] = [];
		for (const [name, query, rarest] of QUERIES) {
			let grep = Number.POSITIVE_INFINITY;
			let first = Number.POSITIVE_INFINITY;
			let complete = Number.POSITIVE_INFINITY;
			let count = 0;
			// The search and `grep` are measured alternately, so that other work on the machine affects both.
			for (let run = 0; run < RUNS; run++) {
				const args = ["-rFic", rarest, sessionsRoot(agentDir)];
				grep = Math.min(grep, await timeOf(() => spawnSync("grep", args, { maxBuffer: 64 * 1024 ** 2 })));
				const started = performance.now();
				let found: number | undefined;
				for await (const { hits, total } of searchSessions({ query, rows: sessions })) {
					if (hits.length > 0) found ??= performance.now() - started;
					count = total;
				}
				complete = Math.min(complete, performance.now() - started);
				first = Math.min(first, found ?? first);
			}
			const what = `Searching 1 GB for ${name}`;
			const relative = { unit: "×" };
			measured.push({
				what: `${what}: total time relative to grep -rFic`,
				value: complete / grep,
				most: 2,
				...relative,
			});
			if (count <= 2) continue;
			const ofFirst = `${what}: time to the first hits relative to grep -rFic`;
			measured.push({ what: ofFirst, value: first / grep, most: 0.2, ...relative });
		}
		return measured;
	});
}

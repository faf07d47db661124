import { spawnSync } from "node:child_process";
import { sessionsRoot } from "../session-core/catalog/folders.ts";
import { atMost, type BenchRow, least, probe, timeOf } from "./lib/harness.ts";
import { COMMON_WORD, LAST_WORD, MANY, onTree, RARE_WORD } from "./lib/sessions.ts";

/** The queries, each with a label and its rarest word. */
const QUERIES = [
	["a common word", COMMON_WORD, COMMON_WORD],
	["a word that occurs in 1 % of the sessions", RARE_WORD, RARE_WORD],
	["a rare word and common words", `torn ${RARE_WORD} ${COMMON_WORD}`, RARE_WORD],
	["a word that occurs only in the last session", LAST_WORD, LAST_WORD],
	["a word that does not occur", "nothingofthesort", "nothingofthesort"],
] as const;

/** Measures searching 1 GB of sessions, relative to a `grep` for the query's rarest word. */
export function rows(): Promise<BenchRow[]> {
	return onTree(MANY, (agentDir) => {
		// Warms the caches, so that the listing and the files are cached for every measurement.
		probe("scan", agentDir);
		return QUERIES.flatMap(([name, query, rarest]) => {
			// The search and `grep` are measured alternately, so that other work on the machine affects both.
			const greps: number[] = [];
			const before = () => void greps.push(timeOf(() => grepFor(rarest, agentDir)));
			const search = probe("search", agentDir, { query, before });
			const grep = least(greps);
			const what = `Searching 1 GB for ${name}`;
			const first = search.first / grep;
			return [
				atMost(`${what}: total time relative to grep -rFic`, search.complete / grep, 2, "×"),
				...(search.count > 2
					? [atMost(`${what}: time to the first hits relative to grep -rFic`, first, 0.2, "×")]
					: []),
			];
		});
	});
}

function grepFor(word: string, agentDir: string): void {
	spawnSync("grep", ["-rFic", word, sessionsRoot(agentDir)], { maxBuffer: 64 * 1024 ** 2 });
}

import { spawnSync } from "node:child_process";
import { sessionsRoot } from "../session-core/catalog/folders.ts";
import { least, timeOf } from "./lib/figures.ts";
import { probe } from "./lib/probe.ts";
import { atMost, type BenchRow } from "./lib/row.ts";
import { COMMON_WORD, LAST_WORD, onTree, RARE_WORD } from "./lib/sessions.ts";
import { leastOf, MANY } from "./store.ts";

/** The queries, each with a label and its rarest word. */
const QUERIES = [
	["a common word", COMMON_WORD, COMMON_WORD],
	["a word of one session in a hundred", RARE_WORD, RARE_WORD],
	["a rare word and common ones", `torn ${RARE_WORD} ${COMMON_WORD}`, RARE_WORD],
	["a word of the last session only", LAST_WORD, LAST_WORD],
	["a word that does not occur", "nothingofthesort", "nothingofthesort"],
] as const;

/** Measures searches of 1 GB of sessions, relative to `grep` for the rarest word of the query. */
export function rows(): Promise<BenchRow[]> {
	return onTree(MANY, searches);
}

function searches(agentDir: string): BenchRow[] {
	// Warms the caches, so that the listing and the files are cached for every measurement.
	probe("scan", agentDir);
	return QUERIES.flatMap(([name, query, rarest]) => {
		// The search and `grep` are measured alternately, so that other work on the machine affects both.
		const greps: number[] = [];
		const search = leastOf(() => {
			greps.push(timeOf(() => grepFor(rarest, agentDir)));
			return probe("search", agentDir, query);
		});
		const grep = least(greps);
		return [
			atMost(`Search for ${name} in 1 GB of sessions relative to grep -rFic`, search.complete / grep, 2, "×"),
			...(search.count > 2
				? [atMost("the same: first hits relative to grep", search.first / grep, 0.2, "×")]
				: []),
			atMost("the same: longest block of the event loop", search.held, 16, "ms"),
			atMost("the same: memory", search.grownMb, 100, "MB"),
		];
	});
}

function grepFor(word: string, agentDir: string): void {
	spawnSync("grep", ["-rFic", word, sessionsRoot(agentDir)], { maxBuffer: 64 * 1024 ** 2 });
}

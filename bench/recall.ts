import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { projectFolder, sessionsRoot } from "../session-core/catalog/folders.ts";
import { least, timeOf } from "./lib/figures.ts";
import { probe } from "./lib/probe.ts";
import { atMost, type BenchRow, figureOnly } from "./lib/row.ts";
import { addGiant, COMMON_WORD, LAST_WORD, onTree, RARE_WORD } from "./lib/sessions.ts";
import { leastOf, MANY } from "./store.ts";

const LONG_BYTES = 100 * 1024 ** 2;
/** More than the suite reads at both ends. */
const WRITTEN_BYTES = 8 * 1024 ** 2;
/** Each query, with its rarest word. */
const QUERIES = [
	["a common word", COMMON_WORD, COMMON_WORD],
	["one session in a hundred", RARE_WORD, RARE_WORD],
	["a rare word and common ones", `torn ${RARE_WORD} ${COMMON_WORD}`, RARE_WORD],
	["only in the last session", LAST_WORD, LAST_WORD],
	["a miss", "nothingofthesort", "nothingofthesort"],
] as const;

/** Searching 1 GB of sessions, compared with `grep` for the rarest word of the query, and reading a long session. */
export async function rows(): Promise<BenchRow[]> {
	return [...(await onTree(MANY, searches)), ...(await onTree({ ...MANY, sessions: 1 }, reading))];
}

function searches(agentDir: string): BenchRow[] {
	// The listing and the files are in the caches for all.
	probe("scan", agentDir);
	return QUERIES.flatMap(([name, query, rarest]) => {
		// Alternately, so that other work on the machine affects both.
		const greps: number[] = [];
		const search = leastOf(() => {
			greps.push(timeOf(() => grepFor(rarest, agentDir)));
			return probe("search", agentDir, query);
		});
		const grep = least(greps);
		return [
			atMost(`search of 1 GB ÷ grep -rFic, ${name}`, search.complete / grep, 2, "×"),
			...(search.count > 2
				? [figureOnly("the same: first hits ÷ complete", search.first / search.complete, "×")]
				: []),
			atMost("the same: longest block of the event loop", search.held, 16, "ms"),
			atMost("the same: memory", search.grownMb, 100, "MB"),
		];
	});
}

function grepFor(word: string, agentDir: string): void {
	spawnSync("grep", ["-rFic", word, sessionsRoot(agentDir)], { maxBuffer: 64 * 1024 ** 2 });
}

function reading(agentDir: string): BenchRow[] {
	const cwd = "/code/long";
	mkdirSync(projectFolder(sessionsRoot(agentDir), cwd), { recursive: true });
	const path = addGiant(agentDir, cwd, LONG_BYTES, WRITTEN_BYTES);
	const ends = leastOf(() => probe("ends", dirname(path), path));
	const read = leastOf(() => probe("read", dirname(path), path));
	return [figureOnly("session_read of 100 MB ÷ reading both its ends", read.complete / ends.complete, "×")];
}

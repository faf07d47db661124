import { spawnSync } from "node:child_process";
import { listSessions } from "../session-core/catalog/find-sessions.ts";
import { sessionsRoot } from "../session-core/catalog/folders.ts";
import { sessionText } from "../session-core/search/report.ts";
import { openSessionFile } from "../session-core/session-file/session-file.ts";
import { least, timeOf } from "./lib/figures.ts";
import { probe } from "./lib/probe.ts";
import { atMost, type BenchRow } from "./lib/row.ts";
import { COMMON_WORD, LAST_WORD, onTree, RARE_WORD } from "./lib/sessions.ts";
import { leastOf, MANY } from "./store.ts";

/** The queries, each with a label and its rarest word. */
const QUERIES = [
	["a common word", COMMON_WORD, COMMON_WORD],
	["a word that occurs in 1 % of the sessions", RARE_WORD, RARE_WORD],
	["a rare word and common words", `torn ${RARE_WORD} ${COMMON_WORD}`, RARE_WORD],
	["a word that occurs only in the last session", LAST_WORD, LAST_WORD],
	["a word that does not occur", "nothingofthesort", "nothingofthesort"],
] as const;

/** A single session of 100 MB. */
const LARGE = { sessions: 1, bytes: 100e6, projects: ["/code/project"] };
const READS = 40;

/** Measures searching 1 GB of sessions (relative to a `grep` for the query's rarest word) and reading one large session. */
export async function rows(): Promise<BenchRow[]> {
	return [...(await onTree(MANY, searches)), await onTree(LARGE, reading)];
}

/** Measures `session_read`, relative to reading and parsing both ends of the same file, which every card of a large session requires. */
async function reading(agentDir: string): Promise<BenchRow> {
	const [session] = await listSessions({ agentDir });
	if (!session) throw new Error("The large session is not listed.");
	const ends: number[] = [];
	const reads: number[] = [];
	for (let run = 0; run < READS; run++) {
		ends.push(timeOf(() => openSessionFile(session.path)));
		const started = performance.now();
		await sessionText(session, Date.now());
		reads.push(performance.now() - started);
	}
	const ratio = least(reads) / least(ends);
	return atMost(
		"Reading a session of 100 MB with session_read: time relative to reading both ends of its file",
		ratio,
		2,
		"×",
	);
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
			atMost(`Searching 1 GB for ${name}: total time relative to grep -rFic`, search.complete / grep, 2, "×"),
			...(search.count > 2
				? [
						atMost(
							`Searching 1 GB for ${name}: time to the first hits relative to grep -rFic`,
							search.first / grep,
							0.2,
							"×",
						),
					]
				: []),
			atMost(`Searching 1 GB for ${name}: longest block of the event loop`, search.held, 16, "ms"),
			atMost(`Searching 1 GB for ${name}: additional memory`, search.grownMb, 100, "MB"),
		];
	});
}

function grepFor(word: string, agentDir: string): void {
	spawnSync("grep", ["-rFic", word, sessionsRoot(agentDir)], { maxBuffer: 64 * 1024 ** 2 });
}

import { spawnSync } from "node:child_process";
import { sessionsRoot } from "../session-core/sessions/folders.ts";
import { listSessions } from "../session-core/sessions/listing.ts";
import { searchSessions } from "../session-core/sessions/search/search.ts";
import { alternately, type BenchRow } from "./lib/harness.ts";
import { COMMON_WORD, LAST_WORD, MANY, onTree, RARE_WORD } from "./lib/sessions.ts";

const QUERIES = [
	["a common word", COMMON_WORD, COMMON_WORD],
	["a word that occurs in 1 % of the sessions", RARE_WORD, RARE_WORD],
	["a rare word and common words", `torn ${RARE_WORD} ${COMMON_WORD}`, RARE_WORD],
	["a word that occurs only in the last session", LAST_WORD, LAST_WORD],
	["a word that does not occur", "nothingofthesort", "nothingofthesort"],
] as const;
const RUNS = 3;

export function rows(): Promise<BenchRow[]> {
	return onTree(MANY, async (agentDir) => {
		const sessions = await listSessions({ agentDir });
		const measured: BenchRow[] = [];
		for (const [name, query, rarest] of QUERIES) {
			const firsts: number[] = [];
			let count = 0;
			const args = ["-rFic", rarest, sessionsRoot(agentDir)];
			const grepping = () => spawnSync("grep", args, { maxBuffer: 64 * 1024 ** 2 });
			const searching = async () => {
				const started = performance.now();
				let found: number | undefined;
				for await (const { hits, total } of searchSessions({ query, rows: sessions })) {
					if (hits.length > 0) found ??= performance.now() - started;
					count = total;
				}
				if (found !== undefined) firsts.push(found);
			};
			const times = await alternately(RUNS, grepping, searching);
			const [grep = 0, complete = 0] = times.map((all) => Math.min(...all));
			const row = (what: string, value: number, most: number) =>
				measured.push({
					what: `Searching 1 GB for ${name}: ${what} relative to grep -rFic`,
					...{ value: value / grep, unit: "×", most },
				});
			row("total time", complete, 2);
			if (count > 2) row("time to the first hits", Math.min(...firsts), 0.2);
		}
		return measured;
	});
}

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENGLISH } from "../session-core/words/en.ts";
import { createCompletion } from "../session-resume/command/complete.ts";
import { atMost, type BenchRow, told } from "./lib/row.ts";
import { growTree } from "./store/tree.ts";

const SESSIONS = 10_000;
const BUDGET_MS = 5;
const TYPED = ["", "f", "fi", "fix", "fix the ", "0195", "0195a1b2-c3d4", "e", "session 77", "no such thing"];
const ROUNDS = 7;

/** What a keystroke behind `/resume-from` costs in a project of many sessions. */
export async function rows(): Promise<BenchRow[]> {
	const agentDir = mkdtempSync(join(tmpdir(), "completion-bench-"));
	try {
		growTree(agentDir, { sessions: SESSIONS, bytes: 4_000, folders: 1 });
		const root = join(agentDir, "sessions");
		const folder = join(root, readdirSync(root)[0] ?? "");
		const nothing = { getLeafEntry: () => undefined, getEntry: () => undefined, getEntries: () => [] };
		const complete = createCompletion({
			agentDir,
			folder,
			open: { id: "none", source: nothing },
			now: Date.now,
			words: () => ENGLISH,
		});
		const took = async (typed: string) => {
			const start = performance.now();
			await complete("resume-from", typed);
			return performance.now() - start;
		};
		const first = await took("");
		// The least of each: whatever else runs on the machine can only add to it.
		const least = TYPED.map(() => Number.POSITIVE_INFINITY);
		for (let round = 0; round < ROUNDS; round++) {
			for (const [at, typed] of TYPED.entries()) least[at] = Math.min(least[at] ?? 0, await took(typed));
		}
		const slowest = Math.max(...least);
		return [
			atMost("completion of /resume-from among 10,000 sessions: slowest key", slowest, BUDGET_MS, "ms"),
			told("the first key, which lists them", first, "ms"),
		];
	} finally {
		rmSync(agentDir, { recursive: true, force: true });
	}
}

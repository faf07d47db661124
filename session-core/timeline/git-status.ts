/** What the newest `git status` shows as not committed, with no commit since. */
import { isStatus, statusPaths } from "../output/git-status.ts";
import type { PathNamer } from "../text/paths.ts";
import { stepsOf } from "./turn.ts";
import type { Turn } from "./types.ts";

const KEPT = 12;

export function uncommittedFiles(turns: readonly Turn[], name: PathNamer): string[] {
	for (const turn of turns.toReversed()) {
		for (const step of stepsOf(turn).reverse()) {
			if (step.outcome !== "ok") continue;
			const command = step.command ?? step.name.replace(/_/g, " ");
			if (/\bgit\b[^\n;&|]*\bcommit\b|save commit/.test(command)) return [];
			// Behind a cut by `head` or `grep` the list may be short, but what it names is so.
			if (isStatus(command)) return statusPaths(step.output).slice(0, KEPT).map(name);
		}
	}
	return [];
}

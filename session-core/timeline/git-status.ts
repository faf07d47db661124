/** Finds uncommitted files: those that the newest `git status` lists, or those edited after the last commit. */

import type { PathNamer } from "../text/paths.ts";
import { madeBy } from "./made.ts";
import { editedPaths, stepsOf } from "./turn.ts";
import type { Step, Turn } from "./types.ts";

const KEPT = 12;
const COMMITS = /\bgit\b[^\n;&|]*\bcommit\b|save commit/;

export function uncommittedFiles(turns: readonly Turn[], name: PathNamer): string[] {
	for (const step of turns.flatMap(stepsOf).reverse()) {
		if (step.outcome !== "ok") continue;
		if (isCommit(step)) return [];
		// If the output was filtered with `head` or `grep`, the list may be incomplete, but its entries are correct.
		if (isStatus(wordsOf(step))) return statusPaths(step.output).slice(0, KEPT).map(name);
	}
	return [];
}

/** Returns the project's files that were edited after the session's last commit; empty if the session made no commits. */
export function editedSinceCommit(turns: readonly Turn[]): string[] {
	const steps = turns.flatMap(stepsOf);
	const last = steps.findLastIndex(isCommit);
	return last < 0 ? [] : editedPaths(steps.slice(last + 1)).filter((path) => !/^[~/]/.test(path));
}

/** Whether a step is a commit. A push counts, too, because something must have been committed before. */
export function isCommit(step: Step): boolean {
	if (step.outcome !== "ok" || step.looks || !/git|commit/i.test(wordsOf(step))) return false;
	return COMMITS.test(wordsOf(step)) || madeBy(step).some(({ kind }) => kind === "commit");
}

function wordsOf({ command, name }: Step): string {
	return command ?? name.replace(/_/g, " ");
}

const SHORT = /^(?:[MADRCU][ MADRCU]| [MADRCU]|\?\?) (?:.* -> )?(\S.*)$/;
const LONG = /^\s+(?:modified|new file|deleted|renamed|both modified):\s+(?:.* -> )?(\S.*)$/;

export function isStatus(command: string): boolean {
	return /\bgit\b[^\n;&|]*\bstatus\b/.test(command);
}

/** Returns the paths in the output of `git status`. */
export function statusPaths(output: string): string[] {
	return output
		.split("\n")
		.map((line) => (SHORT.exec(line) ?? LONG.exec(line))?.[1]?.trim())
		.filter((path) => path !== undefined);
}

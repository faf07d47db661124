/**
 * Renders the section below the turns: changed files, commits and pages, and uncommitted files; or, if nothing changed, the files that
 * were read.
 */
import { safeLine } from "../text/quote.ts";
import { editedSinceCommit } from "./made.ts";
import { changeText } from "./render-step.ts";
import { readPaths, stepsOf } from "./turn.ts";
import type { Timeline, Turn } from "./types.ts";

/** Maximum number of listed files. */
const FILES = 8;

/** Returns the lines about changes. `shown` is text that the timeline already contains, so it is not repeated. */
export function changeLines(
	{ turns, files, links, uncommitted }: Timeline,
	lastIndex: number,
	shown: string,
): string[] {
	const newest = files.toReversed().filter(({ path, kind }) => kind === "removed" || !shown.includes(path));
	const changes = newest.slice(0, FILES).map(changeText);
	const left = newest.length - changes.length;
	const made = links
		.filter(({ locator }) => !shown.includes(locator.startsWith("http") ? locator : locator.slice(0, 7)))
		.slice(-4)
		.map(
			({ locator, label, turn }) => `${safeLine(`${locator} ${label}`, 120)} (#${turns[turn]?.number ?? 0})`,
		);
	const other = newest.length < files.length ? "Other files" : "Files";
	return [
		listed(`${other} changed, newest first`, left > 0 ? [...changes, `+${left} more`] : changes),
		listed("Commits and pages", made),
		listed("Not committed, by the newest git status", pathsOf(uncommitted)),
		listed("Edited after the last commit", uncommitted.length > 0 ? [] : pathsOf(editedSinceCommit(turns))),
		listed("Looked at, newest first", lookedAt(turns.slice(Math.max(0, lastIndex - 1), lastIndex + 1))),
		noCommandSince(turns[lastIndex]) ? "No command ran after the last edit." : "",
	].filter(Boolean);
}

function pathsOf(paths: readonly string[]): string[] {
	return paths.slice(-8).map((path) => safeLine(path, 100));
}

function listed(label: string, items: readonly string[]): string {
	return items.length === 0 ? "" : `${label}: ${items.join("; ")}`;
}

/**
 * Returns the files that the last turns read; empty if these turns changed any file. If nothing was changed, the work is about the files
 * that were read.
 */
function lookedAt(recent: readonly Turn[]): string[] {
	const steps = recent.flatMap(stepsOf);
	if (steps.some(({ edits }) => edits.length > 0)) return [];
	return readPaths(steps.toReversed())
		.slice(0, 8)
		.map((path) => safeLine(path, 120));
}

/** Whether the turn changed files and then took only read-only steps. If so, nothing has been tested since the last change. */
function noCommandSince(turn: Turn | undefined): boolean {
	const steps = turn ? stepsOf(turn) : [];
	const edit = steps.findLastIndex(({ edits }) => edits.length > 0);
	return (
		edit >= 0 &&
		steps.slice(edit).every((step) => step.command === undefined && (step.looks || step.edits.length > 0))
	);
}

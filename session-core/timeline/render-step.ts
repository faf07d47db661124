/**
 * Renders one line of a turn: a command with its most informative output lines, the changes that edits made, or a summary of what was read.
 */

import { isEvicted } from "../session-file/message.ts";
import { changeLine } from "../text/diff.ts";
import { shortPath } from "../text/paths.ts";
import { safeEnd, safeLine } from "../text/quote.ts";
import { commandText } from "./command-text.ts";
import { mergedEdit } from "./edits.ts";
import { isStatus, statusPaths } from "./made.ts";
import { resultLines } from "./result.ts";
import { readPaths } from "./turn.ts";
import type { FileChange, Step } from "./types.ts";

export function lookLine(steps: readonly Step[]): string {
	const names = lastNames(readPaths(steps));
	const others = steps.filter(({ reads }) => reads.length === 0);
	const last = others.at(-1);
	if (names === "")
		return last === undefined ? "" : `looked by ${named(last, LOOK)}${more(others.length - 1)}`;
	const searches = last && `${others.length} other look${others.length === 1 ? "" : "s"}`;
	return `looked at ${[names, searches].filter(Boolean).join(", ")}`;
}

/** Returns one line for each file, with as many of its changes as `room` allows. */
export function editLines(steps: readonly Step[], room: number): string[] {
	const all = steps.flatMap(({ edits }) => edits);
	const files = new Map<string, FileChange>();
	for (const edit of all) files.set(edit.path, mergedEdit(files.get(edit.path), edit));
	if (files.size > MANY) return [`edited ${lastNames([...files.keys()])}`];
	return [...files.values()].map((file) => {
		const diffs = all.filter(({ path, diff }) => path === file.path && diff !== "");
		const each = Math.floor(room / Math.max(1, diffs.length));
		const changes = each < LEAST_CHANGE ? [] : diffs.map(({ diff }) => changeLine(diff, each));
		const shown = changes.filter(Boolean).join("; ");
		return `${file.kind} ${changeText(file)}${shown && `: ${shown}`}`;
	});
}

/** Maximum number of edited files for each file to be shown on its own line. */
const MANY = 12;
/** Minimum number of characters for an excerpt of a change to be useful. */
const LEAST_CHANGE = 40;

/**
 * Returns a file's path, how often it was changed, and its line counts. The counts are left out for a file that was written as a whole,
 * because its earlier content is unknown.
 */
export function changeText({ path, kind, times, added, removed }: FileChange): string {
	const isCounted = kind !== "written" && kind !== "removed" && added + removed > 0;
	return [
		safeLine(path, 120),
		times > 1 ? ` ×${times}` : "",
		kind === "removed" ? " (removed)" : "",
		isCounted ? ` (+${added} −${removed})` : "",
	].join("");
}

export function runLine(step: Step, room: number, isNewest: boolean): string {
	const informative = informativeLines(step, isNewest ? 4 : 2, room);
	// A commit command is shortened, because git's output repeats the commit message.
	const what = named(step, COMMITTED.test(informative[0] ?? "") ? COMMIT_COMMAND : room);
	const shown =
		informative.length === 0 && isNewest ? safeEnd(step.output, room * 2) : informative.join(" | ");
	const result = [OUTCOMES[step.outcome], shown].filter(Boolean).join(": ");
	return `${verbOf(step)}${what}${result && ` → ${result}`}`;
}

/** Returns a brief description of the call or command. */
function named({ command, argument }: Step, room: number): string {
	const text = command === undefined ? argument : commandText(command);
	return isEvicted(text) ? "…" : safeLine(text, room);
}

/** Returns the lines that show the result: for `git status`, the files that it lists; otherwise the most informative lines. */
export function informativeLines(step: Step, most: number, room: number): string[] {
	const paths = isStatus(step) ? statusPaths(step.output) : [];
	if (paths.length > 0)
		return [safeLine(`${paths.slice(0, STATUS).join(", ")}${more(paths.length - STATUS)}`, room)];
	return resultLines(step, most).map(({ text }) => safeLine(text, room));
}

/** Maximum number of files that are listed from the output of `git status`. */
const STATUS = 6;
/** Maximum number of characters in the description of a search or listing. */
export const LOOK = 70;
const COMMITTED = /^\[[^\]]+ [0-9a-f]{7,40}\] /;
const COMMIT_COMMAND = 30;

const OUTCOMES = { ok: "", failed: "FAILED", cancelled: "cancelled", pending: "no result yet" };

function verbOf(step: Step): string {
	if (step.kind === "shell") return "USER ran !";
	return step.command === undefined ? `${safeLine(step.name, 60)} ` : "ran ";
}

/** Returns the last few paths, each shortened to its last two parts, and the number of the remaining paths. */
export function lastNames(paths: readonly string[]): string {
	const names = paths.slice(-4).map((path) => safeLine(shortPath(path), 60));
	return names.join(", ") + more(paths.length - names.length);
}

function more(count: number): string {
	return count > 0 ? ` (+${count})` : "";
}

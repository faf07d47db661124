/** The steps of a turn as lines: what was run with the lines that tell, what was edited, what was looked at in sum. */

import { isStatus, statusPaths } from "../output/git-status.ts";
import { madeObject } from "../output/made-object.ts";
import { tellingLines } from "../output/telling.ts";
import { isBanner } from "../output/telling-forms.ts";
import { commandText } from "../shell/command-text.ts";
import { changeLine } from "../text/diff.ts";
import { isEvicted } from "../text/evicted.ts";
import { shortPath } from "../text/paths.ts";
import { openingLine, safeEnd, safeLine } from "../text/quote.ts";
import { mergedEdit } from "./changes.ts";
import { callKey, isStep, readPaths } from "./turn.ts";
import type { FileChange, Remark, Step, Turn } from "./types.ts";

export interface Room {
	/** Characters of the request, of a step, of what the agent said, and of what it answered. */
	request: number;
	step: number;
	remark: number;
	reply: number;
	/** Of what an edit changed; 0: only how many lines. */
	edit: number;
}

/** Steps as lines: looking summed up, edits of one file merged up to the next run, everything else with its telling lines. */
export function stepLines({ steps, reply }: Turn, room: Room, isLast: boolean): string[] {
	const lines: string[] = [];
	let looked: Step[] = [];
	let edited: Step[] = [];
	const flush = (): void => {
		if (looked.length > 0) lines.push(lookLine(looked));
		lines.push(...editLines(edited, room.edit));
		edited = [];
		looked = [];
	};
	// Where no reply tells, the last words on the way do.
	const lastRemark = reply === undefined ? steps.findLastIndex((one) => !isStep(one)) : -1;
	const newest = isLast ? newestRuns(steps) : [];
	const again = repeated(steps);
	for (const [index, one] of steps.entries()) {
		if (!isStep(one)) {
			if (index !== lastRemark && isLeadIn(one.text)) continue;
			if (index === lastRemark) flush();
			const length = room.remark * (index === lastRemark ? 3 : 1.5);
			const isWhole = isLast && lastRemark >= 0;
			lines.push(`AGENT: ${isWhole ? safeLine(one.text, length) : openingLine(one.text, room.remark)}`);
		} else if (again.has(one)) continue;
		else if (isLook(one)) looked.push(one);
		else if (one.outcome === "ok" && one.edits.length > 0 && one.command === undefined) edited.push(one);
		else {
			flush();
			lines.push(runLine(one, room.step, newest.includes(one)));
		}
	}
	flush();
	return lines;
}

/** Calls that were made again before anything was edited: what is only waited for tells once. */
function repeated(steps: readonly (Step | Remark)[]): ReadonlySet<Step | Remark> {
	const found = new Set<Step>();
	const later = new Set<string>();
	for (const one of steps.toReversed()) {
		if (!isStep(one)) continue;
		if (one.edits.length > 0) later.clear();
		else if (later.has(callKey(one))) found.add(one);
		else later.add(callKey(one));
	}
	return found;
}

/** Runs of the last turn that say where it stands: their results are shown in more detail. */
const NEWEST = 3;

function newestRuns(steps: readonly (Step | Remark)[]): (Step | Remark)[] {
	return steps
		.filter((one) => isStep(one) && !isLook(one) && one.output !== "" && one.edits.length === 0)
		.slice(-NEWEST);
}

/** What the agent says of a call that it is about to make; the call says it, too. */
function isLeadIn(text: string): boolean {
	return (
		text.length < 160 && (/[:：]\s*$/.test(text) || !/[.。]\s+\S|\n/.test(text)) && !/\d|[✓✗✅❌]/.test(text)
	);
}

function isLook(step: Step): boolean {
	return step.looks && step.outcome === "ok" && step.kind === "call" && !isTelling(step);
}

/** Looking whose result is a figure or a state of the repository says something itself. */
function isTelling(step: Step): boolean {
	return (
		/\bgit\b[^\n;&|]*\b(?:status|log)\b|\bwc\b/.test(step.command ?? "") &&
		tellingOf(step, 1, LOOK).length > 0
	);
}

function lookLine(steps: readonly Step[]): string {
	const names = lastNames(readPaths(steps));
	const others = steps.filter(({ reads }) => reads.length === 0);
	const last = others.at(-1);
	if (names === "")
		return last === undefined ? "" : `looked by ${named(last, LOOK)}${more(others.length - 1)}`;
	const searches = last && `${others.length} other look${others.length === 1 ? "" : "s"}`;
	return `looked at ${[names, searches].filter(Boolean).join(", ")}`;
}

/** One line a file, with what its edits changed, as far as `room` allows. */
function editLines(steps: readonly Step[], room: number): string[] {
	const all = steps.flatMap(({ edits }) => edits);
	const files = new Map<string, ReturnType<typeof mergedEdit>>();
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

/** Files up to which each has its line. */
const MANY = 12;
/** Characters below which a piece of a change says nothing. */
const LEAST_CHANGE = 40;

/** A file's path and how often it was changed; of one that was written whole nobody knows what stood there before. */
export function changeText({ path, kind, times, added, removed }: Omit<FileChange, "turn">): string {
	const isCounted = kind !== "written" && kind !== "removed" && added + removed > 0;
	return [
		safeLine(path, 120),
		times > 1 ? ` ×${times}` : "",
		kind === "removed" ? " (removed)" : "",
		isCounted ? ` (+${added} −${removed})` : "",
	].join("");
}

function runLine(step: Step, room: number, isNewest: boolean): string {
	const telling = tellingOf(step, isNewest ? 4 : 2, room);
	// What git prints of a commit says again what the command said.
	const what = named(step, COMMITTED.test(telling[0] ?? "") ? COMMIT_COMMAND : room);
	const shown = telling.length === 0 && isNewest ? untold(step, room * 2) : telling.join(" | ");
	const result = [OUTCOMES[step.outcome], shown].filter(Boolean).join(": ");
	return `${verbOf(step)}${what}${result && ` → ${result}`}`;
}

/** Of a result in which no line tells, its end; where it is nothing but banners, what is certain of it. */
function untold({ output, outcome }: Step, room: number): string {
	if (!output.split("\n").every((line) => isBanner(line.trim()))) return safeEnd(output, room);
	return outcome === "ok" ? "no error in its output" : "";
}

/** What was called or run, in a few words. */
function named({ command, argument }: Step, room: number): string {
	const text = command === undefined ? argument : commandText(command);
	return isEvicted(text) ? "…" : safeLine(text, room);
}

/** Of a `git status` the files that it lists, of a printed object its id and title, of other results their telling lines. */
function tellingOf(step: Step, most: number, room: number): string[] {
	const paths = isStatus(step.command ?? "") ? statusPaths(step.output) : [];
	if (paths.length > 0)
		return [safeLine(`${paths.slice(0, STATUS).join(", ")}${more(paths.length - STATUS)}`, room)];
	const made = step.looks ? undefined : madeObject(step.output);
	if (made) return [safeLine(`${made.id} ${made.title}`, room)];
	return tellingLines(step, most).map(
		({ text, isOneOfMany }) => safeLine(text, room) + (isOneOfMany ? FURTHER : ""),
	);
}

/** Behind the first of several errors. */
const FURTHER = " (and further errors)";
/** Files of a `git status` that are named. */
const STATUS = 6;
/** Characters of a search or listing. */
const LOOK = 70;
const COMMITTED = /^\[[^\]]+ [0-9a-f]{7,40}\] /;
const COMMIT_COMMAND = 30;

const OUTCOMES = { ok: "", failed: "FAILED", cancelled: "cancelled", pending: "no result yet" };

function verbOf(step: Step): string {
	if (step.kind === "shell") return "USER ran !";
	return step.command === undefined ? `${safeLine(step.name, 60)} ` : "ran ";
}

/** The last few paths, each as short as tells files apart, and how many more there are. */
export function lastNames(paths: readonly string[]): string {
	const names = paths.slice(-4).map((path) => safeLine(shortPath(path), 60));
	return names.join(", ") + more(paths.length - names.length);
}

function more(count: number): string {
	return count > 0 ? ` (+${count})` : "";
}

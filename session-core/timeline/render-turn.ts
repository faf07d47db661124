/** A turn as a model reads it: in one line, or with its steps below it. */

import { tellingLines } from "../output/telling.ts";
import { quoteRequest } from "../session/own-words.ts";
import { commandText } from "../shell/command-text.ts";
import { shortPath } from "../text/paths.ts";
import { headAndTail, openingLine, safeEnd, safeLine } from "../text/quote.ts";
import { mergedEdit } from "./changes.ts";
import { editedPaths, isAsked, isStep, readPaths, stepsOf } from "./turn.ts";
import type { FileChange, Link, Remark, Step, Turn } from "./types.ts";

export interface Room {
	/** Characters of the request, of a step, and of what the agent said or answered. */
	request: number;
	step: number;
	remark: number;
	reply: number;
}

/** The user's request as it stands behind its number. */
export function requestText(turn: Turn, room: number): string {
	const name = turn.expansion === undefined ? "" : `[skill ${safeLine(turn.expansion, 60)}] `;
	const images = turn.images > 0 ? `[${turn.images === 1 ? "image" : `${turn.images} images`}] ` : "";
	const request = turn.request ?? "";
	const text = safeLine(quoteRequest(request, room * 2), room);
	const whole = text.endsWith("…") ? safeLine(quoteRequest(request, room), room) : text;
	return `${name}${images}${whole}`.trim();
}

/** `#4 USER: … → edited a, b; 1a2b3c4 … → AGENT: …` */
export function turnLine(turn: Turn, links: readonly Link[], room: number): string {
	const request = requestText(turn, Math.floor(room * 0.5));
	const deeds = deedsOf(turn, links);
	const left = Math.max(60, room - request.length - deeds.length);
	const answer = turn.reply === undefined ? endText(turn) : `AGENT: ${openingLine(turn.reply, left)}`;
	return [`${label(turn)} ${request}`, deeds, answer].filter(Boolean).join(" → ");
}

function label(turn: Turn): string {
	return isAsked(turn) || turn.expansion !== undefined ? `#${turn.number} USER:` : "(no request)";
}

/** What a turn changed, in a few words. */
function deedsOf(turn: Turn, links: readonly Link[]): string {
	const names = lastNames(editedPaths(stepsOf(turn)));
	const made = links.slice(-2).map((link) => safeLine(`${link.locator} ${link.label}`, 90));
	return [names && `edited ${names}`, ...made].filter(Boolean).join("; ");
}

/** The last few paths, each as short as tells files apart, and how many more there are. */
function lastNames(paths: readonly string[]): string {
	const names = paths.slice(-4).map((path) => safeLine(shortPath(path), 60));
	const more = paths.length > names.length ? ` (+${paths.length - names.length})` : "";
	return names.join(", ") + more;
}

function endText(turn: Turn): string {
	if (turn.end === "aborted") return "aborted";
	return turn.end === "error" ? `failed: ${safeLine(turn.errorMessage, 120)}` : "";
}

/** The turn with its steps, oldest first. `isLast`: its reply is quoted elsewhere. */
export function turnDetail(turn: Turn, room: Room, isLast: boolean): string[] {
	const lines = [`${label(turn)} ${requestText(turn, room.request)}`.trimEnd()];
	for (const line of stepLines(turn.steps, room, isLast)) lines.push(`  - ${line}`);
	if (!isLast) {
		if (turn.reply !== undefined)
			lines.push(`  AGENT: ${headAndTail(turn.reply, room.reply).replace(/\n+/g, " ")}`);
		else if (endText(turn) !== "") lines.push(`  (${endText(turn)})`);
	}
	return lines;
}

/** Steps as lines: looking summed up, edits of one file merged up to the next run, everything else with its telling lines. */
function stepLines(steps: readonly (Step | Remark)[], room: Room, isLast: boolean): string[] {
	const lines: string[] = [];
	let looked: Step[] = [];
	let edited: Step[] = [];
	const flush = (): void => {
		if (looked.length > 0) lines.push(lookLine(looked));
		lines.push(...editLines(edited));
		edited = [];
		looked = [];
	};
	const lastRemark = steps.findLastIndex((one) => !isStep(one));
	const newest = isLast ? newestRuns(steps) : [];
	for (const [index, one] of steps.entries()) {
		if (!isStep(one)) {
			if (index !== lastRemark && isLeadIn(one.text)) continue;
			if (index === lastRemark) flush();
			const words =
				isLast && index === lastRemark
					? safeLine(one.text, room.remark * 2)
					: openingLine(one.text, room.remark);
			lines.push(`AGENT: ${words}`);
		} else if (isLook(one)) looked.push(one);
		else if (one.outcome === "ok" && one.edits.length > 0 && one.command === undefined) edited.push(one);
		else {
			flush();
			lines.push(runLine(one, room.step, newest.includes(one)));
		}
	}
	flush();
	return lines;
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
function isTelling({ command }: Step): boolean {
	return command !== undefined && /\bgit\b[^\n;&|]*\b(?:status|log)\b|\bwc\b/.test(command);
}

function lookLine(steps: readonly Step[]): string {
	const names = lastNames(readPaths(steps));
	const other = steps.filter(({ reads }) => reads.length === 0).length;
	const searches = other > 0 ? `${other} other look${other === 1 ? "" : "s"}` : "";
	return `looked at ${[names, searches].filter(Boolean).join(", ")}`;
}

function editLines(steps: readonly Step[]): string[] {
	const files = new Map<string, ReturnType<typeof mergedEdit>>();
	for (const edit of steps.flatMap(({ edits }) => edits))
		files.set(edit.path, mergedEdit(files.get(edit.path), edit));
	return [...files.values()].map((file) => `${file.kind} ${changeText(file)}`);
}

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
	const what = safeLine(step.command === undefined ? step.argument : commandText(step.command), room);
	const telling = tellingLines(step, isNewest ? 4 : 2).map(({ text }) => safeLine(text, room));
	const shown = telling.length === 0 && isNewest ? safeEnd(step.output, room * 2) : telling.join(" | ");
	const result = [OUTCOMES[step.outcome], shown].filter(Boolean).join(": ");
	return `${verbOf(step)}${what}${result && ` → ${result}`}`;
}

const OUTCOMES = { ok: "", failed: "FAILED", cancelled: "cancelled", pending: "no result yet" };

function verbOf(step: Step): string {
	if (step.kind === "shell") return "USER ran !";
	return step.command === undefined ? `${safeLine(step.name, 60)} ` : "ran ";
}

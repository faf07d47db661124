/** The timeline as a model reads it, within a budget: newest in most detail, and no sentence of ours about what was not done. */

import { headAndTail, safeLine } from "../text/quote.ts";
import { goalText, largerWork } from "./larger.ts";
import { countsText, type Room, requestText, turnDetail, turnLine } from "./render-turn.ts";
import { actedIn, lastTurn } from "./timeline.ts";
import { isStep, type Timeline, type Turn } from "./types.ts";

/** Characters aimed at; with fence and instruction a request stays near 1,100 tokens. */
const BUDGET = 4_500;
/** Hard bound, whatever the log holds. */
export const RENDER_BOUND = 7_200;

const REPLY = 2_200;
const DETAIL = 1_150;
/** Characters that older requests have at most, where the last turns can use more. */
const OLDER = 520;
const OLDER_LINE = 190;
const DETAILED_TURNS = 4;

export function renderTimeline(timeline: Timeline): string {
	const { turns } = timeline;
	const last = lastTurn(turns);
	const lastIndex = last ? turns.indexOf(last) : -1;
	const head = headLines(timeline);
	const foot = footLines(timeline, lastIndex);
	const event = `LAST EVENT: ${lastEvent(timeline, last)}`;
	const reply = last?.reply === undefined ? [] : ["LAST REPLY:", headAndTail(last.reply, REPLY)];
	const fixed = [...head, ...foot, event, ...reply].join("\n").length;
	const detail = detailed(turns, lastIndex, Math.max(DETAIL, BUDGET - fixed - OLDER));
	const room = BUDGET - fixed - detail.text.length;
	const older = olderLines(timeline, detail.from, room);
	const text = [
		...head,
		"Timeline, oldest first (#n = a request of the user and what followed):",
		...older,
		detail.text,
		event,
		...reply,
		...foot,
	]
		.filter((line) => line !== "")
		.join("\n");
	return text.slice(0, RENDER_BOUND).toWellFormed();
}

function headLines(timeline: Timeline): string[] {
	const larger = largerWork(timeline);
	const lines: string[] = [];
	if (timeline.name !== undefined) lines.push(`Session name: ${safeLine(timeline.name, 120)}`);
	if (larger) lines.push(`Larger work (#${larger.number}): ${requestText(larger, 320)}`);
	const goal = goalText(timeline);
	if (goal !== undefined) lines.push(`Goal of the work, by an earlier summary: ${safeLine(goal, 320)}`);
	return lines;
}

/** The last turns with their steps: as many as fit, the last one always. */
function detailed(turns: readonly Turn[], lastIndex: number, room: number): { from: number; text: string } {
	let from = lastIndex + 1;
	let text = "";
	// Behind small talk, or a run that was aborted at once, the reply to the work before it says where things stand.
	const work = turns.findLast(
		(turn, index) => index <= lastIndex && turn.reply !== undefined && actedIn(turn),
	);
	for (let index = lastIndex; index >= Math.max(0, lastIndex - DETAILED_TURNS + 1); index--) {
		const turn = turns[index];
		if (!turn) break;
		const isLast = index === lastIndex;
		const lines = fitted(turn, { isLast, isWork: turn === work, room: isLast ? room : room - text.length });
		if (lines === undefined) break;
		text = text === "" ? lines : `${lines}\n${text}`;
		from = index;
	}
	return { from, text };
}

const WIDE: Room = { request: 600, step: 150, remark: 140, reply: 420 };
/** Characters of the reply to the last work, where another turn followed. */
const WORK_REPLY = 1_000;
const NARROW: Room = { request: 420, step: 110, remark: 90, reply: 260 };

interface Fit {
	isLast: boolean;
	/** The last turn that did some work. */
	isWork: boolean;
	room: number;
}

/** A turn within `room`: with less of each line, then without its middle. Undefined: not even that, and it is not the last. */
function fitted(turn: Turn, { isLast, isWork, room }: Fit): string | undefined {
	const reply = isWork ? WORK_REPLY : undefined;
	const wide = turnDetail(turn, { ...WIDE, reply: reply ?? WIDE.reply }, isLast);
	if (size(wide) <= room) return wide.join("\n");
	const narrow = turnDetail(turn, { ...NARROW, reply: reply ?? NARROW.reply }, isLast);
	if (size(narrow) <= room) return narrow.join("\n");
	if (!isLast && room < (isWork ? 300 : 500)) return undefined;
	const [request = "", ...steps] = narrow;
	const kept: string[] = [];
	let left = room - request.length - 30;
	for (const line of steps.toReversed()) {
		if (left - line.length - 1 < 0) break;
		kept.unshift(line);
		left -= line.length + 1;
	}
	const cut = steps.length - kept.length;
	const first = cut > 2 ? keyLines(steps.slice(0, cut), 260) : [];
	return [request, ...first, `  - (${cut - first.length} earlier steps left out)`, ...kept].join("\n");
}

/** Of the steps that are left out, the last changes and results. */
function keyLines(steps: readonly string[], room: number): string[] {
	const kept: string[] = [];
	let left = room;
	for (const line of steps.filter((step) => /^ {2}- (?:edited|written|made) | → /.test(step)).toReversed()) {
		if (line.length > left) break;
		kept.unshift(line);
		left -= line.length;
	}
	return kept;
}

function size(lines: readonly string[]): number {
	return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** Requests before the detailed turns in a line each: the newest, and the first; what does not fit is counted. */
function olderLines(timeline: Timeline, from: number, room: number): string[] {
	const older = timeline.turns.slice(0, from).filter((turn) => turn.request !== undefined);
	const lines = older.map((turn) => {
		const index = timeline.turns.indexOf(turn);
		return turnLine(
			turn,
			timeline.links.filter((link) => link.turn === index),
			OLDER_LINE,
		);
	});
	const kept: string[] = [];
	let left = room;
	let index = lines.length - 1;
	for (; index >= 0; index--) {
		const line = lines[index] ?? "";
		if (left - line.length - 1 < 20) break;
		kept.unshift(line);
		left -= line.length + 1;
	}
	return index < 0 ? kept : [`(${index + 1} older left out)`, ...kept];
}

function lastEvent(timeline: Timeline, last: Turn | undefined): string {
	const reason = timeline.endReason === undefined ? "" : `: ${safeLine(timeline.endReason, 300)}`;
	switch (timeline.outcome) {
		case "aborted":
			return `the user aborted the run${last?.reply === undefined && last?.steps.length === 0 ? " before any output" : ""}${reason}.`;
		case "error":
			return `the run failed${reason}.`;
		case "running":
			return `the log stops in the middle of the run${pendingText(last)}.`;
		case "waiting":
			return "the run ended by itself; the last reply asks the user.";
		case "done":
			if (!last) return "nothing was said yet.";
			return `the run ended by itself${last.reply === undefined ? "" : " with the reply below"}.`;
	}
}

function pendingText(turn: Turn | undefined): string {
	const pending = turn?.steps.findLast((one) => isStep(one) && one.outcome === "pending");
	if (!pending || !isStep(pending))
		return turn?.end === "length" ? ": the reply was cut off at the model's limit" : "";
	return `, waiting for ${safeLine(`${pending.name} ${pending.argument}`, 120)}`;
}

/** Files of the last turns are listed by their whole paths; of earlier ones a few. */
const RECENT_TURNS = 3;
const RECENT_FILES = 8;
const EARLIER_FILES = 3;

function footLines(timeline: Timeline, lastIndex: number): string[] {
	const newest = timeline.files.toReversed();
	const recent = newest.filter(({ turn }) => turn > lastIndex - RECENT_TURNS).slice(0, RECENT_FILES);
	const earlier = newest
		.filter((file) => !recent.includes(file))
		.slice(0, Math.max(EARLIER_FILES, 6 - recent.length));
	const files = [...recent, ...earlier].map((file) => {
		const times = file.times > 1 ? ` ×${file.times}` : "";
		const kind = file.kind === "removed" ? " (removed)" : "";
		return `${safeLine(file.path, 120)}${times}${kind || countsText(file)}`;
	});
	const left = newest.length - files.length;
	const more = left > 0 ? `; +${left} more` : "";
	const links = timeline.links
		.slice(-5)
		.map(
			(link) =>
				`${safeLine(`${link.locator} ${link.label}`, 120)} (#${timeline.turns[link.turn]?.number ?? 0})`,
		);
	return [
		files.length > 0 ? `Files changed, newest first: ${files.join("; ")}${more}` : "",
		links.length > 0 ? `Commits and pages: ${links.join("; ")}` : "",
		timeline.uncommitted.length > 0
			? `Not committed, by the newest git status: ${timeline.uncommitted
					.slice(0, 8)
					.map((path) => safeLine(path, 100))
					.join("; ")}`
			: "",
		readsLine(timeline.turns, lastIndex),
		noCommandSince(timeline.turns, lastIndex) ? "No command ran after the last edit." : "",
	].filter((line) => line !== "");
}

/** Where the last turns changed nothing, what they looked at is what the work is about. */
function readsLine(turns: readonly Turn[], lastIndex: number): string {
	const recent = turns
		.slice(Math.max(0, lastIndex - 1), lastIndex + 1)
		.flatMap((turn) => turn.steps.filter(isStep));
	if (recent.some((step) => step.edits.length > 0)) return "";
	const paths = [...new Set(recent.flatMap((step) => step.reads).reverse())].slice(0, 8);
	return paths.length === 0
		? ""
		: `Looked at, newest first: ${paths.map((path) => safeLine(path, 120)).join("; ")}`;
}

/** Certain by structure: the last turn changed files, and nothing but looking followed. */
function noCommandSince(turns: readonly Turn[], lastIndex: number): boolean {
	const steps = turns[lastIndex]?.steps.filter(isStep) ?? [];
	const edit = steps.findLastIndex((step) => step.edits.length > 0);
	return (
		edit >= 0 &&
		steps
			.slice(edit)
			.every(
				(step) =>
					(step.edits.length > 0 && step.command === undefined) || (step.looks && step.command === undefined),
			)
	);
}

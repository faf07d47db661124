/** The timeline as a model reads it, within a budget: newest in most detail, and no sentence of ours about what was not done. */

import { headAndTail, safeLine } from "../text/quote.ts";
import { goalText, largerWork } from "./larger.ts";
import { changeLines } from "./render-changes.ts";
import { type Room, requestText, turnDetail, turnLine } from "./render-turn.ts";
import { actedIn, lastTurn, stepsOf } from "./turn.ts";
import type { Timeline, Turn } from "./types.ts";

/** Characters aimed at; with fence and instruction a request stays near 1,100 tokens. */
const BUDGET = 4_450;
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
	const foot = changeLines(timeline, lastIndex);
	const event = `LAST EVENT: ${lastEvent(timeline, last)}`;
	const reply = last?.reply === undefined ? [] : ["LAST REPLY:", headAndTail(last.reply, REPLY)];
	const fixed = [...head, ...foot, event, ...reply].join("\n").length;
	const detail = detailed(turns, lastIndex, Math.max(DETAIL, BUDGET - fixed - OLDER));
	const room = BUDGET - fixed - detail.text.length;
	const text = [
		...head,
		"Timeline, oldest first (#n = a request of the user and what followed):",
		...olderLines(timeline, detail.from, room),
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

const WIDE: Room = { request: 600, step: 150, remark: 200, reply: 420 };
/** Characters of the reply to the last work, where another turn followed. */
const WORK_REPLY = 1_000;
const NARROW: Room = { request: 420, step: 110, remark: 120, reply: 260 };

interface Fit {
	isLast: boolean;
	/** The last turn that did some work. */
	isWork: boolean;
	room: number;
}

/** A turn within `room`: with less of each line, then without its middle. Undefined: not even that, and it is not the last. */
function fitted(turn: Turn, { isLast, isWork, room }: Fit): string | undefined {
	let lines: string[] = [];
	for (const { reply, ...width } of [WIDE, NARROW]) {
		lines = turnDetail(turn, { ...width, reply: isWork ? WORK_REPLY : reply }, isLast);
		const text = lines.join("\n");
		if (text.length < room) return text;
	}
	if (!isLast && room < (isWork ? 300 : 500)) return undefined;
	const [request = "", ...steps] = lines;
	const kept = lastThatFit(steps, room - request.length - 30);
	const cut = steps.slice(0, steps.length - kept.length);
	// Of the steps that are left out, the last changes and results.
	const telling = cut.filter((line) => /^ {2}- (?:edited|written|made) | → /.test(line));
	const first = cut.length > 2 ? lastThatFit(telling, 260) : [];
	return [request, ...first, `  - (${cut.length - first.length} earlier steps left out)`, ...kept].join("\n");
}

/** As many of the last lines as fit into `room` characters, a line break each. */
function lastThatFit(lines: readonly string[], room: number): string[] {
	let left = room;
	const before = lines.findLastIndex((line) => {
		left -= line.length + 1;
		return left < 0;
	});
	return lines.slice(before + 1);
}

/** Requests before the detailed turns in a line each: the newest; what does not fit is counted. */
function olderLines({ turns, links }: Timeline, from: number, room: number): string[] {
	const lines = turns.slice(0, from).flatMap((turn, index) => {
		if (turn.request === undefined) return [];
		const made = links.filter((link) => link.turn === index);
		return [turnLine(turn, made, OLDER_LINE)];
	});
	const kept = lastThatFit(lines, room - 20);
	const left = lines.length - kept.length;
	return left === 0 ? kept : [`(${left} older left out)`, ...kept];
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
	const pending = turn && stepsOf(turn).findLast(({ outcome }) => outcome === "pending");
	if (pending) return `, waiting for ${safeLine(`${pending.name} ${pending.argument}`, 120)}`;
	return turn?.end === "length" ? ": the reply was cut off at the model's limit" : "";
}

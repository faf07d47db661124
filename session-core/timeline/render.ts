/**
 * Renders the timeline for a model within a budget. The newest turns get the most detail. The timeline never says that something was not
 * done.
 */

import { headAndTail, lastThatFit, safeLine } from "../text/quote.ts";
import { goalText, isSubstantial, largerWork } from "./larger.ts";
import { changeLines } from "./render-changes.ts";
import type { Room } from "./render-steps.ts";
import { requestText, turnDetail, turnLine } from "./render-turn.ts";
import { actedIn, lastTurn, stepsOf } from "./turn.ts";
import type { Link, Timeline, Turn } from "./types.ts";

/** Target length in characters. It keeps a request to the model, including the fence and the instructions, near 1,100 tokens. */
const BUDGET = 4_450;
/** Hard limit in characters. */
export const RENDER_BOUND = 7_200;

const REPLY = 2_200;
const DETAIL = 1_150;
/** Number of characters that are reserved for older requests, even if the last turns could use all the room. */
const OLDER = 620;
const OLDER_LINE = 190;
const DETAILED_TURNS = 8;

export function renderTimeline(timeline: Timeline): string {
	const { turns } = timeline;
	const last = lastTurn(turns);
	const lastIndex = last ? turns.indexOf(last) : -1;
	const event = `LAST EVENT: ${lastEvent(timeline, last)}`;
	const reply = last?.reply === undefined ? [] : ["LAST REPLY:", headAndTail(last.reply, REPLY)];
	const larger = largerWork(timeline);
	let detail = { from: lastIndex + 1, text: "" };
	let [head, foot, room] = [[""], [""], 0];
	// The sections above and below the detailed turns do not repeat the content of these turns. This leaves more room for the turns in the
	// next pass.
	for (const pass of [1, 2, 3]) {
		head = headLines(timeline, larger, detail.from);
		foot = changeLines(timeline, lastIndex, [detail.text, ...reply].join("\n"));
		room = BUDGET - [...head, ...foot, event, ...reply].join("\n").length;
		if (pass < 3) detail = detailed(turns, lastIndex, Math.max(DETAIL, room - OLDER));
	}
	const text = [
		...head,
		"Timeline, oldest first (#n = a request of the user and what followed):",
		...olderLines(timeline, detail.from, room - detail.text.length),
		detail.text,
		event,
		...reply,
		...foot,
	]
		.filter((line) => line !== "")
		.join("\n");
	return text.slice(0, RENDER_BOUND).toWellFormed();
}

/** Returns the lines at the top of the timeline. `from` is the index of the first turn whose request is quoted below these lines. */
function headLines(timeline: Timeline, larger: Turn | undefined, from: number): string[] {
	const lines: string[] = [];
	if (timeline.name !== undefined) lines.push(`Session name: ${safeLine(timeline.name, 120)}`);
	if (larger) {
		const isBelow = timeline.turns.indexOf(larger) >= from;
		lines.push(
			`Larger work${isBelow ? ": " : " ("}#${larger.number}${isBelow ? "" : `): ${requestText(larger, 320)}`}`,
		);
	}
	const goal = goalText(timeline);
	if (goal !== undefined) lines.push(`Goal of the work, by an earlier summary: ${safeLine(goal, 320)}`);
	return lines;
}

/** Returns the last turns with their steps: at least one turn, and as many as fit. */
function detailed(turns: readonly Turn[], lastIndex: number, room: number): { from: number; text: string } {
	let from = lastIndex + 1;
	let text = "";
	// After small talk, or a run that was aborted immediately, the reply to the preceding work shows the state.
	const work = turns.findLast(
		(turn, index) => index <= lastIndex && turn.reply !== undefined && actedIn(turn),
	);
	for (let index = lastIndex; index >= Math.max(0, lastIndex - DETAILED_TURNS + 1); index--) {
		const turn = turns[index];
		if (!turn) break;
		const isLast = index === lastIndex;
		const rooms = lastIndex - index > NEAR ? ROOMS.slice(1) : ROOMS;
		const fit = { isLast, isWork: turn === work, room: isLast ? room : room - text.length };
		const lines = fitted(turn, rooms, fit);
		if (lines === undefined) break;
		text = text === "" ? lines : `${lines}\n${text}`;
		from = index;
	}
	return { from, text };
}

/** Number of turns before the last one whose replies may be quoted at length. */
const NEAR = 2;
/** The levels of detail, in decreasing order. */
const ROOMS: readonly Room[] = [
	{ request: 600, step: 150, remark: 200, reply: 1_000, edit: 180 },
	{ request: 600, step: 150, remark: 200, reply: 480, edit: 110 },
	{ request: 420, step: 110, remark: 120, reply: 260, edit: 0 },
];
/** Maximum number of characters of the reply in the last turn with work, if another turn followed. */
const WORK_REPLY = 1_000;

interface Fit {
	isLast: boolean;
	/** Whether this is the last turn in which work was done. */
	isWork: boolean;
	room: number;
}

/**
 * Returns a turn shortened to fit into `room`: first its lines are shortened, then steps in the middle are left out. Undefined if there is
 * still too little room. The last turn is always returned.
 */
function fitted(turn: Turn, rooms: readonly Room[], { isLast, isWork, room }: Fit): string | undefined {
	let lines: string[] = [];
	for (const width of rooms) {
		lines = turnDetail(turn, isWork ? { ...width, reply: WORK_REPLY } : width, isLast);
		const text = lines.join("\n");
		if (text.length < room) return text;
	}
	if (!isLast && room < (isWork ? 300 : 500)) return undefined;
	const [request = "", ...steps] = lines;
	const kept = lastThatFit(steps, room - request.length - 30);
	const cut = steps.slice(0, steps.length - kept.length);
	// Of the steps that do not fit, the last changes and results are kept.
	const informative = cut.filter((line) => /^ {2}- (?:edited|written|made) | → /.test(line));
	const first = cut.length > 2 ? lastThatFit(informative, 260) : [];
	return [request, ...first, `  - (${cut.length - first.length} earlier steps left out)`, ...kept].join("\n");
}

/**
 * Returns the requests before the detailed turns, one line each, oldest first. If there is not enough room for all of them, requests that
 * are clear on their own or led to a commit take precedence, followed by the newest of the other requests.
 */
function olderLines({ turns, links }: Timeline, from: number, room: number): string[] {
	const older = turns.slice(0, from).filter(({ request }) => request !== undefined);
	const madeIn = (turn: Turn): Link[] => links.filter((link) => turns[link.turn] === turn);
	const rank = (turn: Turn): number => (isSubstantial(turn) || madeIn(turn).length > 0 ? 0 : 1);
	const ranked = older.map((turn) => ({ turn, rank: rank(turn) })).toReversed();
	const kept = new Map<Turn, string>();
	let left = room - 20;
	for (const { turn } of ranked.toSorted((a, b) => a.rank - b.rank)) {
		const line = turnLine(turn, madeIn(turn), OLDER_LINE);
		left -= line.length + 1;
		if (left < 0) break;
		kept.set(turn, line);
	}
	const lines = older.flatMap((turn) => kept.get(turn) ?? []);
	return lines.length === older.length
		? lines
		: [`(${older.length - lines.length} older left out)`, ...lines];
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
			return last.reply === undefined
				? "the run ended by itself; its reply is not part of this excerpt."
				: "the run ended by itself with the reply below.";
	}
}

function pendingText(turn: Turn | undefined): string {
	const pending = turn && stepsOf(turn).findLast(({ outcome }) => outcome === "pending");
	if (pending) return `, waiting for ${safeLine(`${pending.name} ${pending.argument}`, 120)}`;
	return turn?.end === "length" ? ": the reply was cut off at the model's limit" : "";
}

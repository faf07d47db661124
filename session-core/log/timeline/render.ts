/**
 * Renders a timeline as text with the most detail for the newest turns. The text never claims that
 * something did not happen unless the log proves it.
 */

import { headAndTail, shownLine } from "../../text/index.ts";
import { goalText, largerWork } from "./larger.ts";
import { editedSinceCommit } from "./made.ts";
import { changeText, requestText, turnDetail, turnLine } from "./render-turn.ts";
import { lastTurn, readPaths, stepsOf, type Timeline, type Turn } from "./turn.ts";

/**
 * The target length, in characters, of a timeline in a model request. The complete request has about
 * 1,100 tokens.
 */
const BUDGET = 4_410;
export const RENDER_BOUND = 7_200;

const REPLY = 2_200;
const DETAIL = 1_150;
const OTHERS = 1400;
const OLDER_LINE = 190;
const DETAILED_TURNS = 8;

/** `budget` is a target length in characters, and `reply` is the maximum length of the last reply. */
export function renderTimeline(timeline: Timeline, { budget = BUDGET, reply: room = REPLY } = {}): string {
	const { turns, links } = timeline;
	const last = lastTurn(turns);
	const lastIndex = last ? turns.indexOf(last) : -1;
	const event = `LAST EVENT: ${lastEvent(timeline, last)}`;
	const reply = last?.reply === undefined ? [] : ["LAST REPLY:", headAndTail(last.reply, room)];
	const detail = detailed(turns, lastIndex, budget - OTHERS - [event, ...reply].join("\n").length);
	const head = headLines(timeline, detail.from);
	const foot = changeLines(timeline, lastIndex, [detail.text, ...reply].join("\n"));
	const left = budget - [...head, ...foot, event, ...reply, detail.text].join("\n").length;
	const older = turns.slice(0, detail.from).filter(({ request }) => request !== undefined);
	const made = (turn: Turn) => links.filter((link) => turns[link.turn] === turn);
	const lines = lastThatFit(
		older.map((turn) => turnLine(turn, made(turn), OLDER_LINE)),
		left,
	);
	const text = [
		...head,
		"Timeline, oldest first (#n = a request of the user and what followed):",
		lines.length < older.length ? `(${older.length - lines.length} older left out)` : "",
		...lines,
		detail.text,
		event,
		...reply,
		...foot,
	]
		.filter((line) => line !== "")
		.join("\n");
	return text.slice(0, RENDER_BOUND).toWellFormed();
}

function headLines(timeline: Timeline, from: number): string[] {
	const larger = largerWork(timeline);
	const isBelow = larger !== undefined && timeline.turns.indexOf(larger) >= from;
	const goal = goalText(timeline);
	const quoted =
		larger && (isBelow ? `: #${larger.number}` : ` (#${larger.number}): ${requestText(larger, 320)}`);
	return [
		timeline.name === undefined ? "" : `Session name: ${shownLine(timeline.name, 120)}`,
		larger === undefined ? "" : `Larger work${quoted}`,
		goal === undefined ? "" : `Goal of the work, by an earlier summary: ${shownLine(goal, 320)}`,
	].filter(Boolean);
}

function detailed(turns: readonly Turn[], lastIndex: number, room: number): { from: number; text: string } {
	let from = lastIndex + 1;
	let text = "";
	for (const turn of turns
		.slice(0, lastIndex + 1)
		.slice(-DETAILED_TURNS)
		.reverse()) {
		const isLast = text === "";
		const lines = fitted(turn, isLast, Math.max(DETAIL, room) - text.length);
		if (lines === undefined) break;
		text = isLast ? lines : `${lines}\n${text}`;
		from--;
	}
	return { from, text };
}

const LEAST_ROOM = 500;

function fitted(turn: Turn, isLast: boolean, room: number): string | undefined {
	const lines = turnDetail(turn, isLast);
	const text = lines.join("\n");
	if (text.length < room) return text;
	if (!isLast && room < LEAST_ROOM) return undefined;
	const [request = "", ...steps] = lines;
	const kept = lastThatFit(steps, room - request.length - 30);
	return [request, `  - (${steps.length - kept.length} earlier steps left out)`, ...kept].join("\n");
}

const FILES = 8;

function changeLines(
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
			({ locator, label, turn }) => `${shownLine(`${locator} ${label}`, 120)} (#${turns[turn]?.number ?? 0})`,
		);
	// If the newest turns changed no files, the files that the agent read show what the work is about.
	const recent = turns.slice(Math.max(0, lastIndex - 1), lastIndex + 1).flatMap(stepsOf);
	const read = recent.some(({ edits }) => edits.length > 0) ? [] : readPaths(recent.toReversed());
	return [
		listed(
			`${newest.length < files.length ? "Other files" : "Files"} changed, newest first`,
			left > 0 ? [...changes, `+${left} more`] : changes,
		),
		listed("Commits and pages", made),
		listed("Not committed, by the newest git status", uncommitted.slice(-FILES)),
		listed(
			"Edited after the last commit",
			uncommitted.length > 0 ? [] : editedSinceCommit(turns).slice(-FILES),
		),
		listed("Looked at, newest first", read.slice(0, FILES)),
		noCommandSince(turns[lastIndex]) ? "No command ran after the last edit." : "",
	].filter(Boolean);
}

function listed(label: string, items: readonly string[]): string {
	return items.length === 0 ? "" : `${label}: ${items.map((item) => shownLine(item, 160)).join("; ")}`;
}

function noCommandSince(turn: Turn | undefined): boolean {
	const steps = turn ? stepsOf(turn) : [];
	const edit = steps.findLastIndex(({ edits }) => edits.length > 0);
	return (
		edit >= 0 &&
		steps.slice(edit).every((step) => step.command === undefined && (step.looks || step.edits.length > 0))
	);
}

function lastEvent(timeline: Timeline, last: Turn | undefined): string {
	const reason = timeline.endReason === undefined ? "" : `: ${shownLine(timeline.endReason, 300)}`;
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
	if (pending) return `, waiting for ${shownLine(`${pending.name} ${pending.argument}`, 120)}`;
	return turn?.end === "length" ? ": the reply was cut off at the model's limit" : "";
}

function lastThatFit(lines: readonly string[], room: number): string[] {
	let left = room;
	const before = lines.findLastIndex((line) => {
		left -= line.length + 1;
		return left < 0;
	});
	return lines.slice(before + 1);
}

/** Reads what happened in the recent part of a branch. Pure; never throws on entries of any shape. */

import { readableError } from "../model/provider-error.ts";
import type { BranchSlice } from "../session/branch.ts";
import type { Entry } from "../session/entry.ts";
import { isMessageEntry } from "../session/message.ts";
import { pathNamer } from "../text/paths.ts";
import { openDecisions } from "../text/reply.ts";
import { changedFiles } from "./changes.ts";
import { uncommittedFiles } from "./git-status.ts";
import { madeLinks } from "./links.ts";
import { readTurns } from "./turns.ts";
import { type Activity, isStep, type Outcome, type Step, type Timeline, type Turn } from "./types.ts";

export interface TimelineOptions {
	/** The session's folder: paths below it are named relative to it. */
	cwd?: string;
}

export function readTimeline(slice: BranchSlice, { cwd }: TimelineOptions = {}): Timeline {
	const namer = pathNamer(cwd);
	const turns = readTurns([...slice.opening, ...slice.entries], namer);
	const last = lastTurn(turns);
	return {
		stamp: slice.entries.findLast(isMessageEntry)?.id,
		messages: countMessages(slice.entries),
		name: nameIn(slice.entries),
		turns,
		files: changedFiles(turns, namer),
		links: madeLinks(turns),
		uncommitted: uncommittedFiles(turns, namer),
		outcome: outcomeOf(last),
		endReason: endReasonOf(last),
		activity: activityOf(turns),
	};
}

/** The turn that tells how the session stands: the last with a request or an answer. */
export function lastTurn(turns: readonly Turn[]): Turn | undefined {
	return turns.findLast((turn) => turn.request !== undefined || turn.images > 0 || turn.end !== "open");
}

/** The steps of a turn, without what was said between them. */
export function stepsOf(turn: Turn): Step[] {
	return turn.steps.filter(isStep);
}

/** Whether anything in a turn may have changed something, anywhere. */
export function actedIn(turn: Turn): boolean {
	return turn.steps.some((one) => isStep(one) && !one.looks && one.outcome === "ok");
}

function outcomeOf(turn: Turn | undefined): Outcome {
	if (!turn) return "done";
	if (turn.end === "aborted") return "aborted";
	if (turn.end === "error") return "error";
	// A tool call without an end, or a request without an answer: the log stops in the middle of a run. Other hosts mark
	// the message before a call as a stop; a call without a result tells.
	const isPending = turn.steps.some((one) => isStep(one) && one.outcome === "pending");
	if (turn.end !== "stop" || (isPending && turn.reply === undefined)) return "running";
	const { asks, offers } = openDecisions(turn.reply ?? "");
	// An offer behind finished work is a courtesy; behind an analysis it is the question.
	return asks || (offers && !actedIn(turn)) ? "waiting" : "done";
}

function endReasonOf(turn: Turn | undefined): string | undefined {
	const reason =
		turn?.end === "error" || turn?.end === "aborted" ? readableError(turn.errorMessage) : undefined;
	// That an aborted run was aborted needs no reason.
	return turn?.end === "aborted" && /\babort/i.test(reason ?? "") ? undefined : reason;
}

function nameIn(entries: readonly Entry[]): string | undefined {
	const name = entries.findLast((entry) => entry.type === "session_info")?.["name"];
	return typeof name === "string" && name.trim() !== "" ? name : undefined;
}

function countMessages(entries: readonly Entry[]): number {
	let count = 0;
	for (const entry of entries) if (isMessageEntry(entry)) count++;
	return count;
}

function activityOf(turns: readonly Turn[]): Activity {
	const from = turns.findLastIndex((turn) => turn.request !== undefined || turn.images > 0);
	const since = turns.slice(Math.max(0, from));
	const said = since.flatMap((turn) => [
		turn.reply ?? "",
		...turn.steps.map((one) => (isStep(one) ? "" : one.text)),
	]);
	return {
		toolCalls: since.reduce(
			(sum, turn) => sum + turn.steps.filter((one) => isStep(one) && one.kind === "call").length,
			0,
		),
		replyWords: said.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0),
		endedBadly: since.some(({ end }) => end === "aborted" || end === "error"),
	};
}

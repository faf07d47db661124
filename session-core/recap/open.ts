/**
 * Finds open items: the closing questions and offers, the next steps and the unticked checkboxes of the reply, and, after an abort or an
 * error, the interrupted request.
 */

import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { readReply } from "../text/reply.ts";
import { actedIn, lastTurn } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import { isRequest } from "../timeline/user-words.ts";
import { nextSteps } from "./next-step-phrases.ts";
import type { NextKind } from "./record.ts";
import { requestLine } from "./requests.ts";

const MOST = 3;
const COLUMNS = 150;
/** Maximum width, in columns, of a quoted request that was interrupted. Nearly all requests fit. */
const CUT_COLUMNS = 320;
/** An open question is dropped after this many turns of small talk. */
const REACH = 4;

/** What is open, and why. */
export interface OpenPoint {
	kind: NextKind;
	text: string;
}

export function openActions(timeline: Timeline): OpenPoint[] {
	const last = lastTurn(timeline.turns);
	if (!last) return [];
	if (timeline.outcome === "done" || timeline.outcome === "waiting") {
		const own = openIn(last.reply ?? "").map((text) => ({ kind: "open" as const, text }));
		return own.length > 0 ? own : openBefore(timeline.turns, last);
	}
	const text = isRequest(last.request ?? "") ? requestLine(last, CUT_COLUMNS) : "";
	const cut: OpenPoint[] = text === "" ? [] : [{ kind: "cut_short", text }];
	return [...cut, ...openBefore(timeline.turns, last)].slice(0, MOST);
}

function openIn(reply: string): string[] {
	const { questions, offers, unticked } = readReply(reply);
	const points = [...questions, ...nextSteps(reply), ...offers, ...unticked].map(asPoint);
	return [...new Set(points)].filter((text) => text !== "").slice(0, MOST);
}

function asPoint(text: string): string {
	return cutAtClause(plainLine(text), COLUMNS);
}

/**
 * Returns the questions and steps that were still open before the last turns, provided that those turns were only small talk. Any work
 * settles them, as does any other request. A request that was interrupted before any work was done for it settles only the questions.
 */
function openBefore(turns: readonly Turn[], last: Turn): OpenPoint[] {
	let later = last;
	for (const turn of turns.slice(0, turns.indexOf(last)).toReversed().slice(0, REACH)) {
		const isInterrupted = later === last && last.reply === undefined;
		const isAnswered = isRequest(later.request ?? "");
		if (actedIn(later) || (isAnswered && !isInterrupted)) return [];
		const open = isAnswered ? nextSteps(turn.reply ?? "").map(asPoint) : openIn(turn.reply ?? "");
		if (open.length > 0) return open.slice(0, 1).map((text) => ({ kind: "before", text }));
		later = turn;
	}
	return [];
}

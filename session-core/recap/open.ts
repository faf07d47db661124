/** What is open: the reply's closing question, offer or unticked boxes; after an abort or error, the request that was cut short. */

import { isRequest } from "../session/own-words.ts";
import { readReply } from "../text/reply.ts";
import { clause, plain } from "../text/statement.ts";
import { substance } from "../text/substance.ts";
import { actedIn, lastTurn, stepsOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import type { NextKind } from "./record.ts";
import { requestLine } from "./request.ts";

const MOST = 3;
const COLUMNS = 150;
/** What was cut short is needed whole. */
const CUT_COLUMNS = 320;
/** Turns of small talk or side questions behind which an open question is still looked for. */
const REACH = 4;
/** Words of a reply that goes into what was asked. */
export const LONG_REPLY = 40;

/** What is open, and how it came to be. */
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
	const points = [...questions, ...offers, ...unticked].map((text) => clause(plain(text), COLUMNS));
	return points.filter((text) => text !== "").slice(0, MOST);
}

/** What was open before the last turn, if that was talk or a look by the way: whoever goes on with the work has answered. */
function openBefore(turns: readonly Turn[], last: Turn): OpenPoint[] {
	let later = last;
	for (const turn of turns.slice(0, turns.indexOf(last)).toReversed().slice(0, REACH)) {
		const isGoneInto = stepsOf(later).length > 0 || substance(later.reply ?? "") >= LONG_REPLY;
		if (actedIn(later) || (isGoneInto && isRequest(later.request ?? ""))) return [];
		const open = openIn(turn.reply ?? "");
		if (open.length > 0) return open.slice(0, 1).map((text) => ({ kind: "before", text }));
		later = turn;
	}
	return [];
}

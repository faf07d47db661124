/** What is open: the reply's closing question, offer or unticked boxes; after an abort or error, the request that was cut short. */

import { isRequest } from "../session/own-words.ts";
import { readReply } from "../text/reply.ts";
import { clause, plain, whole } from "../text/statement.ts";
import { actedIn, lastTurn, stepsOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import { requestLine } from "./headline.ts";
import type { NextKind } from "./record.ts";

const MOST = 3;
const COLUMNS = 150;
/** What was cut short is needed whole. */
const CUT_COLUMNS = 260;
/** Turns of small talk or side questions behind which an open question is still looked for. */
const REACH = 4;

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
	const request = isRequest(last.request ?? "") ? requestLine(last, CUT_COLUMNS) : "";
	const before = openBefore(timeline.turns, last);
	const cut = request === "" ? [] : [{ kind: "cut_short" as const, text: request }];
	return [...cut, ...before].slice(0, MOST);
}

function openIn(reply: string): string[] {
	const { questions, offers, unticked } = readReply(reply);
	const fits = (text: string): string => whole(plain(text), COLUMNS) ?? clause(plain(text), COLUMNS);
	return [...questions, ...offers, ...unticked]
		.map(fits)
		.filter((text) => text !== "")
		.slice(0, MOST);
}

/** What was open before the last turn, if that was talk or a look by the way: whoever goes on with the work has answered. */
function openBefore(turns: readonly Turn[], last: Turn): OpenPoint[] {
	let later = last;
	for (const turn of turns.slice(0, turns.indexOf(last)).toReversed().slice(0, REACH)) {
		if (actedIn(later) || (isRequest(later.request ?? "") && stepsOf(later).length > 0)) return [];
		const open = openIn(turn.reply ?? "");
		if (open.length > 0) return open.slice(0, 1).map((text) => ({ kind: "before", text }));
		later = turn;
	}
	return [];
}

/**
 * Chooses the agent's text that describes the newest work: its last reply about that work, or what it
 * wrote between its steps.
 */

import { countWords } from "../text/count.ts";
import { openDecisions } from "../text/reply.ts";
import { actedIn, lastTurn, remarksOf, stepsOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import { isRequest } from "../timeline/user-words.ts";

/** Minimum number of words of a reply that answers a question. */
const LONG_REPLY = 40;
/** Minimum number of words of a reply that asks something. */
const ASKING_BACK = 12;
const REMARKS = 4;

export interface Report {
	text: string;
	request: string;
	acted: boolean;
	/** Whether another request was made after it. */
	isOlder: boolean;
}

/** A full stop that is not part of a name or a number. */
const SENTENCE_END = /[.!?…]["'”’)\]*`]*(?=\s|$)|[。！？]|\n/gu;

export function reportOf({ turns }: Timeline): Report | undefined {
	const last = lastTurn(turns);
	if (!last) return undefined;
	const request = last.request ?? "";
	const remarks = last.reply === undefined ? remarksOf(last).slice(-REMARKS) : [];
	// Text that introduces a call has no content of its own to quote.
	const text = remarks.map((remark) => remark.trimEnd().replace(/[:：]$/, ".")).join("\n\n");
	if (text !== "") return { text, request, acted: true, isOlder: false };
	const spoken = turns.filter(({ reply }) => reply !== undefined);
	const reported = spoken.findLast((turn) => !isSmallTalk(turn)) ?? spoken.at(-1);
	if (reported?.reply === undefined) return undefined;
	// If the work was interrupted, the only description of it is the message that announced it.
	const isOther = stepsOf(reported).length === 0 || reported !== turns[turns.indexOf(last) - 1];
	if (last.reply === undefined && stepsOf(last).length > 0 && isOther) return undefined;
	// Small talk that follows is not shown, so nothing is in between.
	const isOlder = reported !== last && isRequest(request);
	// A reply that was stopped ends in the middle of a sentence.
	const end = reported.end === "stop" ? undefined : [...reported.reply.matchAll(SENTENCE_END)].at(-1);
	const whole =
		reported.end === "stop" ? reported.reply : reported.reply.slice(0, end ? end.index + end[0].length : 0);
	return { text: whole, request: reported.request ?? "", acted: actedIn(reported), isOlder };
}

/** Whether a request has only a word or two and caused no work and no question in return ("ls", "ok"). */
function isSmallTalk(turn: Turn): boolean {
	const words = countWords(turn.reply ?? "");
	if (actedIn(turn) || (words >= ASKING_BACK && openDecisions(turn.reply ?? "").asks)) return false;
	return !isRequest(turn.request ?? "") && words < LONG_REPLY;
}

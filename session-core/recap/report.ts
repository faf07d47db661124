/**
 * Chooses the text in which the agent describes the newest work: its last reply about that work, or the messages that it wrote between the
 * steps.
 */

import { countWords } from "../text/count.ts";
import { openDecisions } from "../text/reply.ts";
import { isSubstantial } from "../timeline/larger.ts";
import { actedIn, lastTurn, remarksOf, stepsOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import { isRequest } from "../timeline/user-words.ts";

/** Minimum number of words in a reply that counts as substantial even if the request was only a remark. */
const LONG_REPLY = 40;
/** Minimum number of words in a reply that counts as substantial because it asks the user something. */
const ASKING_BACK = 12;
const REMARKS = 4;

export interface Report {
	text: string;
	request: string;
	acted: boolean;
	/** Whether the user made another request after the one that this reply answers. */
	isOlder: boolean;
}

/** Matches the end of a sentence, but not a period inside a name or a number. */
const SENTENCE_END = /[.!?…]["'”’)\]*`]*(?=\s|$)|[。！？]|\n/gu;

export function reportOf({ turns }: Timeline): Report | undefined {
	const last = lastTurn(turns);
	if (!last) return undefined;
	const request = last.request ?? "";
	const remarks = last.reply === undefined ? remarksOf(last).slice(-REMARKS) : [];
	// A message that introduces a tool call may end with a colon, which is replaced by a period.
	const text = remarks.map((remark) => remark.trimEnd().replace(/[:：]$/, ".")).join("\n\n");
	if (text !== "") return { text, request, acted: true, isOlder: false };
	const replied = turns.filter(({ reply }) => reply !== undefined);
	const described = replied.findLast((turn) => !isSmallTalk(turn));
	const reported =
		described && (actedIn(described) || isRequest(described.request ?? "")) ? described : replied.at(-1);
	if (reported?.reply === undefined) return undefined;
	// Interrupted work has no reply of its own, so only a reply in the turn right before it can describe it.
	const isOther = stepsOf(reported).length === 0 || reported !== turns[turns.indexOf(last) - 1];
	const isQuick = isRequest(request) && !isSubstantial(last);
	if (last.reply === undefined && stepsOf(last).length > 0 && isOther && !isQuick) return undefined;
	// Small talk after a request is not shown, so the request before the small talk counts as the last one.
	const isOlder = reported !== last && isRequest(request);
	// A reply that was interrupted may end in the middle of a sentence. The incomplete sentence is removed.
	const end = reported.end === "stop" ? undefined : [...reported.reply.matchAll(SENTENCE_END)].at(-1);
	const whole =
		reported.end === "stop" ? reported.reply : reported.reply.slice(0, end ? end.index + end[0].length : 0);
	return { text: whole, request: reported.request ?? "", acted: actedIn(reported), isOlder };
}

/** Whether a request has only a word or two ("ls", "ok") and led to neither work nor a question from the agent. */
function isSmallTalk(turn: Turn): boolean {
	const words = countWords(turn.reply ?? "");
	if (actedIn(turn) || (words >= ASKING_BACK && openDecisions(turn.reply ?? "").asks)) return false;
	return !isRequest(turn.request ?? "") && words < LONG_REPLY;
}

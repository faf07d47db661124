/** Chooses the headline of a recap and the larger task that it belongs to; the task is quoted in the user's own words. */

import { cutAtClause, fitLine, plainLine } from "../text/fit-line.ts";
import { sentencesOf } from "../text/markdown.ts";
import { currentRequest, goalText, isSubstantial, servedWork } from "../timeline/larger.ts";
import { actedIn, hasRequest, lastTurn } from "../timeline/turn.ts";
import type { Outcome, Timeline, Turn } from "../timeline/types.ts";
import { isRequest } from "../timeline/user-words.ts";
import type { Words } from "../words/en.ts";
import { letters, requestInContext, requestLength, requestLine } from "./shorten-request.ts";

export const HEADLINE_COLUMNS = 80;
const LARGER_COLUMNS = 130;
/**
 * `ENOUGH` is the minimum number of words in a request that is clear on its own. `AMPLE` is the minimum number of words in a request that
 * needs no larger task to explain it.
 */
const ENOUGH = 4;
const AMPLE = 14;
/**
 * Maximum number of words in a request that may be a mere chore, such as a commit, and therefore does not explain a short request that
 * follows it.
 */
const LONG = 9;
/** A substantial request is no longer current after this many further requests without a change. */
const REACH = 3;
/** Minimum number of characters in a reply that shows that the request was more than a mere remark. */
const REMARK = 400;

/** Outcomes that describe only the last request, not the work before it. */
export const CUT: ReadonlySet<Outcome> = new Set(["aborted", "error", "running"]);

/**
 * Returns the request that a recap is about: the interrupted request, if there is one, otherwise the last substantial request. A
 * substantial request no longer counts if neither it nor any later request changed anything, or if several requests that changed nothing
 * followed it.
 */
export function subjectOf(timeline: Timeline): Turn | undefined {
	const last = lastTurn(timeline.turns);
	if (last && CUT.has(timeline.outcome) && requestLength(last) >= ENOUGH) return last;
	const current = currentRequest(timeline);
	const since = timeline.turns.slice(current && timeline.turns.indexOf(current) + 1).filter(hasRequest);
	const isTalk = current !== undefined && ![current, ...since].some(actedIn);
	const isIdle = isTalk || (since.length >= REACH && !since.slice(-REACH).some(actedIn));
	if (last && isIdle && isRequest(last.request ?? "") && isAnsweredAtLength(last)) return last;
	return current ?? timeline.turns.findLast(({ expansion }) => expansion !== undefined);
}

/** Whether the agent's response goes beyond what a mere remark, such as praise, calls for: the agent used a tool or wrote a long text. */
function isAnsweredAtLength({ steps, reply }: Turn): boolean {
	return steps.length > 0 || (reply ?? "").length >= REMARK;
}

export function chooseHeadline(timeline: Timeline, words: Words): string {
	const { name, turns } = timeline;
	const turn = subjectOf(timeline);
	const request = turn ? requestInContext(turn, turns, HEADLINE_COLUMNS, words) : "";
	const line = name === undefined ? request : cutAtClause(plainLine(name), HEADLINE_COLUMNS);
	return line.replace(/[\s.。,;:、，]+$/u, "");
}

/**
 * Returns the larger task that the request belongs to: the request that it continues, the goal in a summary, or an older request. The
 * result never repeats the headline.
 */
export function largerLine(timeline: Timeline, headline: string): string | undefined {
	const goal = goalText(timeline);
	const subject = subjectOf(timeline);
	const before = subject && requestBefore(subject, timeline.turns);
	const isClear = !subject || requestLength(subject) >= AMPLE;
	const served = goal || isClear ? undefined : servedWork(timeline);
	// A request of a few words is unclear on its own. A request that stopped a run usually corrects the previous request.
	const continued = subject && requestLength(subject) <= ENOUGH ? before : undefined;
	const corrected = subject && before?.end === "aborted" && !isClear ? before : undefined;
	const older = continued ?? served ?? corrected;
	const text = older
		? requestLine(older, LARGER_COLUMNS)
		: goal && fitLine(sentencesOf(plainLine(goal))[0] ?? "", LARGER_COLUMNS);
	return text && !isSame(text, headline) ? text : undefined;
}

/** Returns the request right before a turn, if it is long enough to be clear on its own. */
function requestBefore(turn: Turn, turns: readonly Turn[]): Turn | undefined {
	const before = turns.slice(0, turns.indexOf(turn)).findLast(hasRequest);
	return before && requestLength(before) > LONG ? before : undefined;
}

/** Returns the request that was being worked on before the quick request that a recap is about. */
export function workBefore(timeline: Timeline): Turn | undefined {
	const current = currentRequest(timeline);
	return current && current !== subjectOf(timeline) && isSubstantial(current) ? current : undefined;
}

function isSame(one: string, other: string): boolean {
	const [a, b] = [letters(one), letters(other)];
	return a.startsWith(b) || b.startsWith(a);
}

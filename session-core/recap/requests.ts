/** Quotes the user's requests for a recap: the headline, the larger work, and the other requests around the headline. */

import { countWords } from "../text/count.ts";
import { cutAtClause, lineThatFits, plainLine, withoutFinalMark } from "../text/fit-line.ts";
import { sentencesOf } from "../text/markdown.ts";
import { withShortPaths } from "../text/paths.ts";
import { capitalized } from "../timeline/command-text.ts";
import { currentRequest, goalText } from "../timeline/larger.ts";
import { stepsOf } from "../timeline/turn.ts";
import type { Outcome, Timeline, Turn, TurnEnd } from "../timeline/types.ts";
import { isRequest, ownLine } from "../timeline/user-words.ts";

const LOG_TURNS = 8;
/** Minimum number of words in a request that explains another one. */
const WORDS = 3;
/** Minimum number of words in a first request that is quoted. */
const CLEAR = 4;
/** Minimum number of words in a request that needs no first request to explain it. */
const AMPLE = 9;
/** Outcomes that describe only the last request, not the work before it. */
export const CUT: ReadonlySet<Outcome> = new Set(["aborted", "error", "running"]);
const WAS_CUT: ReadonlySet<TurnEnd> = new Set(["aborted", "error"]);
const HEADLINE_COLUMNS = 80;
const LARGER_COLUMNS = 130;
const ASKED_COLUMNS = 110;
/** Width of a request that is quoted beside the one in the headline. */
const BESIDE_COLUMNS = 70;
const SEPARATOR = " › ";

/** The user's words in a recap. All texts are safe to show; `larger`, `first` and `asked` are empty if they would repeat the headline. */
export interface QuotedRequests {
	headline: string;
	/** The goal that a summary names. */
	larger: string;
	/** If no goal is known and the request is too short to be clear on its own, the session's first clear request. */
	first: string;
	/** The requests around the headline and the part of the headline's request that does not fit, oldest first. */
	asked: string;
	/** The index of the turn whose request is quoted in the headline. */
	from: number;
}

/** Returns the session's name or, without one, its current request as the headline, with the requests that explain it. */
export function quoteRequests(timeline: Timeline): QuotedRequests {
	const { name, turns, outcome } = timeline;
	const asking = turns.filter((turn) => turn.request !== undefined || turn.expansion !== undefined);
	const last = asking.at(-1);
	const current = currentRequest(timeline) ?? last;
	// What was interrupted is the last request, not the work before it, so it is the headline unless it has only a word or two.
	const isCut = CUT.has(outcome) && isRequest(last?.request ?? "");
	const head = isCut ? last : current;
	const quote = (turn: Turn | undefined, columns: number): string =>
		turn ? requestLine(turn, columns, turns.slice(0, turns.indexOf(turn))) : "";
	const request = quote(head, HEADLINE_COLUMNS);
	const whole = quote(head, HEADLINE_COLUMNS + ASKED_COLUMNS);
	const title = name && cutAtClause(withoutFinalMark(plainLine(name)), HEADLINE_COLUMNS);
	// The "…" of a text that was cut is kept.
	const isShortened = title === undefined ? request !== whole : title.endsWith("…");
	const text = title ?? request;
	const headline = isShortened && text.endsWith("…") ? text : withoutFinalMark(text);
	const about = largerLine(timeline, head, headline);
	const isGoal = goalLine(timeline) !== "";
	// Much later, the first request no longer explains what a short request is about.
	const isNear = head !== undefined && turns.indexOf(head) <= LOG_TURNS;
	const [larger, first] = isGoal ? [about, ""] : ["", isNear ? about : ""];
	const rest = name === undefined ? restOf(whole, request) : cutAtClause(whole, ASKED_COLUMNS);
	const before = asking.at(-2);
	// A short request is explained by the one before it, and a request that follows an interruption often corrects that one.
	const isUnclear = head !== undefined && (isCut || wordsIn(head) < AMPLE);
	const explains = before !== undefined && wordsIn(before) >= WORDS && (isUnclear || WAS_CUT.has(before.end));
	const explaining = explains ? before : undefined;
	const beside = quote(head === last ? explaining : last, BESIDE_COLUMNS);
	const asked = (head === last ? [beside, rest] : [rest, beside]).filter(
		(text) => text !== "" && !isSame(text, headline) && !isSame(text, first),
	);
	return { headline, larger, first, asked: asked.join(SEPARATOR), from: head ? turns.indexOf(head) : 0 };
}

/** Returns the first sentence of the goal that a summary names. */
function goalLine(timeline: Timeline): string {
	const [goal = ""] = sentencesOf(plainLine(goalText(timeline) ?? ""));
	return lineThatFits(goal, LARGER_COLUMNS) ?? cutAtClause(goal.replace(/\s\([^()]*\)/g, ""), LARGER_COLUMNS);
}

/** Returns the session's first clear request, if another request is too short to be clear without it. */
function firstLine({ turns }: Timeline, head: Turn | undefined): string {
	const begin = turns.find((turn) => turn.request !== undefined);
	const first = begin?.number === 1 && wordsIn(begin) >= CLEAR ? begin : undefined;
	const isNeeded = head !== undefined && first !== undefined && first !== head && wordsIn(head) < AMPLE;
	return isNeeded ? requestLine(first, LARGER_COLUMNS) : "";
}

/** Returns what the work is about, besides its current request. */
export function largerLine(timeline: Timeline, head: Turn | undefined, headline: string): string {
	const text = goalLine(timeline) || firstLine(timeline, head);
	return isSame(text, headline) ? "" : text;
}

/** Returns the part of a request that its first line does not quote, marked as a continuation; empty if there is none. */
function restOf(whole: string, line: string): string {
	const quoted = line.replace(/\s*…$/u, "");
	if (!whole.startsWith(quoted)) return whole;
	const rest = whole.slice(quoted.length).replace(/^[\s.,;:。、，]+/u, "");
	return rest === "" ? "" : `…${cutAtClause(rest, ASKED_COLUMNS)}`;
}

/** Returns the number of words in the user's own text. */
function wordsIn(turn: Turn): number {
	return countWords(ownText(turn, []));
}

/** Returns a request as one line in the user's own words. It starts with a capital letter unless it starts with a command, because it is shown on its own. */
export function requestLine(turn: Turn, columns: number, earlier: readonly Turn[] = []): string {
	if (turn.request === undefined) return turn.expansion === undefined ? "" : plainLine(turn.expansion);
	return capitalized(cutAtClause(ownText(turn, earlier), columns));
}

/** Returns the user's own words in a request, without text that the log contains, such as a pasted error message. */
function ownText({ request = "" }: Turn, earlier: readonly Turn[]): string {
	const log = (): string[] =>
		earlier
			.slice(-LOG_TURNS)
			.flatMap((turn) => [
				turn.reply ?? "",
				...stepsOf(turn).flatMap(({ output, edits }) => [output, ...edits.map(({ diff }) => diff)]),
			]);
	return withShortPaths(plainLine(ownLine(request, log)));
}

/** Whether one text is the beginning of the other, ignoring case and punctuation. */
function isSame(one: string, other: string): boolean {
	const [a, b] = [letters(one), letters(other)];
	return a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
}

export function letters(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

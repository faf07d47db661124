/** Quotes the user's requests for a recap: the headline, the larger work to which it belongs, and the requests before and after it. */

import { isRequest, ownLine } from "../log/index.ts";
import {
	actedIn,
	currentRequest,
	goalText,
	largestRequest,
	type Outcome,
	remarksOf,
	requestWords,
	stepsOf,
	type Timeline,
	type Turn,
} from "../log/timeline/index.ts";
import {
	asksOfUser,
	clipColumns,
	countWords,
	cutAtClause,
	displayWidth,
	isBalanced,
	letters,
	lineThatFits,
	plainLine,
	readBlocks,
	readReply,
	sentencesOf,
	withoutFinalMark,
	withShortPaths,
} from "../text/index.ts";
import { openingLine } from "./reply-lines.ts";

const LOG_TURNS = 8;
/** Minimum number of words in a request that can explain another request. */
const CLEAR = 5;
/** Outcomes that describe only the last request, not the work before it. */
export const CUT: ReadonlySet<Outcome> = new Set(["aborted", "error", "running"]);
/** Minimum number of words in a request that is clear without another request. */
const AMPLE = 12;
/** Minimum number of words in a request that can be a topic on its own. */
const TOPIC = 9;
/** Maximum widths. A headline takes up to two rows on a card. */
/** Maximum width of the last sentence that is quoted with a long headline. */
const END = 120;
const COLUMNS = { headline: 205, earlier: 130, goal: 130, asked: 120, topic: 120 };

export interface EarlierRequest {
	request: string;
	/** The turn with the agent's answer to the request. */
	answered: Turn | undefined;
}

/** The user's words in a recap. All texts are safe to show, and none repeats the headline. */
export interface QuotedRequests {
	headline: string;
	/** The goal that a summary states. */
	larger: string;
	/** The earlier requests that explain the current one: the largest one and, for a short request, the nearest substantial one. */
	earlier: EarlierRequest[];
	/** The last request, unless it is the headline. */
	asked: string;
	/** The index of the first turn of the current request's run. */
	from: number;
}

/** Returns the session's name or, without one, its current request as the headline, with the requests that explain it. */
export function quoteRequests(timeline: Timeline): QuotedRequests {
	const { name, turns, outcome } = timeline;
	const asking = turns.filter((turn) => turn.request !== undefined || turn.expansion !== undefined);
	const last = asking.at(-1);
	const current = currentRequest(timeline) ?? last;
	// The last request is the headline unless it has only a word or two.
	const isClear = (turn: Turn | undefined) => isRequest(turn?.request ?? "") && !turn?.isChoice;
	const begun = last && turns[startOfRun(turns, last)];
	// Of a run during which the user sent further words, the request with which it began is clearer than a few such words.
	const isRemark = last !== undefined && requestWords(last) < TOPIC && begun !== last;
	const newest = [isRemark ? begun : undefined, last].find(isClear) ?? current;
	// A choice or a few words cannot be understood without the command that they answer.
	const head = newest && requestWords(newest) < CLEAR ? (commandOf(asking) ?? newest) : newest;
	const quote = (turn: Turn | undefined, columns: number): string =>
		turn ? requestLine(turn, columns, turns.slice(0, turns.indexOf(turn)), turn === head ? END : 0) : "";
	const title = name && cutAtClause(withoutFinalMark(plainLine(name)), COLUMNS.headline);
	const text = title ?? quote(head, COLUMNS.headline);
	const headline = text.endsWith("…") ? text : withoutFinalMark(text);
	const shown = [headline];
	const fresh = (line: string): string => {
		if (shown.some((other) => isSame(other, line))) return "";
		shown.push(line);
		return line;
	};
	const larger = fresh(goalLine(goalText(timeline)));
	const askedColumns = title === undefined ? COLUMNS.asked : COLUMNS.headline;
	const asked = title !== undefined || head !== last ? fresh(quote(last, askedColumns)) : "";
	const isBelow = title !== undefined && head !== last;
	const answered = (turn: Turn) => answeredTurn(turn, turns, head);
	const others = asking.filter((turn) => turn === head || !isSame(headline, quote(turn, COLUMNS.headline)));
	const before = { turns: asking.slice(0, head && asking.indexOf(head)) };
	const widest = larger === "" ? (largestRequest(before) ?? commandOf(asking)) : undefined;
	// If the headline is clear on its own, and something came of the larger work, that is explanation enough.
	const isExplained =
		widest !== undefined &&
		requestWords(head ?? widest) >= AMPLE &&
		outcomeOf(answered(widest), COLUMNS.earlier) !== "";
	const nearest = head && !isExplained ? requestBefore(others, head) : undefined;
	const explaining = (isBelow ? [head] : [...new Set([widest, nearest])])
		.filter((turn) => turn !== undefined)
		.toSorted((a, b) => a.number - b.number);
	return {
		headline,
		larger,
		asked,
		earlier: explaining
			.map((turn) => ({ request: fresh(quote(turn, COLUMNS.earlier)), answered: answered(turn) }))
			.filter(({ request }) => request !== ""),
		from: startOfRun(turns, CUT.has(outcome) && head ? head : current),
	};
}

/** Returns the index of the turn with which a request's run began: a message that the user sends during a run does not end that run. */
function startOfRun(turns: readonly Turn[], current: Turn | undefined): number {
	let from = current ? turns.indexOf(current) : 0;
	while (turns[from - 1]?.end === "toolUse") from--;
	return from;
}

/**
 * Returns the beginning of the agent's answer to an earlier request; empty if the log does not contain an answer, or if the run was cut
 * short or only led to a question, because such an answer says nothing about the outcome.
 */
export function outcomeOf(answered: Turn | undefined, columns: number): string {
	if (answered === undefined || answered.end === "aborted" || answered.end === "error") return "";
	if (!actedIn(answered) && asksOfUser(saidIn(answered))) return "";
	return openingLine(saidIn(answered), columns);
}

/**
 * Returns the turn before the current request with the longest answer to a request: the request's own turn, or the turn of a choice or a
 * few words after it. A reply that asks a question is used only if there is no other.
 */
function answeredTurn(turn: Turn, turns: readonly Turn[], head: Turn | undefined): Turn | undefined {
	const rest = turns.slice(turns.indexOf(turn), head && turns.indexOf(head));
	const end = rest.findIndex((one, index) => index > 0 && !one.isChoice && isRequest(one.request ?? ""));
	const rank = (one: Turn): number => countWords(saidIn(one)) * (asksOfUser(saidIn(one)) ? 0.01 : 1);
	const [fullest] = rest
		.slice(0, end < 0 ? undefined : end)
		.toSorted((one, other) => rank(other) - rank(one));
	return fullest && saidIn(fullest) !== "" ? fullest : undefined;
}

/**
 * Minimum number of words in a report. A shorter remark only announces what the agent does next, and a shorter reply only closes an earlier
 * report.
 */
export const REPORT_WORDS = 25;

/** Returns a turn's reply or, if the reply only asks a question or is missing, the report before it. */
function saidIn(turn: Turn | undefined): string {
	const { reply = "" } = turn ?? {};
	const remark = turn ? (remarksOf(turn).at(-1) ?? "") : "";
	const isReported = countWords(remark) >= REPORT_WORDS && (reply === "" || asksOfUser(reply));
	return isReported ? remark : reply;
}

/** Returns the nearest substantial request before the current one or, failing that, the previous request. */
function requestBefore(asking: readonly Turn[], head: Turn): Turn | undefined {
	const before = asking.slice(0, asking.indexOf(head)).filter((turn) => !turn.isCommand);
	return (
		before.findLast((turn) => requestWords(turn) >= CLEAR) ??
		before.slice(-1).find(({ request = "" }) => isRequest(request))
	);
}

/** Returns the first sentence of the goal that a summary names. */
function goalLine(text = ""): string {
	if (text === "") return "";
	const [goal = ""] = sentencesOf(plainLine(text));
	return lineThatFits(goal, COLUMNS.goal) ?? cutAtClause(goal.replace(/\s\([^()]*\)/g, ""), COLUMNS.goal);
}

/** What a session is about: the goal of its work or a larger request, or else its newest request. */
export interface Topic {
	text: string;
	source: "topic" | "request";
}

/**
 * Returns what a session is about: the goal that a summary names, the largest request, or the newest one that is clear on its own. A brief
 * reading contains only the newest requests and the opening ones.
 */
export function topicOf(timeline: Pick<Timeline, "turns">): Topic | undefined {
	const goal = goalLine(goalText(timeline));
	if (goal !== "") return { text: goal, source: "topic" };
	const asking = timeline.turns.filter((turn) => turn.request !== undefined || turn.expansion !== undefined);
	const newest = asking.at(-1);
	if (!newest) return undefined;
	const larger = largestRequest(timeline);
	const clear = asking.findLast(({ request = "", isChoice }) => !isChoice && isRequest(request));
	// After a slash command, short requests are mostly answers to the agent's questions, which only a full reading contains.
	const text = requestLine(larger ?? commandOf(asking) ?? clear ?? newest, COLUMNS.topic);
	return { text, source: larger && larger !== newest ? "topic" : "request" };
}

/** Returns the slash command with which a session began, if the agent worked after it and no request after it can be a topic. */
function commandOf([first, ...rest]: readonly Turn[]): Turn | undefined {
	// The number of steps that were left out may be unknown.
	const left = first?.leftOut;
	const isWork = (first?.steps.length ?? 0) > 0 || (left !== undefined && left.steps !== 0);
	const isOnly = first?.isCommand && isWork && rest.every((turn) => requestWords(turn) < AMPLE);
	return isOnly ? first : undefined;
}

/**
 * Returns a request as one line in the user's own words. `earlier`: the turns before it, from whose text the user may have quoted. `end`:
 * maximum number of additional columns for the last sentence, because people often explain first and then say what to do.
 */
export function requestLine(turn: Turn, columns: number, earlier: readonly Turn[] = [], end = 0): string {
	if (turn.request === undefined) return turn.expansion === undefined ? "" : plainLine(turn.expansion);
	const own = ownText(turn, earlier);
	const { question, choice } = answeredBy(turn, own, earlier.at(-1)?.reply ?? "");
	const answer = choice === "" ? own : `${own}: ${choice}`;
	const room = question === "" ? 0 : columns - displayWidth(answer) - ANSWERS.length;
	const line = room >= QUESTION_COLUMNS ? answer + ANSWERS + cutAtClause(question, room) : answer;
	const [atClause, clipped] = [cutAtClause(line, columns), clipColumns(line, columns)];
	// A clause that ends with a file name or a URL often only introduces the actual request.
	const cut = REFERENCE.test(atClause) && isBalanced(clipped) ? clipped : atClause;
	const isDocument = question !== "" || turn.request.length > DOCUMENT || /^#{1,6} /m.test(turn.request);
	const last = cut.endsWith("…") && !isDocument ? (sentencesOf(line).at(-1) ?? "") : "";
	const isQuotable = countWords(last) >= CLEAR && displayWidth(last) <= end && isBalanced(last);
	return isQuotable ? `${cut.replace(/ ?…$/, "")} … ${withoutFinalMark(last)}` : cut;
}

/** Matches a line that is cut after its first clause, which ends with a file name or a URL. */
const REFERENCE = /^[^,;，；]*(?:\/|\w\.)\w+ …$/;
/** A request that is longer than this, or that has headings, is treated as a document: its end usually contains only details. */
const DOCUMENT = 3_500;

/** Separates an earlier request from its outcome. */
export const ARROW = " → ";
/** Separates the user's answer from the agent's question. The user's own words are first, because a label says that they are the user's. */
const ANSWERS = " ← ";
/** Minimum width of a quoted question. */
const QUESTION_COLUMNS = 40;
/** Matches the `>` of a Markdown quotation, which agents also put before the choices that they offer. */
const QUOTED = /^[^\S\n]*> ?/gm;
/** Matches the number or letter of a choice if it is bold like the words after it: `**0. Fix all**`. */
const BOLD_MARK = /^\*\*(\w{1,2}[.)]) /gm;
/** Matches the choices in brackets in front of a question. */
const CHOICES = /^\((?:[^()]|\([^()]*\))*\)\s*/;

/**
 * Returns the question that a request answers, which is the last one in the reply, and the text of the choice if the request is only the
 * choice's number or letter. If there is no such question or choice, its text is empty.
 */
function answeredBy(
	{ request = "", isChoice }: Turn,
	own: string,
	reply: string,
): { question: string; choice: string } {
	// A choice of several lines answers several questions.
	const isOther = isChoice ? request.includes("\n") : isRequest(request);
	if (isOther) return { question: "", choice: "" };
	const question = plainLine(readReply(reply).questions.at(-1) ?? "").replace(CHOICES, "");
	const chosen = readBlocks(reply.replace(QUOTED, "").replace(BOLD_MARK, "$1 **")).findLast(
		({ mark, text }) => (mark || text).replace(/[.):]*(?:\s.*)?$/s, "") === own.toUpperCase(),
	);
	const choice = chosen?.mark ? chosen.text : (chosen?.text ?? "").replace(/^\w+[.):]*/, "");
	return { question, choice: plainLine(choice) };
}

/**
 * A cache of the user's own words in requests. Searching the log to find them takes most of a recap's time, and a recap quotes each request
 * several times.
 */
const known = new WeakMap<Turn, { after: Turn | undefined; text: string }>();

/** Returns the user's own words in a request, without text that the log contains, such as a pasted error message. */
function ownText(turn: Turn, earlier: readonly Turn[]): string {
	const { request = "", isChoice } = turn;
	// The log always contains the words of a choice, because they are part of the question, so they are not removed.
	if (isChoice) return plainLine(request.split("\n").filter(Boolean).join("; "));
	const after = earlier.at(-1);
	const before = known.get(turn);
	if (before && before.after === after) return before.text;
	const log = (): string[] =>
		earlier
			.slice(-LOG_TURNS)
			.flatMap((one) => [
				one.reply ?? "",
				...stepsOf(one).flatMap(({ output, edits }) => [output, ...edits.map(({ diff }) => diff)]),
			]);
	// An emoji on a line of its own leaves only the separator after it.
	const text = withShortPaths(plainLine(ownLine(request, log)).replace(/^[;:] /, ""));
	known.set(turn, { after, text });
	return text;
}

/** Whether one text is the beginning of the other, ignoring case and punctuation. */
function isSame(one: string, other: string): boolean {
	const [a, b] = [letters(one), letters(other)];
	return a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
}

/** The first line of a recap: the session's name, else the last substantial request in the user's words. */

import { quoteRequest } from "../session/own-words.ts";
import { displayWidth } from "../text/clip.ts";
import { sentencesOf } from "../text/markdown.ts";
import { withShortPaths } from "../text/paths.ts";
import { isQuestion, readReply } from "../text/reply.ts";
import { clause, plain, whole } from "../text/statement.ts";
import { substance } from "../text/substance.ts";
import { currentRequest, goalText, servedWork } from "../timeline/larger.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import type { Words } from "../words/words.ts";

/** Columns of a headline. */
export const HEADLINE_COLUMNS = 80;
const LARGER_COLUMNS = 130;
/** Characters of a request that is looked at for its headline. */
const REQUEST = 600;
/** Words that make a sentence worth standing for its request. */
const ENOUGH = 4;

export function chooseHeadline(timeline: Timeline, words: Words): string {
	if (timeline.name !== undefined) return clause(plain(timeline.name), HEADLINE_COLUMNS);
	const expanded = timeline.turns.findLast(({ expansion }) => expansion !== undefined);
	const turn = currentRequest(timeline) ?? expanded;
	if (!turn) return "";
	return (
		answerLine(turn, timeline.turns, words) ??
		requestLine(turn, HEADLINE_COLUMNS).replace(/[\s.。,;:、，]+$/u, "")
	);
}

/** Words up to which a request behind a question is its answer. */
const ANSWER = 8;
const LEAST_QUESTION = 24;

/** A short answer says what is wanted only with the question that it answers. */
function answerLine(turn: Turn, turns: readonly Turn[], { recap }: Words): string | undefined {
	const before = turns[turns.indexOf(turn) - 1];
	const question = readReply(before?.reply ?? "").questions.at(-1);
	const answer = whole(plain(quoteRequest(turn.request ?? "", REQUEST)), HEADLINE_COLUMNS / 2);
	if (question === undefined || answer === undefined) return undefined;
	if (substance(answer) > ANSWER || isQuestion(answer)) return undefined;
	const room = HEADLINE_COLUMNS - displayWidth(recap.answerTo(answer, ""));
	return room < LEAST_QUESTION ? undefined : recap.answerTo(answer, clause(plain(question), room));
}

/** A request in one line, with a capital in front: it stands alone. */
export function requestLine(turn: Turn, columns: number): string {
	return lineOf(turn, columns).replace(/^\p{Ll}(?=[\p{Ll}'’]*[\s,:])/u, (letter) => letter.toUpperCase());
}

/** Its first sentences that fit, the first cut at a clause where not even that does. */
function lineOf(turn: Turn, columns: number): string {
	if (turn.request === undefined) return turn.expansion === undefined ? "" : plain(turn.expansion);
	const words = withShortPaths(plain(quoteRequest(turn.request, REQUEST)));
	const full = whole(words, columns);
	if (full !== undefined) return full;
	const sentences = sentencesOf(words);
	const start = Math.max(
		0,
		sentences.findIndex((sentence) => substance(sentence) >= ENOUGH),
	);
	let line = "";
	for (const sentence of sentences.slice(start)) {
		const longer = whole(line === "" ? withoutInterjection(sentence) : `${line} ${sentence}`, columns);
		if (longer === undefined) break;
		line = longer;
	}
	if (line !== "") return line;
	return fitted(withoutInterjection(sentences[start] ?? words), columns);
}

/** What the user asked beyond the sentences that the headline tells; empty where that is nothing. */
export function restOfRequest({ request = "" }: Turn, headline: string, columns: number): string {
	const told = letters(headline);
	let line = "";
	for (const quoted of sentencesOf(withShortPaths(plain(quoteRequest(request, REQUEST))))) {
		// A row of a table, or what a rule or a sign stands in front of, was pasted.
		const sentence = quoted.replace(/^[-=–—>│|\s]+/u, "");
		if (/[│┃]/.test(sentence)) continue;
		const key = letters(withoutInterjection(sentence));
		if (substance(sentence) < ENOUGH || told.includes(key) || key.startsWith(told.slice(0, 24))) continue;
		// What begins with a short lower-case word goes on with what stands before it.
		if (line === "" && /^\p{Ll}{1,4}\s/u.test(sentence)) continue;
		const longer = whole(line === "" ? sentence : `${line} ${sentence}`, columns);
		if (longer === undefined) break;
		line = longer;
	}
	return line;
}

function letters(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Whole, or without what stands in brackets, or up to the end of a clause. */
function fitted(text: string, columns: number): string {
	const withoutAsides = text.replace(/\s+(?:\([^()]*\)|（[^（）]*）)/gu, "");
	return whole(text, columns) ?? whole(withoutAsides, columns) ?? clause(text, columns);
}

/** "ok, …" and "alright, …": a short word and a comma say nothing of the request. */
function withoutInterjection(sentence: string): string {
	const rest = sentence.replace(/^\p{L}{1,9}[,，]\s*/u, "");
	return substance(rest) >= ENOUGH ? rest : sentence;
}

/** What the current request is part of: a summary's goal, or an older request. Never the headline of something else. */
export function largerLine(timeline: Timeline, headline: string): string | undefined {
	const goal = goalText(timeline);
	const older = servedWork(timeline);
	const text = goal === undefined ? older && requestLine(older, LARGER_COLUMNS) : goalLine(goal);
	if (text === undefined || text === "" || isSame(text, headline)) return undefined;
	return displayWidth(text) > LARGER_COLUMNS ? clause(text, LARGER_COLUMNS) : text;
}

function goalLine(goal: string): string {
	return fitted(sentencesOf(plain(goal))[0] ?? "", LARGER_COLUMNS);
}

function isSame(one: string, other: string): boolean {
	const [a, b] = [letters(one), letters(other)];
	return a.startsWith(b) || b.startsWith(a);
}

/** Shortens a request, in the user's own words, for the lines of a recap. */

import { displayWidth } from "../text/clip.ts";
import { countWords } from "../text/count.ts";
import { cutAtClause, lineThatFits, plainLine, sentencesThatFit } from "../text/fit-line.ts";
import { sentencesOf } from "../text/markdown.ts";
import { withShortPaths } from "../text/paths.ts";
import { isCourtesy, isQuestion, readReply } from "../text/reply.ts";
import { hasRequest, stepsOf } from "../timeline/turn.ts";
import type { Turn } from "../timeline/types.ts";
import { isRequest, ownLine } from "../timeline/user-words.ts";
import type { Words } from "../words/en.ts";

/** Maximum number of characters of a request that are read. */
const REQUEST = 1_200;
/**
 * `ENOUGH` is the minimum number of words in a sentence that can represent its request. `AMPLE` is the minimum number of words in a
 * sentence that can do so without further context.
 */
const ENOUGH = 4;
const AMPLE = 5;
const SHORT = 3;
/** Matches a path, an identifier or an issue number. */
const NAME = /\w[._/]\w|[a-z][A-Z]|#\d/;

const LOG_TURNS = 8;

/** Returns the user's own words in a request, together with the pasted output line that they refer to. */
function ownText({ request = "" }: Turn, earlier: readonly Turn[]): { own: string; about: string } {
	const { own, about } = ownLine(request, () =>
		earlier.slice(-LOG_TURNS).flatMap((turn) => {
			const printed = stepsOf(turn).flatMap(({ output, edits }) => [
				output,
				...edits.map(({ diff }) => diff),
			]);
			return [turn.reply ?? "", ...printed];
		}),
	);
	return { own: oneLine(own), about: oneLine(about) };
}

function oneLine(text: string): string {
	return withShortPaths(plainLine(text.slice(0, REQUEST)));
}

/** Returns a request on one line. It starts with a capital letter, because it is shown on its own. */
export function requestLine(turn: Turn, columns: number, earlier: readonly Turn[] = []): string {
	if (turn.request === undefined) return turn.expansion === undefined ? "" : plainLine(turn.expansion);
	const { own, about } = ownText(turn, earlier);
	const line = capital(lineOf(own, columns));
	const room = columns - displayWidth(line) - 3;
	return about === "" || countWords(own) >= AMPLE || room < LEAST_QUESTION
		? line
		: `${line} — ${cutAtClause(about, room)}`;
}

function capital(line: string): string {
	return line.replace(/^\p{Ll}(?=[\p{Ll}'’]*[\s,:])/u, (letter) => letter.toUpperCase());
}

/** Returns as many sentences of a request as fit, beginning with the first informative one. */
function lineOf(words: string, columns: number): string {
	const sentences = sentencesOf(words).map(withoutInterjection);
	const least = (sentence: string): number => (NAME.test(sentence) ? ENOUGH : AMPLE);
	const ample = sentences.findIndex((sentence) => countWords(sentence) >= least(sentence));
	const some = sentences.findIndex((sentence) => countWords(sentence) >= ENOUGH);
	const start = Math.max(0, ample < 0 ? some : ample);
	// A short statement before the first informative sentence is kept if both fit, as in "No console logs! Return an error instead."
	const both = sentences.slice(Math.max(0, start - 1), start + 1);
	const isKept = countWords(both[0] ?? "") >= SHORT && lineThatFits(both.join(" "), columns) !== undefined;
	const informative = sentences.slice(isKept ? start + 1 - both.length : start);
	return lineThatFits(words, columns) ?? sentencesThatFit(informative, columns);
}

/**
 * `ANSWER` is the maximum number of words in a request that may be an answer. `BARE` is the maximum number of words in a request that is
 * unclear on its own.
 */
const ANSWER = 4;
const BARE = 3;
const LEAST_QUESTION = 24;

/** Returns a request on one line. A short request is followed by the text that it replies to. */
export function requestInContext(
	turn: Turn,
	turns: readonly Turn[],
	columns: number,
	{ recap }: Words,
): string {
	const earlier = turns.slice(0, turns.indexOf(turn));
	const answer = lineThatFits(ownText(turn, earlier).own, columns / 2) ?? "";
	const words = countWords(answer);
	const before = earlier.findLast(hasRequest);
	const { questions, offers, statements } = readReply(before?.end === "stop" ? (before.reply ?? "") : "");
	const statement =
		words > BARE || !isRequest(before?.request ?? "")
			? undefined
			: statements.findLast(({ text }) => countWords(text) >= AMPLE && !isCourtesy(text))?.text;
	const question = plainLine(questions.at(-1) ?? offers.at(-1) ?? statement ?? "");
	const room = columns - displayWidth(recap.replyingTo(answer, ""));
	const isAnswer = words > 0 && words <= ANSWER && !NAME.test(answer) && !isQuestion(answer);
	return isAnswer && question !== "" && room >= LEAST_QUESTION
		? recap.replyingTo(answer, cutAtClause(question, room))
		: requestLine(turn, columns, earlier);
}

/** Returns the part of the request that the headline does not quote; may be empty. */
export function restOfRequest(
	turn: Turn,
	earlier: readonly Turn[],
	headline: string,
	columns: number,
): string {
	const quoted = letters(headline);
	const isQuoted = (sentence: string): boolean => {
		const key = letters(withoutInterjection(sentence));
		return quoted.includes(key) || key.startsWith(quoted.slice(0, 24));
	};
	const rest = sentencesOf(ownText(turn, earlier).own).filter(
		(sentence) => countWords(sentence) >= AMPLE && !isQuoted(sentence),
	);
	return capital(sentencesThatFit(rest, columns));
}

/** Returns the number of words in the user's own text. */
export function requestLength(turn: Turn): number {
	return countWords(ownText(turn, []).own);
}

export function letters(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Removes a leading "ok, …" or "alright, …", which adds nothing to a request, unless the comma begins a list. */
export function withoutInterjection(sentence: string): string {
	const rest = sentence.replace(/^\p{L}{1,9}[,，](?!\s*\S+[,，])\s*/u, "");
	return countWords(rest) >= ENOUGH ? rest : sentence;
}

import { withCommandCase } from "../log/timeline/index.ts";
import {
	cleanLine,
	clipColumns,
	countWords,
	displayWidth,
	fitsLanguage,
	foldCase,
	type Language,
	REDACTED,
	safeText,
} from "../text/index.ts";
import { namesOccur, sharesWords } from "./check-claims.ts";

export const TITLE_WIDTH = 80;
/**
 * The maximum number of words in a title. Two Chinese, Japanese or Korean characters count as one
 * word.
 */
const MAX_WORDS = 12;
const MAX_DENSE_WORDS = 20;
const MAX_ANSWER_COLUMNS = 160;

const WRAPPED = /^(\*\*|__|```|[`"'*])(.+)\1$|^[\p{Ps}\p{Pi}](.+)[\p{Pe}\p{Pf}“]$/u;

/**
 * Matches a heading marker, a list marker or "Title:" before a title, but not a ticket such as "#12".
 */
const LEADING = /^(?:#{1,6}\s+|[-*•–—]\s+|\d{1,2}[.)]\s+|(?:session\s+)?title\s*[:：]\s*)/iu;
const TRAILING = /[\s.!?,;:…。．！？、，；：｡]+$/u;

export function tidyTitle(raw: string): string {
	let text = cleanLine(safeText(raw));
	for (let before = ""; before !== text; ) {
		before = text;
		text = unwrap(text).replace(LEADING, "").replace(TRAILING, "").trim();
	}
	return clipColumns(text, TITLE_WIDTH).trim();
}

function unwrap(text: string): string {
	const [, mark, marked, enclosed] = WRAPPED.exec(text) ?? [];
	if (mark !== undefined && marked !== undefined) return marked.includes(mark) ? text : marked.trim();
	return enclosed === undefined || /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u.test(enclosed) ? text : enclosed.trim();
}

interface Judged {
	prompts: readonly string[];
	language: Language | undefined;
	input?: string;
	examples?: readonly string[];
}

export type Judgement = { ok: true; title: string } | { ok: false; flaw: string };

export const NO_TITLE = "the answer contained none";

export function judgeTitle(raw: string, { prompts, language, input, examples = [] }: Judged): Judgement {
	const whole = cleanLine(raw);
	const title = tidyTitle(raw);
	if (!/\p{L}\p{M}*[\s\S]*[\p{L}\p{N}]/u.test(title) && !/\p{Script=Han}/u.test(title))
		return flawed(NO_TITLE);
	if (title.includes(REDACTED)) return flawed("the answer contained a secret");
	if (wordsOf(whole) > maxWords(whole) || displayWidth(whole) > MAX_ANSWER_COLUMNS)
		return flawed("the answer was too long");
	if (SENTENCES.test(whole) || MARKUP.test(whole)) return flawed("the answer was a text");
	if (prompts.some((prompt) => isCopy(title, prompt))) return flawed("the answer was a copy of your prompt");
	if ([...PLACEHOLDERS, ...examples].some((one) => plain(one) === plain(title)))
		return flawed("the answer was an example or a placeholder");
	if (language && !fitsLanguage(title, language)) return flawed("the answer was in another language");
	if (input !== undefined && !(namesOccur(title, input) && sharesWords(title, input)))
		return flawed("the answer named something that is not in the session");
	return { ok: true, title: withCommandCase(title, [...prompts, input].join("\n")) };
}

function flawed(flaw: string): Judgement {
	return { ok: false, flaw };
}

function wordsOf(text: string): number {
	return Math.max(text.split(/\s+/).length, countWords(text));
}

/**
 * Returns the maximum number of words in a title. Chinese, Japanese, Korean and Thai titles may have more
 * words, because their word count is only an estimate.
 */
function maxWords(text: string): number {
	const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
	return dense.test(text) ? MAX_DENSE_WORDS : MAX_WORDS;
}

/** Only a period before a capital letter ends a sentence, so `e.g.` and `v1.2` do not match. */
const SENTENCES = /(?:\p{L}{3}|[\p{M})])[.!?]["'”’)]?\s+\p{Lu}\p{Ll}*(?:\s|['’])|[。！？]\s*[\p{L}\p{N}]/u;
const MARKUP = /<\/?(?:session|title|think|thinking|tool_call|function)\b/i;

function plain(text: string): string {
	return foldCase(text)
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
		.trim();
}

/**
 * The maximum proportion of a prompt that a title may repeat. The proportion is limited, because lists
 * already show the prompt.
 */
const COPIED_SHARE = 0.85;
const SHORT_PROMPT = 5;

function isCopy(title: string, prompt: string): boolean {
	const words = plain(cleanLine(prompt.slice(0, 1_000)));
	if (wordsOf(words) <= SHORT_PROMPT) return false;
	const named = plain(title);
	if (words === "" || !words.startsWith(named)) return false;
	const isCut = /…$/.test(title) || wordsOf(named) >= MAX_WORDS;
	return isCut || named.length >= words.length * COPIED_SHARE;
}

const PLACEHOLDERS =
	"title,session title,session,new session,untitled,untitled session,unknown,none,n/a,no title".split(",");

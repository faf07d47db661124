import { isObject, jsonObjectsIn } from "../session-core/json.ts";
import { namesOccur } from "../session-core/model/check-claims.ts";
import { clipColumns, displayWidth } from "../session-core/text/clip.ts";
import { countWords } from "../session-core/text/count.ts";
import { fitsLanguage, type Language } from "../session-core/text/language.ts";
import { foldCase } from "../session-core/text/matching.ts";
import { REDACTED } from "../session-core/text/redact.ts";
import { safeText } from "../session-core/text/safe.ts";
import { cleanLine } from "../session-core/text/sanitize.ts";
import { withoutThoughts } from "../session-core/text/thoughts.ts";
import { withCommandCase } from "../session-core/timeline/command-text.ts";
import { BAD_EXAMPLES, GOOD_EXAMPLES } from "./prompt.ts";
import { titleOfPrompt } from "./topic.ts";

export const TITLE_WIDTH = 80;
/** Maximum number of words in a title. In CJK text, two characters count as a word. */
const MAX_WORDS = 12;
/** Maximum number of words in a title whose script has no spaces between words. */
const MAX_DENSE_WORDS = 20;
/** Maximum width of an answer in columns. A wider answer is not a title. */
const MAX_ANSWER_COLUMNS = 160;

/** Matches a pair of marks that encloses a whole title: Markdown, quotation marks or brackets of any script. */
const WRAPPED = /^(\*\*|__|```|[`"'*])(.+)\1$|^[\p{Ps}\p{Pi}](.+)[\p{Pe}\p{Pf}“]$/u;

/** Matches a heading marker, a list marker or "Title:" before the title. "#12" is a ticket number and is kept. */
const LEADING =
	/^(?:#{1,6}\s+|[-*•–—]\s+|\d{1,2}[.)]\s+|(?:session\s+)?title\s*[:：]\s*|(?:제목|标题|標題|タイトル|título|titre|titel)\s*[:：]\s*)/iu;
const TRAILING = /[\s.!?,;:…。．！？、，；：｡]+$/u;

/**
 * Returns a title in the form in which it is stored: one line, sanitized and redacted, without surrounding marks and final punctuation.
 */
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
	// "(a) and (b)" begins and ends with brackets that do not belong together.
	if (mark !== undefined && marked !== undefined) return marked.includes(mark) ? text : marked.trim();
	return enclosed === undefined || /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u.test(enclosed) ? text : enclosed.trim();
}

/** Maximum number of words, and of characters, in a kebab-case name. */
const KEBAB_WORDS = 6;
const KEBAB_CHARACTERS = 60;

/**
 * Converts a title to a kebab-case name that consists of letters and digits in any writing system. Returns undefined if the title contains
 * none.
 */
export function toKebab(title: string): string | undefined {
	const words = title
		.normalize("NFC")
		.replace(/(\p{Ll}\p{M}*)(\p{Lu})/gu, "$1 $2")
		.toLowerCase()
		.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
	if (!words) return undefined;
	let name = "";
	for (const word of words.slice(0, KEBAB_WORDS)) {
		const longer = name === "" ? word : `${name}-${word}`;
		if (longer.length > KEBAB_CHARACTERS && name !== "") break;
		name = longer;
	}
	return [...name].slice(0, KEBAB_CHARACTERS).join("");
}

/**
 * Number of characters that are searched at the end of a text answer. Only the end is searched, because models reason first and answer
 * last.
 */
const BOUND = 4_000;
/** Maximum number of objects and encoded texts around a title. */
const DEPTH = 4;
/** Matches the key of a title in the spellings of `session_title`. */
const KEY = /^(?:session)?[_-]?title$/i;
const TAGGED = /<title>([^<>]{1,400})<\/title>/gi;

/**
 * Returns the title in a model's answer: the tool's argument, a JSON object in the text, or `<title>…</title>`. The arguments may be encoded
 * once more, or be inside other objects. Free text is not accepted.
 */
export function extractTitle(toolArguments: unknown, text: string): string | undefined {
	const answer = withoutThoughts(text).slice(-BOUND);
	const written = [...jsonObjectsIn(answer).reverse(), parse(answer.trim())];
	const [found] = [toolArguments, ...written].flatMap((value) => titleIn(value, DEPTH) ?? []);
	const tagged = [...(found ?? answer).matchAll(TAGGED)].at(-1)?.[1];
	return tagged ?? found;
}

function titleIn(value: unknown, depth: number): string | undefined {
	if (depth === 0) return undefined;
	if (typeof value === "string")
		return /^\s*["{[]/.test(value) ? titleIn(parse(value), depth - 1) : undefined;
	if (!isObject(value) && !Array.isArray(value)) return undefined;
	const title = Object.entries(value).find(([key]) => KEY.test(key))?.[1];
	if (typeof title === "string") return titleIn(title, depth - 1) ?? title;
	for (const inner of Object.values(value)) {
		const found = titleIn(inner, depth - 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The text is prose.
		return undefined;
	}
}

/** The data that an answer is checked against. */
interface Judged {
	prompts: readonly string[];
	language: Language | undefined;
	/**
	 * The complete text that the model received. Names and figures in a title must occur in this text. If `input` is absent, names and
	 * figures are not checked.
	 */
	input?: string;
}

export type Judgement = { ok: true; title: string } | { ok: false; flaw: string };

/** What is wrong with an answer that contains no title. */
export const NO_TITLE = "the answer contained none";

/**
 * Returns the title in an answer, ready to be stored, or the reason why it cannot be used. The form of the title is checked first and its
 * wording last.
 */
export function judgeTitle(raw: string, { prompts, language, input }: Judged): Judgement {
	const whole = cleanLine(raw);
	const title = tidyTitle(raw);
	if (!/\p{L}\p{M}*[\s\S]*[\p{L}\p{N}]/u.test(title) && !/\p{Script=Han}/u.test(title))
		return flawed(NO_TITLE);
	if (title.includes(REDACTED)) return flawed("the answer contained a secret");
	if (wordsOf(whole) > maxWords(whole) || displayWidth(whole) > MAX_ANSWER_COLUMNS)
		return flawed("the answer was too long");
	if (SENTENCES.test(whole) || MARKUP.test(whole) || ABOUT_ITSELF.test(title))
		return flawed("the answer was a text");
	if (prompts.some((prompt) => isCopy(title, prompt))) return flawed("the answer was a copy of your prompt");
	if (EMPTY_TITLES.has(plain(title))) return flawed("the answer was an example or a placeholder");
	if (input !== undefined && !namesOccur(title, input))
		return flawed("the answer named something that is not in the session");
	if (language && !fitsLanguage(title, language)) return flawed("the answer was in another language");
	return { ok: true, title: withCommandCase(title, [...prompts, input].join("\n")) };
}

function flawed(flaw: string): Judgement {
	return { ok: false, flaw };
}

function wordsOf(text: string): number {
	return Math.max(text.split(/\s+/).length, countWords(text));
}

/**
 * In scripts without spaces between words, the number of words is estimated from the number of characters. Names in a title inflate this
 * estimate, so the limit is higher.
 */
function maxWords(text: string): number {
	const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
	return dense.test(text) ? MAX_DENSE_WORDS : MAX_WORDS;
}

/**
 * Matches the end of a sentence that is followed by another sentence. The pattern requires a capital letter, so that it does not match
 * abbreviations and version numbers.
 */
const SENTENCES = /(?:\p{L}{3}|[\p{M})])[.!?]["'”’)]?\s+\p{Lu}\p{Ll}*(?:\s|['’])|[。！？]\s*[\p{L}\p{N}]/u;
const MARKUP = /<\/?(?:session|title|think|thinking|tool_call|function)\b|set_session_title/i;

function plain(text: string): string {
	return foldCase(text)
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
		.trim();
}

/**
 * A title that repeats at least this fraction of a prompt counts as a copy. Such a title adds nothing, because lists of sessions show the
 * prompt anyway.
 */
const COPIED_SHARE = 0.85;

function isCopy(title: string, prompt: string): boolean {
	// Nothing names the session better than a prompt that is a title.
	if (titleOfPrompt(prompt) !== undefined) return false;
	const words = plain(cleanLine(prompt.slice(0, 1_000)));
	const named = plain(title);
	if (words === "" || !words.startsWith(named)) return false;
	const isCut = /…$/.test(title) || wordsOf(named) >= MAX_WORDS;
	return isCut || named.length >= words.length * COPIED_SHARE;
}

/** Answers that a model gives if it cannot think of a title: an example from the prompt, or a phrase that means "no title". */
const EMPTY_TITLES: ReadonlySet<string> = new Set(
	[
		...GOOD_EXAMPLES.title,
		...GOOD_EXAMPLES.kebab,
		...BAD_EXAMPLES,
		"title",
		"session title",
		"session",
		"new session",
		"untitled",
		"untitled session",
		"unknown",
		"none",
		"n/a",
		"no title",
	].map(plain),
);

/** Matches thoughts, refusals and answers to the user that are as short as a title. Longer ones are rejected as prose. */
const ABOUT_ITSELF = new RegExp(
	[
		"^(?:ok(?:ay)?|alright|hm+|well|sure|certainly|of course|got it|right|understood|first|now)[,!:.…]",
		"^here(?:['’]s| is| are)\\b|^let(?:['’]s| me)\\b|^(?:we|i)(?:['’](?:ll|d))? (?:need|should|must|have to|want|could|think|will|would)\\b",
		"^(?:the |this )?(?:user|developer)(?:['’]s)? (?:wants?|needs?|asks?|asked|is|has|says|said|requests?|requested|would|just|prompt|message)\\b",
		"\\b(?:thinking|thought) process\\b|^(?:thinking|reasoning) (?:about|through)\\b|^the (?:session )?title (?:should|is|could|would|for)\\b",
		"^(?:i['’]?m|i am) (?:so |very )?(?:sorry|afraid|unable|not able)\\b|^(?:sorry|apologies)\\b|^i (?:apologi[sz]e|can['’]?t|cannot|won['’]?t|don['’]?t|do not)\\b|^as an? (?:ai|language model|assistant)\\b",
		"^(?:unable|not able|cannot|can['’]?t)(?: to)? (?:determine|title|name|comply|assist|summari[sz]e|fulfill)\\b|^(?:insufficient|not enough|no) (?:information|context|conversation)\\b",
		"^(?:lo siento|no puedo|(?:je suis )?désolé|je ne peux|(?:es )?tut mir leid|ich kann nicht|desculpe|não posso|извините|простите|я не могу|抱歉|对不起|我无法|我不能|すみません|죄송)|申し訳",
	].join("|"),
	"iu",
);

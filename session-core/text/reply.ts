/**
 * This module recognizes questions by punctuation and layout. In contrast, a model that writes a recap
 * recognizes questions by meaning.
 */

import { tailUnits } from "./clip.ts";
import { isObject, objectsIn, textOf } from "./files/index.ts";
import { letters } from "./fold-case.mjs";
import { type Block, readBlocks } from "./markdown.ts";
import { joinText, sentencesOf } from "./words.ts";

/**
 * In addition to `?`, matches the question marks of the Greek, Arabic, Armenian, Ethiopic, Coptic, Vai and
 * Bamum scripts. A question mark may be followed by emphasis, emoji or answers in brackets, as in
 * `Continue? (y/n)`.
 */
const QUESTION =
	/(?:[?？؟\u037e\u1367\u2047\u2048\u2cfa\u2cfb\ua60f\ua6f7]|(?<=\p{Script=Greek});|\u055e[^\u055e]*)(?:\s*[([（][^()[\]（）]{1,160}[)\]）])?(?:[\s*_~]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d)*$/u;
const ENCLOSED = /^["“„«‹「『'‘([（][\s\S]*["”“»›」』'’)\]）]$/u;

export function isQuestion(sentence: string): boolean {
	const text = sentence.trim();
	if (!QUESTION.test(ENCLOSED.test(text) ? text.slice(1, -1) : text)) return false;
	return !isOpen(text, '"') && !isOpen(text, "“", "”") && !isOpen(text, "「", "」");
}

function isOpen(text: string, open: string, close?: string): boolean {
	const count = (mark: string) => text.split(mark).length - 1;
	return close === undefined ? count(open) % 2 === 1 : count(open) > count(close);
}

const MOST = 3;

export interface ReplyEnd {
	questions: readonly string[];
	unticked: readonly string[];
}

/** Caches the most recent result, because callers read the same reply more than once. */
let known: { reply: string; end: ReplyEnd } | undefined;

export function readReply(reply: string): ReplyEnd {
	if (known?.reply === reply) return known.end;
	const blocks = readBlocks(withoutQuotes(reply));
	const unticked = blocks.filter(({ open }) => open).map(({ text }) => text);
	known = { reply, end: { questions: closingQuestions(blocks), unticked } };
	return known.end;
}

/**
 * Searches only the last 6,000 characters of a reply for questions. The code fences before these characters
 * are counted, because an odd number of code fences means that these characters are inside a code block.
 */
export function asksOfUser(reply: string): boolean {
	const end = tailUnits(reply, 6_000);
	const fences = reply.slice(0, -end.length || undefined).match(/^[^\S\n]*(?:```|~~~)/gm) ?? [];
	return readReply(fences.length % 2 === 1 ? `\`\`\`\n${end}` : end).questions.length > 0;
}

function withoutQuotes(reply: string): string {
	return reply.replace(/^[^\S\n]*>.*\n?/gm, "");
}

/**
 * Returns the questions at the end of a reply, or directly above its last list, table or code block.
 */
function closingQuestions(blocks: readonly Block[]): string[] {
	const at = blocks.findLastIndex(({ kind }) => kind === "text" || kind === "heading");
	const lead = blocks[at];
	const below = blocks.slice(at + 1);
	const items = below.length > 0 ? below.filter(({ kind }) => kind === "item") : listAbove(blocks, at);
	if (items.length > 0 && items.every(({ text }) => isQuestion(text)))
		return items.map(({ text }) => text).slice(0, MOST);
	if (!lead || (lead.kind === "heading" && lead.depth > 0)) return [];
	const sentences = withTails(sentencesOf(lead.text));
	const from = sentences.findLastIndex((sentence) => !isQuestion(sentence)) + 1;
	const questions = sentences.slice(from).slice(-MOST);
	const last = questions.pop();
	return last === undefined ? [] : [...questions, joinedWith(last, below)];
}

function listAbove(blocks: readonly Block[], at: number): readonly Block[] {
	if (blocks[at]?.kind !== "text") return [];
	const above = blocks.slice(0, at);
	return above.slice(above.findLastIndex(({ kind }) => kind !== "item") + 1);
}

function withTails(sentences: readonly string[]): string[] {
	const whole: string[] = [];
	for (const sentence of sentences) {
		const before = whole.at(-1);
		if (before !== undefined && (!/[\p{L}\p{N}]/u.test(sentence) || ENCLOSED.test(sentence)))
			whole[whole.length - 1] = joinText([before, sentence]);
		else whole.push(sentence);
	}
	return whole;
}

function joinedWith(question: string, below: readonly Block[]): string {
	const choices = below.filter(({ kind, depth }) => kind === "row" || (kind === "item" && depth === 0));
	return choices.length === 0 ? question : `${question} ${choices.map(({ text }) => text).join("; ")}`;
}

/**
 * Keeps only the sentences of `words` that occur in the reply. If a list of choices directly follows
 * those sentences in the reply, the choices are appended. Punctuation is ignored in the comparison.
 */
export function quotedFrom(reply: string, words: string): string | undefined {
	const blocks = readBlocks(reply);
	const said = letters(`${reply}\n`) + letters(blocks.map(({ text }) => text).join("\n"));
	const occurs = (text: string) => letters(text) !== "" && said.includes(letters(text));
	const quoted = occurs(words) ? words : joinText(sentencesOf(words).filter(occurs));
	if (quoted === "") return undefined;
	const at = blocks.findIndex(({ kind, text }) => kind !== "item" && letters(text).endsWith(letters(quoted)));
	const end = blocks.findIndex(({ kind }, index) => index > at && kind !== "item");
	return at < 0 ? quoted : joinedWith(quoted, blocks.slice(at + 1, end < 0 ? undefined : end));
}

/**
 * Returns true if a reply contains the given words with all their symbols, so that `rm -rf /` is not
 * mistaken for `rm -rf ./build`. Case, markup, and punctuation around a word are ignored.
 */
export function isVerbatim(reply: string, words: string): boolean {
	const said = [reply, ...readBlocks(reply).map(({ text }) => text)].map(barelyWords).join("\n");
	return said.includes(barelyWords(words));
}

/**
 * Without the lookbehind, matching a long run of punctuation within a word would take quadratic time.
 */
const MARKS_AROUND = /^[`*_"'“„«‘([{]+|(?<![`*_"'”“»’)\]}.,:;!?…。，！？])[`*_"'”“»’)\]}.,:;!?…。，！？]+$/gu;

function barelyWords(text: string): string {
	const words = text.toLowerCase().split(/\s+/);
	return words.map((word) => word.replace(MARKS_AROUND, "")).join(" ");
}

/**
 * Returns the questions in a tool call's arguments, and puts the choices before each question: `(Yes / No)
 * Continue?`
 */
export function questionText(args: unknown): string {
	if (!isObject(args)) return "";
	const listed = objectsIn(args["questions"]);
	const lines = (listed.length > 0 ? listed : [args]).flatMap(({ question, prompt, options }) => {
		const labels = Array.isArray(options) ? options.map(labelOf).filter(Boolean) : [];
		const choices = labels.length === 0 ? "" : `(${labels.join(" / ")}) `;
		const text = textOf(question) || textOf(prompt);
		return text === "" ? [] : choices + text;
	});
	return lines.join("\n");
}

function labelOf(option: unknown): string {
	return isObject(option) ? textOf(option["label"]) || textOf(option["value"]) : textOf(option);
}

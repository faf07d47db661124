/**
 * This module recognizes questions only by punctuation and layout. A model that is asked for a recap
 * recognizes them by meaning.
 */

import { tailUnits } from "./clip.ts";
import { letters } from "./fold-case.mjs";
import { type Block, readBlocks } from "./markdown.ts";
import { joinText, sentencesOf } from "./sentences.ts";

/**
 * In addition to `?`, matches the question marks of the Greek, Arabic, Armenian, Ethiopic, Coptic, Vai
 * and Bamum scripts. Emphasis, emoji or answers in brackets may follow, as in `Continue? (y/n)`.
 */
const QUESTION =
	/(?:[?？؟\u037e\u1367\u2047\u2048\u2cfa\u2cfb\ua60f\ua6f7]|(?<=\p{Script=Greek});|\u055e[^\u055e]*)(?:\s*[([（][^()[\]（）]{1,160}[)\]）])?(?:[\s*_~]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d)*$/u;
const ENCLOSED = /^["“„«‹「『'‘([（][\s\S]*["”“»›」』'’)\]）]$/u;

/** A question mark inside quotation marks belongs to the quotation, not to the sentence. */
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

/**
 * The latest result is cached, because callers read the same reply for the session's state and for its
 * next step.
 */
let known: { reply: string; end: ReplyEnd } | undefined;

export function readReply(reply: string): ReplyEnd {
	if (known?.reply === reply) return known.end;
	const blocks = readBlocks(withoutQuotes(reply));
	const unticked = blocks.filter(({ open }) => open).map(({ text }) => text);
	known = { reply, end: { questions: closingQuestions(blocks), unticked } };
	return known.end;
}

/**
 * Reads only the last 6,000 characters. Code fences before that part are counted, because the part may
 * begin inside a code block.
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
 * A question above the last list, table or code block also counts, because that block contains its
 * choices.
 */
function closingQuestions(blocks: readonly Block[]): string[] {
	const at = blocks.findLastIndex(({ kind }) => kind === "text" || kind === "heading");
	const lead = blocks[at];
	const below = blocks.slice(at + 1);
	const items = below.length > 0 ? below.filter(({ kind }) => kind === "item") : listAbove(blocks, at);
	if (items.length > 0 && items.every(({ text }) => isQuestion(text)))
		return items.map(({ text }) => text).slice(0, MOST);
	// A bold line above a list may be a question, but a `#` heading only starts a section.
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

/**
 * An emoji or an answer in brackets after a question mark belongs to the question, as in `Continue?
 * (y/n)`.
 */
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
 * Returns the words only if they occur in the reply, and adds the choices in the list below them.
 * Punctuation is ignored. If only some of the sentences occur, returns those sentences.
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
 * Returns whether a reply contains the given words with all their symbols, so that `rm -rf /` is not
 * taken for `rm -rf ./build`. Case, markup, and punctuation around a word are ignored.
 */
export function isVerbatim(reply: string, words: string): boolean {
	const said = [reply, ...readBlocks(reply).map(({ text }) => text)].map(barelyWords).join("\n");
	return said.includes(barelyWords(words));
}

/** The lookbehind keeps the search linear: marks within a word are skipped as a whole. */
const MARKS_AROUND = /^[`*_"'“„«‘([{]+|(?<![`*_"'”“»’)\]}.,:;!?…。，！？])[`*_"'”“»’)\]}.,:;!?…。，！？]+$/gu;

function barelyWords(text: string): string {
	const words = text.toLowerCase().split(/\s+/);
	return words.map((word) => word.replace(MARKS_AROUND, "")).join(" ");
}

/** Finds the questions at the end of a reply by form alone. Recognizing them by words is left to the model of the note. */

import { tailUnits } from "./clip.ts";
import { letters } from "./fold-case.mjs";
import { type Block, readBlocks } from "./markdown.ts";
import { joinText, sentencesOf } from "./sentences.ts";

/**
 * Matches the end of a question in any script: Latin, full-width, Arabic, Greek, Ethiopic, Coptic, Vai and Bamum question marks, and the
 * Armenian one, which is placed inside the sentence. Emphasis, emoji and the possible answers in brackets may follow.
 */
const QUESTION =
	/(?:[?？؟\u037e\u1367\u2047\u2048\u2cfa\u2cfb\ua60f\ua6f7]|(?<=\p{Script=Greek});|\u055e[^\u055e]*)(?:\s*[([（][^()[\]（）]{1,60}[)\]）])?(?:[\s*_~]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d)*$/u;
const ENCLOSED = /^["“„«‹「『'‘([（][\s\S]*["”“»›」』'’)\]）]$/u;

/** Whether a sentence is a question. A question mark inside a quotation or brackets belongs to the quotation. */
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
	/** The questions in the last paragraph, each with its choices, or the questions in the last list. */
	questions: readonly string[];
	unticked: readonly string[];
}

/** The most recently read reply. It is cached because its questions decide both whether a session is waiting and what its next step is. */
let known: { reply: string; end: ReplyEnd } | undefined;

export function readReply(reply: string): ReplyEnd {
	if (known?.reply === reply) return known.end;
	const blocks = readBlocks(withoutQuotes(reply));
	const unticked = blocks.filter(({ open }) => open).map(({ text }) => text);
	known = { reply, end: { questions: closingQuestions(blocks), unticked } };
	return known.end;
}

/** Whether a reply ends with questions. Of the rest, only fences are read, which show whether the end begins inside code. */
export function asksOfUser(reply: string): boolean {
	const end = tailUnits(reply, 6_000);
	const fences = reply.slice(0, -end.length || undefined).match(/^[^\S\n]*(?:```|~~~)/gm) ?? [];
	return readReply(fences.length % 2 === 1 ? `\`\`\`\n${end}` : end).questions.length > 0;
}

function withoutQuotes(reply: string): string {
	return reply.replace(/^[^\S\n]*>.*\n?/gm, "");
}

/** Questions above the last list, table or code block count, too, because that block then contains the choices. */
function closingQuestions(blocks: readonly Block[]): string[] {
	const at = blocks.findLastIndex(({ kind }) => kind === "text" || kind === "heading");
	const lead = blocks[at];
	const below = blocks.slice(at + 1);
	const items = below.length > 0 ? below.filter(({ kind }) => kind === "item") : listAbove(blocks, at);
	if (items.length > 0 && items.every(({ text }) => isQuestion(text)))
		return items.map(({ text }) => text).slice(0, MOST);
	// A heading with `#` signs begins a section. A bold line above a list may be a question.
	if (!lead || (lead.kind === "heading" && lead.depth > 0)) return [];
	const sentences = withTails(sentencesOf(lead.text));
	const from = sentences.findLastIndex((sentence) => !isQuestion(sentence)) + 1;
	const questions = sentences.slice(from).slice(-MOST);
	const last = questions.pop();
	return last === undefined ? [] : [...questions, joinedWith(last, below)];
}

/** Returns the list directly above the last paragraph, if that paragraph is the only thing below it. */
function listAbove(blocks: readonly Block[], at: number): readonly Block[] {
	if (blocks[at]?.kind !== "text") return [];
	const above = blocks.slice(0, at);
	return above.slice(above.findLastIndex(({ kind }) => kind !== "item") + 1);
}

/** Joins a sentence with an emoji or with answers in brackets after its final mark, which are no sentences of their own. */
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
 * Returns the part of a reply that a model quoted, with the choices in the list below it, if there is one. Only letters and digits are
 * compared. If several sentences were quoted, those that occur in the reply are returned; undefined if none occurs.
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

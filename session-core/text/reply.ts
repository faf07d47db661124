/** Finds the statements, questions, offers and unticked items in a reply by pattern matching. */

import { tailUnits } from "./clip.ts";
import { countWords } from "./count.ts";
import { type Block, readBlocks, sentencesOf } from "./markdown.ts";

export interface Reply {
	/** The statements in order: sentences of paragraphs, list items, table rows. Questions, code and headings are left out. */
	statements: Statement[];
	/** The questions to the user at the end of the reply. */
	questions: string[];
	/** Offers in its last sentences. */
	offers: string[];
	/** Items with an unticked box. */
	unticked: string[];
}

export interface Statement {
	text: string;
	kind: "text" | "item" | "row";
	/** The heading above the statement's list, or the line that introduces the list with a colon; empty if there is none. */
	lead: string;
	/** The index of the paragraph, item or row that contains the statement. */
	block: number;
	/** The index of the block before the list that contains the statement. For a statement in a paragraph, the index of that paragraph. */
	list: number;
	/** Whether the sentence is the first of its paragraph. */
	isFirstOfBlock: boolean;
	/** Whether a heading follows the paragraph. */
	opens: boolean;
}

/** Matches the end of a question: a Latin, full-width, Arabic or Greek question mark, or the ending of a Japanese or Korean question. */
const ASKING_END =
	/(?:[?？؟]|(?<=\p{Script=Greek});|(?:ます|です|でしょう)か。?|(?:(?<!니)까요|나요|습니까|을래요|실래요)[.]?)["')\]」』”’)*]*$/u;
/** Matches the optional parameter at the end of a signature, which is not a question: `show(item, target?)`. */
const SIGNATURE = /\w\([^()]*\w\?\)$/;
/** Matches a sentence that ends with a quoted question. The question mark belongs to the quotation, not to the sentence. */
const QUOTED_MARK = /^[^"“「『«]+["“「『«][^"”」』»]*[?？][\s\u00a0]?["”」』»][\s.。]*$/;

/** Matches phrases that leave a decision to the user, in the languages that the suite supports. */
const OFFER =
	/\b(?:if you(?:'d)? (?:want|like|prefer|wish)|want me to|shall i|should i|let me know (?:if|which|whether|what)|just say|ready (?:to|for)\b)|(?:원하|필요하|없으)(?:시)?면|말(?:씀)?\s?(?:해|만|걸어)|如果你|如果您|需要我|要我|よろしければ|必要(?:なら|であれば)|教えてください|\bsi (?:quieres|prefieres|vous (?:voulez|souhaitez))\b|\bwenn du (?:willst|möchtest|magst)\b|\bse (?:você )?(?:quiser|preferir)\b|если хотите/i;

/** Matches a general offer of help, a courtesy that needs no answer. */
const COURTESY =
	/\b(?:anything else|(?:any|other|more|further) (?:questions?|help|assistance|clarification|changes|adjustments|details|information)|feel free|how it goes|what you think|(?:tell|let) me know if (?:it|this|that|these|you (?:have|need|run into|see|hit)))\b|其他问题|任何问题|他に(?:も)?(?:何か|ご)|(?:더|다른) (?:궁금|필요|질문)|(?:뭔가|뭘 더|뭐 더) .{0,24}(?:싶|있)으면|뭐 ?하(?:실|고)|언제든|(?:뭘|무엇을) 도와|weitere (?:fragen|hilfe)|d['’]autres questions|otra (?:pregunta|cosa)|outras? (?:perguntas?|dúvidas?)|ещё вопрос/i;

/** Matches a question that is only a greeting and leaves no decision to the user. */
const GREETING =
	/\b(?:what|how) (?:can|may) i (?:help|assist|do for you)\b|(?:뭘|무엇을) 도와|有什么(?:可以|能)帮|何かお手伝い|\bwie kann ich (?:dir|ihnen) helfen\b/i;

/** Whether a sentence is a general offer of help, which needs no answer. */
export function isCourtesy(sentence: string): boolean {
	return COURTESY.test(sentence);
}

/** Whether a sentence offers to do something. */
export function isOffer(sentence: string): boolean {
	return OFFER.test(sentence) && !isCourtesy(sentence) && !/[:：]$/.test(sentence);
}

export function isQuestion(sentence: string): boolean {
	return ASKING_END.test(sentence) && !SIGNATURE.test(sentence) && !QUOTED_MARK.test(sentence);
}

function asksUser(sentence: string): boolean {
	return isQuestion(sentence) && !GREETING.test(sentence);
}

export function readReply(text: string): Reply {
	const blocks = readBlocks(text);
	const questions = closingQuestions(blocks);
	const offers = closingOffers(blocks);
	const statements: Statement[] = [];
	const beforeCode: Statement[] = [];
	let lead = "";
	let list = 0;
	/** The list around a nested one. */
	let outer: { lead: string; list: number; depth: number } | undefined;
	for (const [number, block] of blocks.entries()) {
		const [next, afterNext] = [blocks[number + 1]?.kind, blocks[number + 2]?.kind];
		const isItem = isListed(block.kind);
		const sentences = block.kind === "text" ? sentencesOf(block.text) : [block.text];
		if (!isItem) list = number;
		if (outer && block.depth <= outer.depth) {
			({ lead, list } = outer);
			outer = undefined;
		}
		if (block.kind !== "code" && block.kind !== "heading" && !block.open) {
			sentences.forEach((sentence, index) => {
				if (questions.includes(sentence) || offers.includes(sentence)) return;
				const isFirst = index === 0;
				const isLead = /[:：]$/.test(sentence) && index === sentences.length - 1;
				// A lead-in is quoted together with the list, paragraph or line of code that follows it.
				if (isLead && (isItem || isBareLead(sentence) || isListed(next) || next === "text")) return;
				const isLine = isLead && next === "code" && afterNext !== "code";
				(isLead && next === "code" && !isLine ? beforeCode : statements).push({
					text: isLine ? `${sentence} ${blocks[number + 1]?.text}` : sentence,
					kind: isListed(block.kind) ? block.kind : "text",
					lead: isItem || (isFirst && blocks[number - 1]?.kind === "text") ? lead : "",
					block: number,
					list,
					isFirstOfBlock: isFirst,
					opens: next === "heading",
				});
			});
		}
		const isCommand = block.kind === "heading" && next === "code" && afterNext !== "code";
		if (isCommand) {
			const text = `${block.text}: ${blocks[number + 1]?.text}`;
			statements.push({
				text,
				kind: "text",
				lead: "",
				block: number,
				list,
				isFirstOfBlock: true,
				opens: false,
			});
		}
		if (!isItem) lead = leadOf(block);
		else if (!isListed(next)) lead = "";
		else if (/[:：]$/.test(block.text) && (blocks[number + 1]?.depth ?? 0) > block.depth) {
			outer ??= { lead, list, depth: block.depth };
			[lead, list] = [leadOf(block), number];
		}
	}
	return {
		statements: statements.length > 0 ? statements : beforeCode,
		questions,
		offers,
		unticked: blocks.filter(({ open }) => open).map(({ text: item }) => item),
	};
}

function isListed(kind: Block["kind"] | undefined): kind is "item" | "row" {
	return kind === "item" || kind === "row";
}

function leadOf({ kind, text }: Block): string {
	const last = sentencesOf(text).at(-1) ?? "";
	return kind === "heading" || /[:：]$/.test(last) ? last.replace(/\s*[:：]$/, "") : "";
}

/** Minimum number of words for a lead-in to count as a complete clause. Shorter lead-ins, such as "We now have:", do not count. */
const LEAST_LEAD = 5;
const OPEN_END =
	/(?:^|\s)(?:a|an|the|of|to|in|on|at|by|for|with|from|and|or|but|that|is|are|was|were|be|as|into|have|has|now)\s*[:：]$/i;

function isBareLead(sentence: string): boolean {
	return /[:：]$/.test(sentence) && (countWords(sentence) < LEAST_LEAD || OPEN_END.test(sentence));
}

/** Returns whether the end of a reply contains questions or offers that leave a decision to the user. The rest of the reply is not read. */
export function openDecisions(reply: string): { asks: boolean; offers: boolean } {
	const blocks = readBlocks(tailUnits(reply, 6_000));
	return { asks: closingQuestions(blocks).length > 0, offers: closingOffers(blocks).length > 0 };
}

/** Returns the offers in the last paragraph. */
function closingOffers(blocks: readonly Block[]): string[] {
	const last = blocks.findLast(({ kind }) => kind !== "code");
	if (last?.kind !== "text") return [];
	return sentencesOf(last.text)
		.filter((sentence) => isOffer(sentence) && !isQuestion(sentence))
		.slice(-1);
}

/** Number of blocks at the end of a reply in which a question counts as addressed to the user. A list counts as one block. */
const CLOSING_BLOCKS = 3;

/**
 * Returns the questions in the last paragraphs. A question is included only if at most one sentence that is not a question follows it in
 * its paragraph.
 */
function closingQuestions(blocks: readonly Block[]): string[] {
	const prose = blocks.filter(({ kind }) => kind === "text" || kind === "item" || kind === "heading");
	let start = prose.length;
	for (let left = CLOSING_BLOCKS; start > 0; start--) {
		const isSameList = prose[start - 1]?.kind === "item" && prose[start]?.kind === "item";
		if (!isSameList && left-- === 0) break;
	}
	return listsWithQuestions(prose.slice(start))
		.flatMap(({ kind, text }) => closingQuestionsIn(kind === "text" ? sentencesOf(text) : [text]))
		.slice(-3);
}

/** Leaves out lists of which fewer than half of the items are questions, because such questions are rhetorical. */
function listsWithQuestions(blocks: readonly Block[]): Block[] {
	const kept: Block[] = [];
	for (let start = 0; start < blocks.length; ) {
		const isItem = blocks[start]?.kind === "item";
		let end = start + 1;
		while (isItem && blocks[end]?.kind === "item") end++;
		const group = blocks.slice(start, end);
		if (!isItem || group.filter(({ text }) => isQuestion(text)).length * 2 >= group.length)
			kept.push(...group);
		start = end;
	}
	return kept;
}

/** Returns the questions to the user at the end of a paragraph. A question that more than one statement follows counts as answered. */
function closingQuestionsIn(sentences: readonly string[]): string[] {
	const questions: string[] = [];
	let statements = 0;
	for (const sentence of sentences.toReversed()) {
		if (!isQuestion(sentence) && ++statements > 1) break;
		if (asksUser(sentence)) questions.unshift(sentence);
		if (questions.length === 3) break;
	}
	return questions;
}

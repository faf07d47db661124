import { type Block, readBlocks, sentencesOf } from "../digest/prose.ts";
import { isNextHeading, isNextStep } from "../digest/statements.ts";
import { displayWidth } from "../text/clip.ts";
import { isNarration, isTalk } from "./narration.ts";
import { plain } from "./wording.ts";

/** One thing that a reply says, ready to be judged. */
export interface Thought {
	text: string;
	/** Where it stands in the reply, from 0. */
	position: number;
	/** Its reader knows it as an item of a list. */
	isItem: boolean;
	/** It stands in the reply's conclusion. */
	concludes: boolean;
}

/** Columns below which neighbours of one list share a line. */
const SHORT_ITEM = 46;
const SHORT_SENTENCE = 24;
const LINE = 100;

/** Splits a reply into thoughts: sentences of paragraphs, list items, table rows; short neighbours share a thought. */
export function thoughtsOf(reply: string): Thought[] {
	const thoughts: Thought[] = [];
	const blocks = readBlocks(reply);
	blocks.forEach((block, position) => {
		const from = thoughts.length;
		readBlock(block, position);
		for (const thought of thoughts.slice(from)) thought.concludes = block.concludes;
	});
	function readBlock(block: Block, position: number): void {
		if (block.kind === "code" || isNextHeading(block.section)) return;
		// Many a heading sums up what stands below it; the rest are told from those by what they say.
		if (block.kind === "heading") {
			if (!isPointer(block.text)) push(thoughts, block.text, position, false);
			return;
		}
		if (block.kind === "text") addSentences(thoughts, block, position);
		else if (isPointer(block.text)) addPointer(thoughts, blocks, position);
		else addItem(thoughts, blocks, position);
	}
	return thoughts
		.filter(({ text }) => !isNextStep(text) && !/[?？]$/.test(text) && !NAMED_HASH.test(text))
		.filter(({ text }) => !SOURCES.test(text));
}

/** Where something was read says nothing of it. */
const SOURCES = /^(?:sources?|references?|출처|来源|出典|fuentes?|quellen?)\s*[:：]/i;

/** "Commit: 1a2b3c4", "File: src/a.ts", a bare command: shown elsewhere. */
const NAMED_HASH =
	/^(?:\p{L}{2,12}:? (?:[0-9a-f]{7,40}|\S*[\w~]\/\S+)|branch:? \S+|#\d+: \S+|cd \S+ && .*)$/iu;

function addSentences(thoughts: Thought[], block: Block, position: number): void {
	if (isPointer(block.text)) return;
	const head = headOf(block, plain(block.text));
	if (head !== undefined) {
		push(thoughts, `${plain(head)}: ${plain(block.text)}`, position, false);
		return;
	}
	let short = "";
	for (const sentence of sentencesOf(block.text)) {
		// A bridge to the list below is no part of what was said before it.
		if (short !== "" && /[:：]$/.test(sentence) && displayWidth(sentence) < SHORT_SENTENCE * 1.5) break;
		const words = plain(short === "" ? sentence : `${short} ${sentence}`);
		short = displayWidth(words) < SHORT_SENTENCE && !isNarration(words) ? words : "";
		if (short === "") push(thoughts, words, position, false);
	}
	push(thoughts, short, position, false);
}

/** A path in a list under a lead ("Fixed the type in:") belongs to that lead. */
function addPointer(thoughts: Thought[], blocks: readonly Block[], position: number): void {
	const lead = thoughts.at(-1);
	const block = blocks[position];
	if (!lead || !block || block.depth > 0 || !/[:：]/.test(lead.text)) return;
	const above = blocks[position - 1];
	const isFirst = above?.kind === "text" && /[:：]$/.test(lead.text);
	if (!isFirst && !(above?.kind === "item" && isPointer(above.text))) return;
	const joined = `${lead.text}${isFirst ? " " : ", "}${plain(block.text)}`;
	if (displayWidth(joined) <= LINE) lead.text = joined;
}

function addItem(thoughts: Thought[], blocks: readonly Block[], position: number): void {
	const block = blocks[position];
	const text = plain(block?.text ?? "");
	if (!block || NAMED_HASH.test(text)) return;
	const above = blocks[position - 1];
	const last = thoughts.at(-1);
	const isNeighbour = last?.isItem && above?.kind === block.kind && above.depth === block.depth;
	if (last && isNeighbour && displayWidth(text) < SHORT_ITEM && !/[:：]$/.test(text)) {
		const joined = `${last.text} · ${text}`;
		if (displayWidth(joined) <= LINE && displayWidth(last.text) < LINE - SHORT_ITEM / 2) {
			last.text = joined;
			return;
		}
	}
	if (REVERSES.test(block.section)) {
		// What stands under "Not supported" says the opposite without it.
		const whole = `${block.section}: ${text}`;
		if (displayWidth(whole) <= LINE) push(thoughts, whole, position, true);
		return;
	}
	const lead = parentOf(blocks, position)?.text ?? leadOf(blocks, position) ?? headOf(block, text);
	const named = lead === undefined ? "" : under(plain(lead).replace(/[:：]$/, ""), text);
	push(thoughts, named !== "" && displayWidth(named) <= LINE ? named : text, position, true);
}

/** Headings over what is not so, not done or not wanted. */
const REVERSES =
	/^(?:not|no|never|un(?:supported|done|finished|tested|changed)|broken|fail(?:ed|ing|ures?)|missing|before|rejected|out of scope|(?:known )?(?:issues?|limitations?|problems?)|won't|without)\b|\bnot\b|^(?:не|нет|осталось|проблем)|未|没|不支持|问题|^미|남은|문제|한계|^(?:noch|offen|nicht|fehl|problem)|^(?:falta|sin |o que falta|não)|^(?:reste|manque|pas )|残|やっていない|問題/i;

/** The heading above nothing but names: it says what of them. */
function headOf({ section }: Block, text: string): string | undefined {
	return section !== "" && isBareNames(text) ? section : undefined;
}

/** An item behind its name; one that has a name of its own goes into brackets. */
function under(name: string, text: string): string {
	if (!/^[^:：]{1,24}[:：]\s/.test(text)) return `${name}: ${text}`;
	// "Added" stands before a name as it would in a sentence.
	if (/^\p{L}+$/u.test(name)) return `${name} ${text}`;
	return text.includes("(") ? `${name}: ${text}` : `${name} (${text})`;
}

/** Nothing but names, calls and paths: which they are, and not what of them. */
export function isBareNames(text: string): boolean {
	if (/[:：]\s/.test(text)) return false;
	const names = text.match(NAME)?.length ?? 0;
	return names >= 2 && !/[\p{L}\p{N}]{2}/u.test(text.replace(NAME, ""));
}

const NAME = /[\w.$#]+\([^()]*\)|[\w@~-]*[./][\w./@-]*\w|\b[a-z]+(?:[A-Z]\w*)+|\b\w+_\w+/g;

/** The item just above that an item stands under, where it is short enough to be its name. */
function parentOf(blocks: readonly Block[], position: number): Block | undefined {
	const block = blocks[position];
	const above = blocks[position - 1];
	if (!block || above?.kind !== "item" || above.depth >= block.depth) return undefined;
	return isPointer(above.text) || displayWidth(above.text) <= SHORT_ITEM ? above : undefined;
}

/** The sentence with a colon that a list's first item stands under: without it, the item says half. */
function leadOf(blocks: readonly Block[], position: number): string | undefined {
	const above = blocks[position - 1];
	if (above?.kind !== "text" || !/[:：]$/.test(above.text)) return undefined;
	const lead = sentencesOf(above.text).at(-1);
	return lead === undefined || isTalk(lead) || displayWidth(lead) > LINE / 2 ? undefined : lead;
}

/** Nothing but a path, an address or a hash: shown among the artifacts. */
function isPointer(text: string): boolean {
	return /^\S+$/.test(text) && /[/.]\w|^[0-9a-f]{7,40}$/.test(text);
}

function push(thoughts: Thought[], text: string, position: number, isItem: boolean): void {
	const words = withoutLead(
		plain(text)
			.replace(OPENER, "")
			.replace(/^(?:[→➜⇒>]|https?:\/\/\S+)\s*/u, ""),
	);
	// What is left of "address (branch)" once the address is gone says nothing.
	if (words !== "" && !/^\([^()]*\)$/.test(words))
		thoughts.push({ text: words, position, isItem, concludes: false });
}

/** A statement that ends in a colon is one without the clause that only leads to the list below. */
function withoutLead(text: string): string {
	if (!/[:：]$/.test(text)) return text;
	const clause = text.search(/\s+[—–-]\s+[^—–-]*[:：]$|,\s+[^,]*[:：]$/);
	return clause > text.length * 0.4 ? text.slice(0, clause) : text;
}

/** What opens a report and says nothing of it. */
const OPENER =
	/^(?:(?:done|perfect|excellent|great|good|ok(?:ay)?|all set|fixed|updated|listo|完了|完成|완료)\s*[.!:：。—–-]+\s+|\d{1,2}[.)]\s+)+(?=\S)/i;

/**
 * Quotes whole sentences and lists from a reply, starting at the end of the reply, until the available
 * width is used up.
 */

import {
	type Block,
	cleanLine,
	countWords,
	cutAtClause,
	displayWidth,
	isQuestion,
	joinText,
	letters,
	plainLine,
	readBlocks,
	readReply,
	safeText,
	sentencesOf,
	withShortPaths,
} from "../text/index.ts";

const SENTENCE_COLUMNS = 200;
const ITEM_COLUMNS = { least: 40, most: 125 };
/**
 * The maximum width, in columns, of each quotation from a reply until every paragraph of the reply has
 * been quoted.
 */
const OPENING_COLUMNS = 160;
const SEPARATOR_COLUMNS = 3;
const ENOUGH = 3;

interface Passage {
	lead: string;
	parts: string[];
	isList: boolean;
	isCode?: true;
}

export function replyLines(reply: string, columns: number, isOpen = true): string[] {
	const { questions, unticked } = readReply(reply);
	const open = isOpen ? [...questions, ...unticked].map(letters) : [];
	const isShown = (text: string) => open.some((one) => one.includes(letters(text)));
	const blocks = readBlocks(reply);
	const passages = passagesOf(blocks)
		.map((passage) => ({
			...passage,
			parts: passage.parts.filter((text) => !isShown(text) && (isOpen || !isQuestion(text))),
		}))
		.filter(({ parts }) => parts.length > 0);
	const asking = [...passages.keys()].filter((index) => passages[index]?.parts.some(isQuestion));
	const words = [...passages.keys()].filter((index) => !passages[index]?.isCode);
	const inner = [...passages.keys()].slice((words[0] ?? 0) + 1, words.at(-1));
	const before = inner.findLast((index) => !passages[index]?.isList || passages[index].isCode) ?? [];
	const main = isDocument(reply) ? words.slice(0, 3) : words.slice(-1);
	const key = [main, asking, passages.length > 0 ? 0 : [], before].flat();
	const order = new Set([...key, ...words, ...passages.keys()]);
	const lines: string[] = [];
	let left = columns;
	const quote = (index: number, most: number): void => {
		const known = lines[index];
		const room = left + (known === undefined ? 0 : displayWidth(known) + SEPARATOR_COLUMNS);
		const line = lineOf(passages[index], Math.min(room, most));
		if (line === "") return;
		lines[index] = line;
		left = room - displayWidth(line) - SEPARATOR_COLUMNS;
	};
	for (const index of order)
		quote(index, key.includes(index) || passages[index]?.isList ? columns : OPENING_COLUMNS);
	for (const index of order) if (lines[index]?.endsWith("…")) quote(index, columns);
	const quoted = lines.filter(Boolean);
	if (quoted.length > 0 || open.length > 0) return quoted;
	const first = passages[0]?.parts[0] ?? plainLine(reply);
	return first === "" ? [] : [cutAtClause(first, columns)];
}

export function isDocument(reply: string): boolean {
	return /^\s*(?:<\w+>\s*)?# \S/.test(reply);
}

/**
 * The minimum number of words in an informative sentence. A shorter sentence, such as "Everything looks
 * correct.", usually only introduces the actual result.
 */
const TELLING = 5;

export function openingLine(reply: string, columns: number): string {
	const blocks = readBlocks(reply);
	const at = blocks.findIndex(({ kind, depth }) => kind === "heading" && depth === 1);
	const title = cutAtClause(plainLine(blocks[at]?.text ?? ""), columns);
	const room = columns - (title === "" ? 0 : displayWidth(title) + 2);
	const sections = blocks.filter(({ kind, depth }) => kind === "heading" && depth === 2);
	const report = { lead: "", parts: sections.map(({ text }) => plainLine(text)), isList: true };
	const found = passagesOf(blocks.slice(at + 1).filter(({ kind }) => kind !== "row"));
	const passages = found.map((passage, index) => {
		const isChoices = passage.isList && isQuestion(found[index - 1]?.parts.at(-1) ?? "");
		return { ...passage, parts: isChoices ? [] : passage.parts.filter((text) => !isQuestion(text)) };
	});
	const all = [...(at >= 0 && sections.length > 1 ? [report] : []), ...passages];
	const telling = (some: readonly Passage[], most: number) =>
		some.map((passage) => lineOf(passage, most)).find((line) => countWords(line) >= TELLING);
	const first = telling(all, room) ?? "";
	const separator = /[.!?…:。！？：]$/.test(first) ? " " : ": ";
	const left = room - displayWidth(first) - separator.length;
	const next = all.slice(all.findIndex((passage) => lineOf(passage, room) === first) + 1);
	const second = first !== "" && left >= room / 2 ? (telling(next, left) ?? "") : "";
	return [title, [first, second].filter(Boolean).join(separator)].filter(Boolean).join(": ");
}

function passagesOf(blocks: readonly Block[]): Passage[] {
	const passages: Passage[] = [];
	let lead = "";
	let list: Passage | undefined;
	for (const [index, { kind, text, mark, depth }] of blocks.entries()) {
		if (kind === "code") {
			if (lead !== "" && blocks[index - 1]?.kind !== "code")
				passages.push(...codePassage(lead, blocks, index));
			lead = "";
			continue;
		}
		const line = plainLine(text);
		if (kind === "item" || kind === "row") {
			if (!list) {
				list = { lead, parts: [], isList: true };
				passages.push(list);
			}
			if (depth === 0) list.parts.push(`${mark.replace(")", ".")} ${line}`.trim());
			continue;
		}
		list = undefined;
		const sentences = kind === "heading" ? [line] : sentencesOf(line);
		const isLead = kind === "heading" || /[:：]$/.test(sentences.at(-1) ?? "");
		const isStatement = kind === "heading" && blocks[index + 1]?.kind === "heading";
		const parts = (isLead && !isStatement ? sentences.slice(0, -1) : sentences).filter(
			(sentence, at) =>
				countWords(sentence) >= ENOUGH || (index === 0 && at === 0 && /[.。]$/.test(sentence)),
		);
		if (parts.length > 0) passages.push({ lead: "", parts, isList: false });
		lead = isLead ? (sentences.at(-1) ?? "").replace(/\s*[:：]$/, "") : "";
	}
	return passages;
}

const CODE_LINES = 3;

function codePassage(lead: string, blocks: readonly Block[], from: number): Passage[] {
	const end = blocks.findIndex(({ kind }, index) => index > from && kind !== "code");
	const lines = blocks.slice(from, end < 0 ? undefined : end).map(({ text }) => cleanLine(safeText(text)));
	if (lines.length <= CODE_LINES) return [{ lead, parts: lines, isList: true, isCode: true }];
	return countWords(lead) < TELLING ? [] : [{ lead: "", parts: [lead], isList: false }];
}

function lineOf(passage: Passage | undefined, columns: number): string {
	if (!passage || passage.parts.length === 0) return "";
	const { lead, parts, isList, isCode } = passage;
	const isLed = lead !== "" && (isCode || displayWidth(lead) <= columns / 2);
	const start = isLed ? `${lead}: ` : "";
	const share = Math.floor((columns - displayWidth(start)) / parts.length) - SEPARATOR_COLUMNS;
	const most = isList ? Math.min(ITEM_COLUMNS.most, Math.max(ITEM_COLUMNS.least, share)) : SENTENCE_COLUMNS;
	const join = (some: readonly string[]) => start + (isList ? some.join("; ") : joinText(some));
	let line = "";
	const chosen: string[] = [];
	for (const part of parts) {
		const short = cutAtClause(displayWidth(part) > most ? withShortPaths(part) : part, most);
		const longer = join([...chosen, short]);
		const isTooShort = chosen.length < (isList && parts.length > 2 ? 2 : 1);
		if (displayWidth(longer) > columns - 2) return isTooShort ? "" : `${line.replace(/ …$/, "")} …`;
		chosen.push(short);
		line = longer;
	}
	return line;
}

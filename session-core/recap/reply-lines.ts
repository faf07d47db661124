/** Quotes a reply in whole sentences: how it begins and ends, and its lists. */

import { displayWidth } from "../text/clip.ts";
import { countWords } from "../text/count.ts";
import { cutAtClause, lineThatFits, plainLine } from "../text/fit-line.ts";
import { type Block, readBlocks } from "../text/markdown.ts";
import { letters } from "../text/matching.ts";
import { isCourtesy, isQuestion, readReply } from "../text/reply.ts";
import { joinText, sentencesOf } from "../text/sentences.ts";
import { nextSteps } from "./open.ts";

/** Maximum width of a sentence in columns. A wider one is cut. */
const LINE_COLUMNS = 200;
/** Minimum and maximum width of an item. It is cut so that a list is quoted as a whole rather than its first items. */
const ITEM_COLUMNS = { least: 40, most: 125 };
/** Minimum width of one of several choices. All of them are quoted, even if only their names fit. */
const CHOICE_COLUMNS = 16;
const SEPARATOR_COLUMNS = 3;
/** Minimum number of words in a statement. Anything shorter is an interjection ("Done!", "Perfect!"). */
const ENOUGH = 3;
/** Maximum number of words of a paragraph that only leads to a list or to sections. */
const PREFACE_WORDS = 13;
/** Number of lists and paragraphs under a heading after which all others there are equally important. */
const DEEP = 5;
/** How much higher a list with numbers, to which the text around it may refer, ranks than another one. */
const NUMBERED = 0.5;
/** Matches a list of web pages, with which Claude Code ends a reply after a search. */
const SOURCES = /^(?:sources?|references?|出典|参考|参考文献|来源|参考资料)\s*[:：]/iu;
/** Minimum number of words in a lead-in that is a statement of its own. */
const TELLING = 8;
/** Number of quoted statements. */
const MOST = 12;
/** Maximum number of lines of code that count as items of the line that introduces them. */
const SHORT_CODE = 3;

/** A sentence of a paragraph, a list item or a table row. */
interface Statement {
	text: string;
	/** The number or letter of an item; empty if there is none. */
	mark: string;
	/** Depth of an item, from 0; undefined for a sentence. */
	depth?: number;
	/** The heading above the statement's list, or the line that introduces the list with a colon; empty if there is none. */
	lead: string;
	/** The heading directly above a sentence; empty if there is none. */
	heading: string;
	/** The number of the list or paragraph that contains the statement. */
	group: number;
	/** The number of lists and paragraphs between it and the heading above it. */
	below: number;
	/** Whether it is an item or the first sentence of a paragraph. */
	isWhole: boolean;
	/** Whether its paragraph only leads to a list or to sections ("Now I have all the data."). */
	isPreface: boolean;
}

interface Line extends Statement {
	index: number;
	/** The sentence before it in the same paragraph, without which it means little. */
	before: Line | undefined;
}

/**
 * Returns as many statements of the reply as fit, in their original order: one line for each paragraph, and one for each list with its
 * lead-in. Courtesies are left out, and so is what the user must answer and the next steps if they have
 * lines of their own (`isOpen`).
 */
export function replyLines(reply: string, columns: number, isOpen = true): string[] {
	const { questions, requests, offers, unticked } = readReply(reply);
	const points = [...questions, ...requests, ...offers, ...unticked, ...nextSteps(reply)];
	const open = isOpen ? points.map(letters) : [];
	const blocks = readBlocks(reply);
	const statements = statementsOf(blocks).filter(
		({ text, lead }) =>
			!isCourtesy(text) &&
			!SOURCES.test(lead === "" ? text : `${lead}:`) &&
			!open.some((one) => letters(text).endsWith(one) || (lead !== "" && one.startsWith(letters(lead)))),
	);
	const sizes = sizesOf(statements);
	const choices = questions.length > 0 ? choicesIn(statements) : undefined;
	const opening = statements.find(({ depth, text }) => depth === undefined && countWords(text) >= ENOUGH);
	const roomFor = ({ group, lead, mark }: Statement): number => {
		const size = sizes.get(group) ?? 1;
		if (group !== choices) return Math.max(columns / size, ITEM_COLUMNS.least);
		// The line above the choices and the beginning of the reply take their part.
		const beside = Math.min(displayWidth(lead + (opening?.text ?? "")) + 2 * SEPARATOR_COLUMNS, columns / 2);
		return Math.max((columns - beside) / size - mark.length - SEPARATOR_COLUMNS, CHOICE_COLUMNS);
	};
	const lines: Line[] = [];
	for (const [index, statement] of statements.entries()) {
		const text = lineOf(statement, roomFor(statement));
		// The only statement of a reply is its answer, even if it is a single word, and a choice may be one.
		const isKept = statements.length === 1 || statement.group === choices;
		if (text === undefined || !(isKept || isInformative(text, statement))) continue;
		const last = lines.at(-1);
		const isNext = last?.depth === undefined && last?.group === statement.group;
		lines.push({ ...statement, text, index, before: isNext ? last : undefined });
	}
	const rank = rankIn(lines, questions.length > 0, choices);
	const chosen = new Set<Line>();
	let left = columns;
	for (const line of lines.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)) {
		const quoted = [...chosen];
		const isLed = quoted.some((other) => isSameList(other, line));
		const width = displayWidth(line.text) + SEPARATOR_COLUMNS + (isLed ? 0 : displayWidth(leadIn(line)));
		// Without the items above it, an item of a list would give a false picture of the list.
		const isAbove = (other: Line): boolean => isSameList(other, line) && other.index < line.index;
		if (lines.some((other) => (other === line.before || isAbove(other)) && !chosen.has(other))) continue;
		if (chosen.size === MOST || width > left || quoted.some(({ text }) => text === line.text)) continue;
		chosen.add(line);
		left -= width;
	}
	// The headings of paragraphs are quoted if there is room left.
	for (const line of chosen) {
		const width = displayWidth(leadIn({ lead: line.heading }));
		if (line.lead !== "" || width > left) continue;
		line.lead = line.heading;
		left -= width;
	}
	if (chosen.size > 0 || columns <= 40) return paragraphs([...chosen], lines);
	// Not even one whole sentence fits. The first sentence is therefore cut at the end of a clause.
	// A reply that consists of code has only the line that introduces the code.
	const intro = blocks.find(({ text }) => /[:：]$/.test(text));
	const start = statements.find(({ text }) => countWords(text) >= ENOUGH) ?? statements[0] ?? intro;
	return start ? [cutAtClause(plainLine(start.text), Math.min(columns, LINE_COLUMNS))] : [];
}

/** Returns the statements in order. Questions, code and headings are left out, except for numbered headings, which are a list. */
function statementsOf(blocks: readonly Block[]): Statement[] {
	const statements: Statement[] = [];
	let below = -1;
	const add = (statement: Omit<Statement, "below" | "heading">, heading = ""): void => {
		if (statement.group !== statements.at(-1)?.group) below++;
		statements.push({ ...statement, below, heading });
	};
	const sections = sectionsIn(blocks);
	let completed: Statement | undefined;
	let lead = "";
	let list = { group: -1, lead: "", mark: "" };
	for (const [number, block] of blocks.entries()) {
		const { kind, text, mark, depth } = block;
		const above = blocks[number - 1]?.kind;
		const next = blocks[number + 1]?.kind;
		if (kind === "item" || kind === "row") {
			// A numbered list continues below a paragraph or code.
			const isNext = mark !== "" && Number.parseInt(mark, 10) === Number.parseInt(list.mark, 10) + 1;
			const isBelow = list.group >= 0 && (depth > 0 || above === kind);
			list = isNext || isBelow ? { ...list, mark: mark || list.mark } : { group: number, lead, mark };
			const item = { text: text.replace(/[:：]$/, ""), mark, depth, isWhole: true, isPreface: false };
			add({ ...item, lead: list.lead, group: list.group });
			continue;
		}
		const code = introducedCode(blocks, number);
		const item = above === "item" ? statements.at(-1) : undefined;
		// The code completes the item that introduces it.
		if (item && code.length > 0) item.text += `: ${code.join("; ")}`;
		else
			for (const text of code)
				add({ text, mark: "", depth: 0, lead, group: number, isWhole: true, isPreface: false });
		if (code.length > 0) completed = statements.at(-1);
		// A sentence goes on behind the code, or says nothing without it.
		if (kind === "text" && above === "code" && /^\p{Ll}/u.test(text)) {
			if (completed) completed.text += ` ${text}`;
			continue;
		}
		if (kind !== "code") completed = undefined;
		if (block === sections[0]) {
			const place = { depth: 0, lead, group: number, isWhole: true, isPreface: false };
			for (const { text, mark } of sections) add({ text, mark, ...place });
		}
		if (kind === "text" && !sections.includes(block)) {
			const isPreface = (next === "heading" || /[:：]$/.test(text)) && countWords(text) < PREFACE_WORDS;
			for (const [index, sentence] of sentencesOf(text).entries()) {
				// A line that introduces a list, a quotation or code says nothing without it. It leads the list or the quotation below it.
				if (/[:：]$/.test(sentence)) continue;
				const isLed = index === 0 && above === "text";
				const place = { lead: isLed ? lead : "", group: number, isWhole: index === 0 };
				// The heading of the whole reply is a statement of its own.
				const isTitled = index === 0 && above === "heading" && number > 1;
				add({ text: sentence, mark: "", ...place, isPreface }, isTitled ? lead : "");
			}
		}
		// The heading of the whole reply summarizes it.
		if (number === 0 && kind === "heading" && countWords(text) > ENOUGH)
			add({ text, mark: "", lead: "", group: number, isWhole: true, isPreface: false });
		// What explains one of several numbered sections is less than what comes first under another heading.
		if (kind === "heading") below = sections.includes(block) ? 0 : -1;
		// A heading also leads the list below its first paragraph.
		const isBetween = kind === "text" && above === "heading" && next === "item";
		lead = leadOf(block) || (isBetween ? lead : "");
	}
	const outlines = sizesOf(statements.filter(({ depth }) => depth === 0));
	return statements.filter(({ depth, group }) => !depth || (outlines.get(group) ?? 0) < 2);
}

/** Returns the lines of a short code block that begins at an index, if a line that ends with a colon introduces it. */
function introducedCode(blocks: readonly Block[], at: number): string[] {
	const intro = blocks[at - 1];
	const end = blocks.findIndex(({ kind }, index) => index >= at && kind !== "code");
	const code = blocks
		.slice(at, end < 0 ? undefined : end)
		.map(({ text }) => text)
		.filter((line) => /[\p{L}\p{N}]/u.test(line));
	const isIntroduced =
		intro?.kind === "heading" || (intro?.kind !== "code" && /[:：]$/.test(intro?.text ?? ""));
	return isIntroduced && code.length <= SHORT_CODE ? code : [];
}

/** Matches the beginning of one of several choices or sections: "Option A (simple): …", "Layer 2 — …". */
const SECTION = /^(\p{L}{2,12}) (?:[A-H]|\d{1,2})(?=\s*[.:)(（：—–-])/u;

/** Returns the numbered headings. Without any, returns the last blocks that begin with the same word and a number or a letter. */
function sectionsIn(blocks: readonly Block[]): Block[] {
	const numbered = blocks.filter(({ kind, mark }) => kind === "heading" && mark !== "");
	if (numbered.length > 1) return numbered;
	const wordOf = ({ kind, text }: Block) => (kind === "item" ? undefined : SECTION.exec(text)?.[1]);
	const last = blocks.findLast((block) => wordOf(block) !== undefined);
	const named = blocks.filter((block) => last && wordOf(block) === wordOf(last));
	return named.length > 1 ? named : [];
}

/** Returns the group of the choices before a question: the last list with letters, or else the last sections, or the last list with numbers. */
function choicesIn(statements: readonly Statement[]): number | undefined {
	const choice =
		statements.findLast(({ text, mark }) => /^[A-H][.)]/.test(mark || text)) ??
		statements.findLast(({ text }) => SECTION.test(text)) ??
		statements.findLast(({ mark }) => mark !== "");
	return choice?.group;
}

/** Returns the number of statements in each group. */
function sizesOf(statements: readonly Statement[]): Map<number, number> {
	const sizes = new Map<number, number>();
	for (const { group } of statements) sizes.set(group, (sizes.get(group) ?? 0) + 1);
	return sizes;
}

function leadOf({ kind, text }: Block): string {
	const last = sentencesOf(text).at(-1) ?? "";
	return kind === "heading" || /[:：]$/.test(last) ? last.replace(/\s*[:：]$/, "") : "";
}

function lineOf({ mark, depth, text }: Statement, room: number): string | undefined {
	const line = plainLine(text);
	if (depth === undefined)
		return displayWidth(line) > LINE_COLUMNS
			? cutAtClause(line, LINE_COLUMNS)
			: lineThatFits(line, LINE_COLUMNS);
	return `${mark.replace(")", ".")} ${cutAtClause(line, Math.min(room, ITEM_COLUMNS.most))}`.trim();
}

/** Returns the lead-in of the list that contains a line; empty if the lead-in has no content. */
function leadIn({ lead }: Pick<Line, "lead">): string {
	const text = lineThatFits(plainLine(lead), LINE_COLUMNS)?.replace(/[.。]$/u, "") ?? "";
	if (text === "") return "";
	return /[?？!！]$/u.test(text) ? `${text} ` : `${text}: `;
}

function isSameList(one: Line, other: Line): boolean {
	return one.depth !== undefined && one.group === other.group;
}

/** Joins sentences of the same paragraph into one line, and items of the same list into one line after the list's lead-in. */
function paragraphs(chosen: readonly Line[], all: readonly Line[]): string[] {
	const quoted: string[] = [];
	let before: Line | undefined;
	// The items of a list stay together, even if there are paragraphs between them.
	const first = ({ group, index }: Line): number =>
		Math.min(index, ...chosen.filter((other) => other.group === group).map(({ index: one }) => one));
	for (const line of chosen.toSorted((a, b) => first(a) - first(b) || a.index - b.index)) {
		const { text, group } = line;
		if (before && isSameList(before, line)) quoted.push(`${quoted.pop()?.replace(/[.。]$/u, "")}; ${text}`);
		else quoted.push(before?.group === group ? joinText([quoted.pop() ?? "", text]) : leadIn(line) + text);
		const isLast = chosen.every((other) => other.index <= line.index || !isSameList(other, line));
		const isQuoted = (other: Line): boolean => chosen.some((one) => one.text === other.text);
		const isPart = all.some((other) => isSameList(other, line) && !isQuoted(other));
		if (isLast && isPart) quoted.push(`${quoted.pop()} …`);
		before = line;
	}
	return quoted;
}

/** Matches text that makes a list item concrete: a figure, an identifier, a symbol such as ✓, a path, or an arrow that shows a change. */
const CONCRETE = /\d|[✓✗✅❌→⚠]|\w[._/]\w|[a-z][A-Z]|[\w)]\(\)/;

/**
 * Returns the rank of a statement. The last paragraph, which usually concludes the reply, ranks highest, followed by the first one. If the
 * reply ends with a question, its beginning ranks highest, followed by the choices. Of the rest, what comes first under each heading, lists
 * with numbers, and a list at the end rank highest. A remark that only leads to the report ranks lowest.
 */
function rankIn(lines: readonly Line[], isAsking: boolean, choices?: number): (line: Line) => number {
	const isRemark = ({ text, isPreface }: Line) => isPreface && !CONCRETE.test(text);
	const last = lines.at(-1);
	const first = lines.find((line) => line.depth === undefined && !isRemark(line));
	return (line) => {
		if (isRemark(line)) return 6;
		const isItem = line.depth !== undefined;
		const isEnd = line.group === last?.group;
		if (isEnd && !isItem) return isAsking ? 3 : 0;
		// The sentence that leads the first list is the beginning of the reply.
		if (line === first || (line === lines[0] && countWords(line.lead) >= TELLING)) return 1;
		if (line.group === choices) return 1.5;
		if (!isAsking && !isItem && line.group === first?.group) return 2;
		if (isEnd && !isAsking) return 3.6;
		return 4 + Math.min(line.below, DEEP) / DEEP - (line.mark === "" ? 0 : NUMBERED);
	};
}

/** Whether a line is informative: it contains words besides a path, and is not a fragment. */
function isInformative(text: string, { mark, depth, lead, isWhole }: Statement): boolean {
	if (mark !== "" || (lead !== "" && /\p{L}/u.test(text))) return true;
	// A line that consists only of a path, with or without a label, is already shown as an artifact.
	if (
		/^(?:[\p{L} ]{1,24}[:：]\s*)?(?![$€£]?\d)\S*[/.]\S*$/u.test(text) ||
		/^(?:[!-~]+|(?:https?:|[.~/])\S*.*)$/.test(text)
	)
		return false;
	// Tags are markup rather than words, and a text that is entirely in parentheses is secondary.
	if (isQuestion(text) || /^\(.*\)$/.test(text) || /<\/?[a-z][\w-]*>/.test(text)) return false;
	const words = countWords(text);
	if (depth !== undefined) return CONCRETE.test(text) || words > ENOUGH + 1;
	return words >= ENOUGH && (isWhole || /[.!?。！？…)"'”」]$/u.test(text));
}

import { tailUnits } from "./clip.ts";
import { cleanLine } from "./sanitize.ts";
import { joinText } from "./sentences.ts";

/** A block of a reply's Markdown as the reader sees it, without markup. */
export interface Block {
	kind: "heading" | "text" | "item" | "row" | "code";
	text: string;
	/** Depth of a list item, from 0, or the level of a heading, from 1; 0 for a bold line that serves as a heading. */
	depth: number;
	/** The number or letter of an item or a heading, such as `2.`; empty if there is none. */
	mark: string;
	open: boolean;
}

/** Matches a horizontal rule, including one that is drawn with lines and may have a label: `★ Insight ─────`. */
const RULE = /^(?:(?:[-*_=]\s*){3,}|.{0,40}[─━═]{5,}.{0,40})$/;
const BOUND = 16_000;
const ITEM = /^(\s*)([-*+•]|\d{1,2}[.)]|[①-⑳])\s+(.*)$/;
/** Matches a heading, with the number or letter before its words. */
const HEADING_MARK = /^((?:\d{1,2}|[A-H]|[①-⑳])[.):](?=\s))?\s*(.*)$/;
/** Reads the blocks in the last 16,000 characters of a Markdown text. Never throws on malformed Markdown. */
export function readBlocks(markdown: string): Block[] {
	const blocks: Block[] = [];
	let fence = "";
	let paragraph: string[] = [];
	let item: { lines: string[]; depth: number; mark: string; open: boolean } | undefined;
	const add = (kind: Block["kind"], text: string, { depth = 0, mark = "", open = false } = {}): void => {
		if (text.trim() !== "") blocks.push({ kind, text: text.trim(), depth, mark, open });
	};
	const flush = (): void => {
		if (item) {
			add("item", stripMarks(joinText(item.lines)), item);
			item = undefined;
		}
		add("text", stripMarks(joinText(paragraph)));
		paragraph = [];
	};
	let header: Block | undefined;
	let table = 0;
	let boldHeading: Block | undefined;
	// A bold line with nothing below it is a statement, not a heading.
	const settle = (): void => {
		if (boldHeading !== undefined && boldHeading === blocks.at(-1)) boldHeading.kind = "text";
		boldHeading = undefined;
	};
	for (const line of tailUnits(markdown, BOUND).split("\n")) {
		const fenceMark = line.match(/^\s*(```+|~~~+)/)?.[1];
		if (fenceMark !== undefined && (fence === "" || fenceMark.startsWith(fence))) {
			flush();
			fence = fence === "" ? fenceMark : "";
			continue;
		}
		if (fence !== "") {
			add("code", line);
			continue;
		}
		const trimmed = line.trim();
		if (trimmed === "" || RULE.test(trimmed)) {
			flush();
			continue;
		}
		const bold = boldLine(trimmed);
		const heading = trimmed.match(/^#{1,6}\s+(.*)$/)?.[1] ?? bold;
		if (heading !== undefined) {
			flush();
			settle();
			const [, mark = "", text = ""] = HEADING_MARK.exec(stripMarks(heading)) ?? [];
			const depth = bold === undefined ? trimmed.search(/[^#]/) : 0;
			add("heading", text.replace(/[:：]$/, ""), { mark, depth });
			if (bold !== undefined) boldHeading = blocks.at(-1);
			continue;
		}
		if (trimmed.startsWith("|")) {
			flush();
			const cells = readCells(trimmed);
			if (cells.every((cell) => /^:?-+:?$/.test(cell))) {
				header = blocks.at(-1)?.kind === "row" ? blocks.pop() : undefined;
				table = blocks.length;
				continue;
			}
			add("row", rowText(cells));
			// A two-column table with an empty cell represents two lists, such as what is done and what is left. Only its header names
			// these lists.
			if (header && cells.length === 2 && cells.includes("")) {
				blocks.splice(table, 0, header);
				header = undefined;
			}
			continue;
		}
		const [, indent, bullet = "", words = ""] = ITEM.exec(line) ?? [];
		if (indent !== undefined) {
			flush();
			const box = words.match(/^\[([ xX])\]\s+(.*)$/);
			const mark = /[-*+•]/.test(bullet) ? "" : bullet;
			item = {
				lines: [box?.[2] ?? words],
				depth: Math.floor(indent.length / 2),
				mark,
				open: box?.[1] === " ",
			};
			continue;
		}
		// An indented line continues the list item above it.
		if (item && /^\s/.test(line)) {
			item.lines.push(trimmed);
			continue;
		}
		if (item) flush();
		paragraph.push(trimmed.replace(/^>\s?/, ""));
	}
	flush();
	settle();
	return blocks;
}

function boldLine(line: string): string | undefined {
	return line.match(/^\*\*([^*]{2,80})\*\*[:：]?$/)?.[1];
}

function readCells(line: string): string[] {
	return line
		.replace(/^\||\|$/g, "")
		.split("|")
		.map((cell) => cell.trim());
}

/**
 * Returns a table row as "first cell | other cells". A leading number is left out, because it only numbers the row. A cell that consists of
 * a symbol is kept, because it may show a status.
 */
function rowText(cells: string[]): string {
	const marked = cells.map((cell) => cell.replace(/✅|✔️?/gu, "✓ ").replace(/❌|✖️?/gu, "✗ "));
	const words = marked.map((cell) => stripMarks(cell) || cell);
	const named = /^\d{1,3}$/.test(words[0] ?? "") ? words.slice(1) : words;
	return named.slice(0, named.findLastIndex((cell) => cell !== "") + 1).join(" | ");
}

/** Returns text without emphasis, code marks, leading emoji and check marks; a link is replaced with its text. */
export function stripMarks(text: string): string {
	return text
		.replace(
			/!?\[([^\][]{0,400})\]\(([^)([\]\s]{0,400}(?:\([^)([\]\s]{0,100}\))?[^)([\]\s]{0,100})(?:\s[^)([\]]{0,200})?\)/g,
			(_, label: string, target: string) => label || target,
		)
		.split(/(`+[^`]*`+)/)
		.map((part) => (part.startsWith("`") ? part.replace(/^`+|`+$/g, "") : withoutEmphasis(part)))
		.join("")
		.replace(/(?<!\/)\*\*(?!\/)|`/g, "")
		.replace(/^(?:(?:\p{Extended_Pictographic}|\uFE0F|\u200D|✔|✘)\s*)+/u, "")
		.replace(/\s+/g, " ")
		.trim();
}

/** Removes emphasis and inline HTML. Underscores count only around whole words, so `__init__` is kept. */
function withoutEmphasis(text: string): string {
	return text
		.replace(/<(u|b|i|s|em|strong|sub|sup|kbd|mark|small|ins|del)>([^<>]{1,400})<\/\1>/g, "$2")
		.replace(/<br ?\/?>/g, " ")
		.replace(/~~(?=\S)([^~\n]*?\S)~~/g, "$1")
		.replace(/\*\*(?=\S)([^*]*?\S)\*\*/g, "$1")
		.replace(/(^|[\s(])(?:\*(?=\S)([^*\n]*?\S)\*|_(?=[^\s_])([^_\n]*?[^\s_])_)(?=[\s).,;:!?]|$)/g, "$1$2$3");
}

/** Returns one line for a Markdown document, in which headings, quotations, links and HTML are plain text. */
export function inert(text: string): string {
	return cleanLine(text)
		.replace(/[<\\]/g, "\\$&")
		.replace(/\](?=[([:])/g, "\\]")
		.replace(/^(?=[#>+*|=-]|~~~|\d+[.)])/, "\\");
}

/** Returns text as a Markdown code span whose delimiter is longer than any run of backticks in the text (CommonMark 6.1). */
export function codeSpan(text: string): string {
	const line = cleanLine(text);
	const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
	const fence = "`".repeat(longest + 1);
	const room = longest > 0 ? " " : "";
	return `${fence}${room}${line}${room}${fence}`;
}

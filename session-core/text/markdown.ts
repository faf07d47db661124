import { tailUnits } from "./clip.ts";
import { cleanLine } from "./sanitize.ts";
import { joinText } from "./words.ts";

export interface Block {
	kind: "heading" | "text" | "item" | "row" | "code";
	text: string;
	/**
	 * The nesting depth of a list item (from 0) or the level of a heading (from 1). A bold line that
	 * serves as a heading has depth 0.
	 */
	depth: number;
	mark: string;
	open: boolean;
}

const RULE = /^(?:(?:[-*_=]\s*){3,}|.{0,40}[─━═]{5,}.{0,40})$/;
const BOUND = 16_000;
const ITEM = /^(\s*)([-*+•]|\d{1,2}[.)]|[①-⑳])\s+(.*)$/;
const HEADING_MARK = /^((?:\d{1,2}|[A-H]|[①-⑳])[.):](?=\s))?\s*(.*)$/;
/** Parses the last 16,000 characters of a Markdown document. Never throws. */
export function readBlocks(markdown: string): Block[] {
	const reader = new BlockReader();
	for (const line of tailUnits(markdown, BOUND).split("\n")) reader.add(line, line.trim());
	return reader.end();
}

const PRE = "<pre";

class BlockReader {
	readonly #blocks: Block[] = [];
	#fence = "";
	#current:
		| { kind: "text" | "item"; lines: string[]; depth?: number; mark?: string; open?: boolean }
		| undefined;
	#header: Block | undefined;
	#tableStart = 0;
	#boldHeading: Block | undefined;

	add(line: string, trimmed: string): void {
		const isPreEnd = this.#fence === PRE && line.includes("</pre>");
		const fence = isPreEnd ? PRE : /^\s*(```+|~~~+|<pre\b(?!.*<\/pre>))/.exec(line)?.[1];
		if (fence !== undefined && (this.#fence === "" || fence.startsWith(this.#fence))) {
			this.#flush();
			this.#fence = this.#fence === "" ? fence : "";
		} else if (this.#fence !== "" || this.#isIndentedCode(line)) this.#push("code", line);
		else if (trimmed === "" || RULE.test(trimmed)) this.#flush();
		else if (!this.#addHeading(trimmed) && !this.#addRow(trimmed)) this.#addText(line, trimmed);
	}

	#isIndentedCode(line: string): boolean {
		return /^(?: {4}|\t)/.test(line) && !this.#current && this.#blocks.at(-1)?.kind !== "item";
	}

	end(): Block[] {
		this.#flush();
		this.#settle();
		return this.#blocks;
	}

	#push(kind: Block["kind"], text: string, { depth = 0, mark = "", open = false } = {}): void {
		if (text.trim() !== "") this.#blocks.push({ kind, text: text.trim(), depth, mark, open });
	}

	#flush(): void {
		const current = this.#current;
		if (current) this.#push(current.kind, stripMarks(joinText(current.lines)), current);
		this.#current = undefined;
	}

	/** A bold line counts as a heading only if text follows it. */
	#settle(): void {
		if (this.#boldHeading && this.#boldHeading === this.#blocks.at(-1)) this.#boldHeading.kind = "text";
		this.#boldHeading = undefined;
	}

	#addHeading(line: string): boolean {
		const bold = /^\*\*([^*]{2,80})\*\*[:：]?$/.exec(line)?.[1];
		const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1] ?? bold;
		if (heading === undefined) return false;
		this.#flush();
		this.#settle();
		const [, mark = "", text = ""] = HEADING_MARK.exec(stripMarks(heading)) ?? [];
		const depth = bold === undefined ? line.search(/[^#]/) : 0;
		this.#push("heading", text.replace(/[:：]$/, ""), { mark, depth });
		if (bold !== undefined) this.#boldHeading = this.#blocks.at(-1);
		return true;
	}

	#addRow(line: string): boolean {
		if (!line.startsWith("|")) return false;
		this.#flush();
		const cells = readCells(line);
		if (cells.every((cell) => /^:?-+:?$/.test(cell))) {
			this.#header = this.#blocks.at(-1)?.kind === "row" ? this.#blocks.pop() : undefined;
			this.#tableStart = this.#blocks.length;
			return true;
		}
		this.#push("row", rowText(cells));
		if (this.#header && cells.length === 2 && cells.includes("")) {
			this.#blocks.splice(this.#tableStart, 0, this.#header);
			this.#header = undefined;
		}
		return true;
	}

	#addText(line: string, trimmed: string): void {
		const [, indent, bullet = "", words = ""] = ITEM.exec(line) ?? [];
		if (indent !== undefined) {
			this.#flush();
			const [, box, task] = /^\[([ xX])\]\s+(.*)$/.exec(words) ?? [];
			const mark = /[-*+•]/.test(bullet) ? "" : bullet;
			const depth = Math.floor(indent.length / 2);
			this.#current = { kind: "item", lines: [task ?? words], depth, mark, open: box === " " };
			return;
		}
		const isItem = this.#current?.kind === "item";
		if (isItem && !/^\s/.test(line)) this.#flush();
		this.#current ??= { kind: "text", lines: [] };
		this.#current.lines.push(this.#current.kind === "item" ? trimmed : trimmed.replace(/^>\s?/, ""));
	}
}

function readCells(line: string): string[] {
	return line
		.replace(/^\||\|$/g, "")
		.split("|")
		.map((cell) => cell.trim());
}

/**
 * Drops the first cell of a table row if the cell contains only the number of the row. Check marks and
 * crosses are kept, because they may show a status.
 */
function rowText(cells: string[]): string {
	const marked = cells.map((cell) => cell.replace(/✅|✔️?/gu, "✓ ").replace(/❌|✖️?/gu, "✗ "));
	const words = marked.map((cell) => stripMarks(cell) || cell);
	const named = /^\d{1,3}$/.test(words[0] ?? "") ? words.slice(1) : words;
	return named.slice(0, named.findLastIndex((cell) => cell !== "") + 1).join(" | ");
}

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

function withoutEmphasis(text: string): string {
	return text
		.replace(/<(u|b|i|s|em|strong|sub|sup|kbd|mark|small|ins|del)>([^<>]{1,400})<\/\1>/g, "$2")
		.replace(/<br ?\/?>/g, " ")
		.replace(/~~(?=\S)([^~\n]*?\S)~~/g, "$1")
		.replace(/\*\*(?=\S)([^*]*?\S)\*\*/g, "$1")
		.replace(/(^|[\s(])(?:\*(?=\S)([^*\n]*?\S)\*|_(?=[^\s_])([^_\n]*?[^\s_])_)(?=[\s).,;:!?]|$)/g, "$1$2$3");
}

/**
 * Escapes headings, quotations, links and HTML, so that a Markdown document shows them as plain text.
 */
export function inert(text: string): string {
	return cleanLine(text)
		.replace(/[<\\]/g, "\\$&")
		.replace(/\](?=[([:])/g, "\\]")
		.replace(/^(?=[#>+*|=-]|~~~|\d+[.)])/, "\\");
}

/** The delimiter of a code span is longer than any run of backticks in the text (CommonMark 6.1). */
export function codeSpan(text: string): string {
	const line = cleanLine(text);
	const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
	const fence = "`".repeat(longest + 1);
	const room = longest > 0 ? " " : "";
	return `${fence}${room}${line}${room}${fence}`;
}

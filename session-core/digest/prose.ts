/** A reply's Markdown as the blocks that a reader sees, without its marks. */
export interface Block {
	kind: "heading" | "text" | "item" | "row" | "code";
	text: string;
	/** The heading (or lead line ending in a colon) that it stands under; empty at the top. */
	section: string;
	/** Depth of a list item, from 0. */
	depth: number;
	/** A list item with an open check box. */
	open: boolean;
	/** It stands in the part that a heading calls the conclusion. */
	concludes: boolean;
}

const BOUND = 16_000;
/** A bold line is a heading below all that have marks. */
const BOLD_LEVEL = 7;
/** What stands over the part of a long reply that sums it up. */
const CONCLUSION =
	/\b(?:conclusions?|summary|tl;?dr|verdict|bottom line|in short|takeaways?|root cause)\b|결론|요약|종합|결과 정리|结论|總結|总结|結論|まとめ|conclusi[oó]n|resumen|fazit|zusammenfassung/i;

/** Reads at most the last 16,000 characters. Never throws on malformed Markdown. */
export function readBlocks(markdown: string): Block[] {
	const blocks: Block[] = [];
	let section = "";
	/** Level of the heading over the conclusion, while it lasts. */
	let concluding = Number.POSITIVE_INFINITY;
	let fence = "";
	let paragraph: string[] = [];
	const add = (kind: Block["kind"], text: string, depth = 0, open = false): void => {
		if (text.trim() !== "") {
			const concludes = concluding < Number.POSITIVE_INFINITY;
			blocks.push({ kind, text: text.trim(), section, depth, open, concludes });
		}
	};
	const flush = (): void => {
		const text = stripMarks(paragraph.join(" "));
		paragraph = [];
		add("text", text);
		if (/[:：]$/.test(text) && text.length <= 120) section = text.replace(/[:：]$/, "");
	};
	for (const line of markdown.slice(-BOUND).split("\n")) {
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
		if (trimmed === "" || /^(?:[-*_=]\s*){3,}$/.test(trimmed)) {
			flush();
			continue;
		}
		const heading = trimmed.match(/^#{1,6}\s+(.*)$/)?.[1] ?? boldLine(trimmed);
		if (heading !== undefined) {
			flush();
			section = stripMarks(heading).replace(/[:：]$/, "");
			const level = trimmed.match(/^#+/)?.[0].length ?? BOLD_LEVEL;
			if (level <= concluding) concluding = CONCLUSION.test(section) ? level : Number.POSITIVE_INFINITY;
			add("heading", section);
			continue;
		}
		if (trimmed.startsWith("|")) {
			flush();
			const cells = readCells(trimmed);
			// A rule below makes the row above it the table's head, which says nothing of its own.
			if (cells.every((cell) => /^:?-+:?$/.test(cell))) dropHead(blocks);
			else add("row", rowText(cells));
			continue;
		}
		const item = line.match(/^(\s*)(?:[-*+•]|\d{1,2}[.)]|[①-⑳])\s+(.*)$/);
		if (item) {
			flush();
			const box = (item[2] ?? "").match(/^\[([ xX])\]\s+(.*)$/);
			add(
				"item",
				stripMarks(box?.[2] ?? item[2] ?? ""),
				Math.floor((item[1] ?? "").length / 2),
				box?.[1] === " ",
			);
			continue;
		}
		paragraph.push(trimmed.replace(/^>\s?/, ""));
	}
	flush();
	return blocks;
}

/** A line that is one bold run is a heading in all but marks. */
function boldLine(line: string): string | undefined {
	return line.match(/^\*\*([^*]{2,80})\*\*[:：]?$/)?.[1];
}

function readCells(line: string): string[] {
	return line
		.replace(/^\||\|$/g, "")
		.split("|")
		.map((cell) => cell.trim());
}

function dropHead(blocks: Block[]): void {
	if (blocks.at(-1)?.kind === "row") blocks.pop();
}

/** A row as "name: the rest"; a leading number or medal only counts rows. Other signs may say how something stands. */
function rowText(cells: string[]): string {
	const marked = cells.map((cell) => cell.replace(/✅|✔️?/gu, "✓ ").replace(/❌|✖️?/gu, "✗ "));
	const words = marked
		.map((cell) => stripMarks(cell) || cell)
		.filter((cell) => !/^[🥇🥈🥉🏅🏆]?$/u.test(cell));
	const [name = "", ...rest] = /^\d{1,3}$/.test(words[0] ?? "") ? words.slice(1) : words;
	return rest.length === 0 ? name : `${name}: ${rest.join(", ")}`;
}

/** Text without inline Markdown: emphasis, code marks, links reduced to their words, leading emoji and check marks. */
export function stripMarks(text: string): string {
	return text
		.replace(
			/!?\[([^\][]{0,400})\]\(([^)([\]\s]{0,400}(?:\([^)([\]\s]{0,100}\))?[^)([\]\s]{0,100})(?:\s[^)([\]]{0,200})?\)/g,
			(_, label: string, target: string) => label || target,
		)
		.split(/(`+[^`]*`+)/)
		.map((part) => (part.startsWith("`") ? part.replace(/^`+|`+$/g, "") : withoutEmphasis(part)))
		.join("")
		.replace(/\*\*|`/g, "")
		.replace(/^(?:(?:\p{Extended_Pictographic}|\uFE0F|\u200D|✔|✘)\s*)+/u, "")
		.replace(/\s+/g, " ")
		.trim();
}

/** Underscores mark emphasis only around words: `__init__` is a name. */
function withoutEmphasis(text: string): string {
	return text
		.replace(/\*\*(?=\S)([^*]*?\S)\*\*/g, "$1")
		.replace(/(^|[\s(])(?:\*(?=\S)([^*\n]*?\S)\*|_(?=[^\s_])([^_\n]*?[^\s_])_)(?=[\s).,;:!?]|$)/g, "$1$2$3");
}

/** Sentences of a paragraph; at ends that a space, a line or a full-width mark makes certain. */
export function sentencesOf(text: string): string[] {
	return text
		.split(
			/(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|cf|z\.B|p\.ej|approx|No|Nr)\.)(?=\s)|(?<=[。！？])(?![”」』»）)"])|(?<=[.!?]["')\]])(?=\s)/u,
		)
		.map((sentence) => sentence.trim())
		.filter((sentence) => sentence !== "");
}

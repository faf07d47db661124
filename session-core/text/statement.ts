/** Session text as a line of a recap: without marks, whole where it fits, else cut where a clause ends and with "…". */
import { clipColumns, displayWidth } from "./clip.ts";
import { stripMarks } from "./markdown.ts";
import { redact } from "./redact.ts";
import { cleanLine, cleanText } from "./sanitize.ts";

/** Characters read of a text that ends up in one line. */
const BOUND = 4_000;
/** Below this share of the room, what is left says too little. */
const WORTHWHILE = 0.6;
/** Where the rest of a sentence may go without leaving half a clause. */
const BOUNDARY = /[.!?。！？](?=\s|$)|[。！？]|\s+[—–·-]\s+|[;；,，、]\s*|\s+\(|（|\s+(?:→|=>)\s+|:\s+/gu;

/** Session text as it may be shown: one line, no Markdown, no controls, no secrets. */
export function plain(text: string): string {
	return cleanLine(stripMarks(redact(cleanText(text.slice(0, BOUND))))).replace(
		/^(?:(?:#{1,6}|[-*•>])\s+)+/,
		"",
	);
}

/** A path, a hash or an address as it may be shown: nothing of it is a mark. */
export function literal(text: string): string {
	return cleanLine(redact(cleanLine(text.slice(0, BOUND))));
}

/** Whether no bracket and no quotation is left open. */
export function isBalanced(text: string): boolean {
	const count = (mark: string): number => text.split(mark).length;
	const pairs = ["()", "[]", "{}", "（）", "「」", "“”"];
	return (
		pairs.every(([open = "", close = ""]) => count(open) === count(close)) &&
		count('"') % 2 === 1 &&
		count("`") % 2 === 1
	);
}

/** The text, if it fits whole and is balanced. */
export function whole(text: string, columns: number): string | undefined {
	const line = tidyEnd(text);
	return line !== "" && displayWidth(line) <= columns && isBalanced(line) ? line : undefined;
}

/** The text if it fits, else its beginning up to the end of a clause, with "…", or up to a word where that says far less. */
export function clause(text: string, columns: number): string {
	const line = tidyEnd(text);
	if (displayWidth(line) <= columns) return isBalanced(line) ? line : unbracketed(line);
	let best = "";
	for (const boundary of line.matchAll(BOUNDARY)) {
		const isStop = /^[.!?。！？]/u.test(boundary[0]);
		const head = isStop ? line.slice(0, boundary.index + 1) : tidyEnd(line.slice(0, boundary.index));
		if (displayWidth(head) > columns - 2) break;
		if (isBalanced(head)) best = isStop ? head : `${head} …`;
	}
	const clipped = clipColumns(line, columns);
	const share = displayWidth(best) / columns;
	const isGood = !best.endsWith("…") || !isBalanced(clipped);
	if (share >= (isGood ? WORTHWHILE / 2 : WORTHWHILE)) return best;
	return isBalanced(clipped) ? clipped : clipColumns(unbracketed(line), columns);
}

/** Whole, or without what stands in brackets, or up to the end of a clause. */
export function fitted(text: string, columns: number): string {
	const withoutAsides = text.replace(/\s+(?:\([^()]*\)|（[^（）]*）)/gu, "");
	return whole(text, columns) ?? whole(withoutAsides, columns) ?? clause(text, columns);
}

/** As many whole sentences as fit, or the beginning of the first. */
export function sentencesThatFit(sentences: readonly string[], columns: number): string {
	let line = "";
	for (const sentence of sentences) {
		const longer = whole(`${line} ${sentence}`, columns);
		if (longer === undefined) return line || fitted(sentence, columns);
		line = longer;
	}
	return line;
}

/** Marks whose partner is missing say nothing. */
function unbracketed(text: string): string {
	return text
		.replace(/["`“”「」]/g, "")
		.replace(/[()[\]{}（）]/g, " ")
		.replace(/\s+/g, " ")
		.trim();
}

/** A text without the punctuation that only a longer text needed. */
export function tidyEnd(text: string): string {
	return text.trim().replace(/[\s,，、;；:：—–-]+$/u, "");
}

/** Fits session text into one line without Markdown, cut at the end of a clause if it is too long. */
import { clipColumns, displayWidth } from "./clip.ts";
import { stripMarks } from "./markdown.ts";
import { safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

/** Number of characters at the beginning of a safe text that are read to produce one line. */
const BOUND = 4_000;
/** Text that is cut at the end of a clause must fill at least this fraction of the room; otherwise, it is cut between words. */
const WORTHWHILE = 0.6;
/** Matches positions at which a cut leaves no incomplete clause, such as one after a list item's number. */
const BOUNDARY =
	/(?<!(?<![\p{L}\p{N}])\d{1,2})[.!?](?=\s|$)|[。！？]|\s+[—–·-]\s+|[;；,，、]\s*|\s+\(|（|\s+(?:→|=>)\s+|:\s+/gu;

const BRACKETS = /["`“”「」()[\]{}（）]/g;

/** Returns session text as one line that is safe to show, without Markdown, control characters or secrets. */
export function plainLine(text: string): string {
	return cleanLine(stripMarks(safeText(text).slice(0, BOUND))).replace(/^(?:(?:#{1,6}|[-*•>])\s+)+/, "");
}

const CHOICE = /(?<![\p{L}\p{N}(（])[\p{L}\p{N}]{1,2}[)）](?=\s)/gu;

/** Whether every bracket and every quotation is closed. */
export function isBalanced(text: string): boolean {
	if (text.search(BRACKETS) < 0) return true;
	return [text, text.replace(CHOICE, "")].some((one) => {
		const count = (mark = ""): number => one.split(mark).length;
		const isPaired = ["()", "[]", "{}", "（）", "「」", "“”"].every(([a, b]) => count(a) === count(b));
		return isPaired && count('"') % 2 === 1 && count("`") % 2 === 1;
	});
}

/** Returns the text if it fits completely and all its brackets are closed; otherwise undefined. */
export function lineThatFits(text: string, columns: number): string | undefined {
	const line = tidyEnd(text);
	return line !== "" && displayWidth(line) <= columns && isBalanced(line) ? line : undefined;
}

/** Cuts at the end of a clause, or between words if cutting at a clause would waste too much width. Unclosed brackets and quotes are removed. */
export function cutAtClause(text: string, columns: number): string {
	const line = tidyEnd(text);
	const clipped = clipColumns(line, columns);
	let best = "";
	let start = 0;
	// Only the part that fits is measured, because the text may be long.
	for (const { 0: mark, index } of clipped === line ? [] : line.matchAll(BOUNDARY)) {
		const isStop = /^[.!?。！？]/u.test(mark);
		// A single word before a colon only names what follows.
		const isLabel = mark.startsWith(":") && start > 0 && !/\s/.test(line.slice(start, index).trim());
		start = index + mark.length;
		if (isLabel) continue;
		const head = `${isStop ? line.slice(0, index + 1) : tidyEnd(line.slice(0, index))} …`;
		if (displayWidth(head) > columns) break;
		if (isBalanced(head)) best = head;
	}
	const least = isBalanced(clipped) ? WORTHWHILE : WORTHWHILE / 2;
	if (displayWidth(best) >= columns * least) return best;
	return isBalanced(clipped) ? clipped : clipColumns(cleanLine(line.replace(BRACKETS, " ")), columns);
}

/** Removes punctuation that leads into more text, such as a colon, from the end of the text. */
function tidyEnd(text: string): string {
	return withoutEnd(text, /[\s,，、;；:：—–-]/u).trimStart();
}

/** Returns a headline without final punctuation, because headlines have none. A question keeps its question mark. */
export function withoutFinalMark(text: string): string {
	return withoutEnd(text, /[\s.…,;:!。．｡！、，；：]/u);
}

/** Returns text without the matching characters at its end. A pattern that matches all of them at once could take quadratic time. */
function withoutEnd(text: string, character: RegExp): string {
	let end = text.length;
	while (end > 0 && character.test(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

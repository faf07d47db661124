import { clipColumns, displayWidth } from "./clip.ts";
import { stripMarks } from "./markdown.ts";
import { safeText } from "./safe.ts";
import { cleanLine } from "./sanitize.ts";

const BOUND = 4_000;
/**
 * A line that is cut at the end of a clause must fill at least this fraction of the width. If no clause
 * is long enough, the line is cut after a word.
 */
const WORTHWHILE = 0.6;
const BOUNDARY =
	/(?<!(?<![\p{L}\p{N}])\d{1,2})[.!?](?=\s|$)|[。！？]|\s+[—–·-]\s+|[;；,，、]\s*|\s+\(|（|\s+(?:→|=>)\s+|:\s+/gu;

const BRACKETS = /["`“”「」()[\]{}（）]/g;

export function plainLine(text: string): string {
	return cleanLine(stripMarks(safeText(text).slice(0, BOUND))).replace(/^(?:(?:#{1,6}|[-*•>])\s+)+/, "");
}

const CHOICE = /(?<![\p{L}\p{N}(（])[\p{L}\p{N}]{1,2}[)）](?=\s)/gu;

export function isBalanced(text: string): boolean {
	if (text.search(BRACKETS) < 0) return true;
	return [text, text.replace(CHOICE, "")].some((one) => {
		const count = (mark = ""): number => one.split(mark).length;
		const isPaired = ["()", "[]", "{}", "（）", "「」", "“”"].every(([a, b]) => count(a) === count(b));
		return isPaired && count('"') % 2 === 1 && count("`") % 2 === 1;
	});
}

export function lineThatFits(text: string, columns: number): string | undefined {
	const line = tidyEnd(text);
	return line !== "" && displayWidth(line) <= columns && isBalanced(line) ? line : undefined;
}

/**
 * Cuts text at the end of a clause, or after a word if cutting at the clause would leave too much of
 * the width empty. Removes unclosed brackets and quotation marks.
 */
export function cutAtClause(text: string, columns: number): string {
	const line = tidyEnd(text);
	const clipped = clipColumns(line, columns);
	let best = "";
	let start = 0;
	for (const { 0: mark, index } of clipped === line ? [] : line.matchAll(BOUNDARY)) {
		const isStop = /^[.!?。！？]/u.test(mark);
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

function tidyEnd(text: string): string {
	return withoutEnd(text, /[\s,，、;；:：—–-]/u).trimStart();
}

export function withoutFinalMark(text: string): string {
	return withoutEnd(text, /[\s.…,;:!。．｡！、，；：]/u);
}

/**
 * Trailing characters are removed one at a time, because a pattern such as `/\s+$/` can take quadratic
 * time.
 */
function withoutEnd(text: string, character: RegExp): string {
	let end = text.length;
	while (end > 0 && character.test(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

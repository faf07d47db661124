import { clipColumns } from "../../session-core/text/clip.ts";
import { redact } from "../../session-core/text/redact.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** Longest title that is kept, in terminal columns. */
export const TITLE_COLUMNS = 80;

/** Marks that models wrap a title in. Only a pair around the whole is taken off; inside, brackets belong to the title. */
const WRAPPERS: readonly (readonly [string, string])[] = [
	["**", "**"],
	["__", "__"],
	["```", "```"],
	["`", "`"],
	['"', '"'],
	["'", "'"],
	["*", "*"],
	["“", "”"],
	["„", "“"],
	["‘", "’"],
	["«", "»"],
	["「", "」"],
	["『", "』"],
	["【", "】"],
	["〈", "〉"],
	["《", "》"],
	["〔", "〕"],
	["［", "］"],
	["（", "）"],
	["(", ")"],
	["[", "]"],
];

/** Brackets that come in pairs; one that has lost its other half is taken out. */
const PAIRS: readonly (readonly [string, string])[] = WRAPPERS.filter(
	([open, close]) => open !== close && open !== "„",
);

/** A heading, a list mark, or "Title:" before the title. "#12" is a ticket and stays. */
const LEADING =
	/^(?:#{1,6}\s+|[-*•–—]\s+|\d{1,2}[.)]\s+|(?:session\s+)?title\s*[:：]\s*|(?:제목|标题|標題|タイトル|título|titre|titel)\s*[:：]\s*)/iu;
const TRAILING = /[\s.!?,;:…。．！？、，；：｡]+$/u;

/** A title as it is stored: sanitised, secrets out, one line, without wrapping marks, final punctuation or half a bracket. */
export function tidyTitle(raw: string): string {
	let text = redact(cleanLine(raw));
	for (let before = ""; before !== text; ) {
		before = text;
		text = unwrap(text).replace(LEADING, "").replace(TRAILING, "").trim();
	}
	return clipColumns(withoutHalfPairs(text), TITLE_COLUMNS).trim();
}

function unwrap(text: string): string {
	for (const [open, close] of WRAPPERS) {
		if (text.length < open.length + close.length || !text.startsWith(open) || !text.endsWith(close)) continue;
		const inside = text.slice(open.length, text.length - close.length);
		// "(a) and (b)" begins and ends with brackets that are not a pair.
		if (!inside.includes(open) && !inside.includes(close)) return inside.trim();
	}
	return text;
}

function withoutHalfPairs(text: string): string {
	const unpaired = new Set<number>();
	for (const [open, close] of PAIRS) {
		const waiting: number[] = [];
		for (let at = 0; at < text.length; at++) {
			if (text[at] === open) waiting.push(at);
			// An apostrophe is written like a closing quote.
			else if (text[at] === close && waiting.pop() === undefined && close !== "’") unpaired.add(at);
		}
		for (const at of waiting) unpaired.add(at);
	}
	if (unpaired.size === 0) return text;
	return [...text.matchAll(/[\s\S]/g)]
		.filter(({ index }) => !unpaired.has(index))
		.map(([unit]) => unit)
		.join("")
		.replace(/\s+/g, " ")
		.trim();
}

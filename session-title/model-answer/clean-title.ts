import { clipColumns } from "../../session-core/text/clip.ts";
import { safeText } from "../../session-core/text/safe.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { TITLE_COLUMNS } from "../limits.ts";

/** Pairs of marks that models put around a title. They are removed only if one pair encloses the whole title. */
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

/** Matches a heading marker, a list marker or "Title:" before the title. "#12" is a ticket number and is kept. */
const LEADING =
	/^(?:#{1,6}\s+|[-*•–—]\s+|\d{1,2}[.)]\s+|(?:session\s+)?title\s*[:：]\s*|(?:제목|标题|標題|タイトル|título|titre|titel)\s*[:：]\s*)/iu;
const TRAILING = /[\s.!?,;:…。．！？、，；：｡]+$/u;

/**
 * Returns a title in the form in which it is stored: one line, sanitized and redacted, without surrounding marks and final punctuation.
 */
export function tidyTitle(raw: string): string {
	let text = cleanLine(safeText(raw));
	for (let before = ""; before !== text; ) {
		before = text;
		text = unwrap(text).replace(LEADING, "").replace(TRAILING, "").trim();
	}
	return clipColumns(text, TITLE_COLUMNS).trim();
}

function unwrap(text: string): string {
	for (const [open, close] of WRAPPERS) {
		if (text.length < open.length + close.length || !text.startsWith(open) || !text.endsWith(close)) continue;
		const inside = text.slice(open.length, text.length - close.length);
		// "(a) and (b)" begins and ends with brackets that do not belong together.
		if (!inside.includes(open) && !inside.includes(close)) return inside.trim();
	}
	return text;
}

/** Maximum number of words in a kebab-case name. */
const MAX_WORDS = 6;
/** Maximum number of characters in a kebab-case name. */
const MAX_CHARACTERS = 60;

/**
 * Converts a title to a kebab-case name that consists of letters and digits in any writing system. Returns undefined if the title contains
 * none.
 */
export function toKebab(title: string): string | undefined {
	const words = title
		.normalize("NFC")
		.replace(/(\p{Ll}\p{M}*)(\p{Lu})/gu, "$1 $2")
		.toLowerCase()
		.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
	if (!words) return undefined;
	let name = "";
	for (const word of words.slice(0, MAX_WORDS)) {
		const longer = name === "" ? word : `${name}-${word}`;
		if (longer.length > MAX_CHARACTERS && name !== "") break;
		name = longer;
	}
	return [...name].slice(0, MAX_CHARACTERS).join("");
}

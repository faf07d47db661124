import { casesOf } from "../text/fold.ts";

/** Letters that are folded to several are this many at most. */
const LONGEST_FOLD = 3;
/** Ways to write an ambiguous part beyond which any characters are taken for it. */
const MAX_WAYS = 64;

/** A folded word as it may stand in JSON in UTF-8: escaped, in either case, white space of any kind. */
export function bytePattern(folded: string): string {
	const chars = [...folded.replace(/\s+/g, " ")];
	const parts: string[] = [];
	for (let at = 0; at < chars.length; ) {
		const end = ambiguousEnd(chars, at);
		const part = chars.slice(at, end);
		parts.push(part.length === 1 ? byteForms(part[0] ?? "") : eitherWay(part));
		at = end;
	}
	return parts.join("");
}

export function escapeRegExp(char: string): string {
	return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

/** Where the part ends that one letter may stand for several of: `ss` in `wasser`. One character where there is no such. */
function ambiguousEnd(chars: readonly string[], from: number): number {
	let end = from + 1;
	for (let at = from; at < end; at++) {
		for (let length = 2; length <= LONGEST_FOLD && at + length <= chars.length; length++) {
			if (casesOf().has(chars.slice(at, at + length).join(""))) end = Math.max(end, at + length);
		}
	}
	return end;
}

function eitherWay(part: readonly string[]): string {
	const ways = waysOf(part);
	return ways.length > MAX_WAYS ? `[^"]{1,${part.length * 12}}` : `(?:${ways.join("|")})`;
}

/** Every way to write these letters: each for itself, or one for several. */
function waysOf(chars: readonly string[]): string[] {
	const [first, ...rest] = chars;
	if (first === undefined) return [""];
	const ways = waysOf(rest).map((way) => byteForms(first) + way);
	for (let length = 2; length <= LONGEST_FOLD && ways.length <= MAX_WAYS; length++) {
		const forms = casesOf().get(chars.slice(0, length).join(""));
		if (chars.length < length || !forms) continue;
		const pattern = anyOf(forms.flatMap(encoded));
		ways.push(...waysOf(chars.slice(length)).map((way) => pattern + way));
	}
	return ways;
}

function byteForms(char: string): string {
	if (char === " ") return "(?: |\\\\[nrt]|\\\\u00a0|\\xc2\\xa0|\\xe3\\x80\\x80)+";
	if (char === '"' || char === "\\")
		return `(?:\\\\${escapeRegExp(char)}|\\\\u00${hex(char.charCodeAt(0), 2)})`;
	if (char === "/") return "\\\\?/";
	// The expression itself ignores the case of ASCII; writers that escape it exist only in theory.
	const isAscii = char < "\x80";
	const others = (casesOf().get(char) ?? []).filter((other) => !isAscii || other >= "\x80");
	return anyOf([...(isAscii ? [escapeRegExp(char)] : encoded(char)), ...others.flatMap(encoded)]);
}

function anyOf(patterns: readonly string[]): string {
	return patterns.length === 1 ? (patterns[0] ?? "") : `(?:${patterns.join("|")})`;
}

/** A character as UTF-8, and as JSON may escape it. */
function encoded(char: string): string[] {
	const bytes = [...Buffer.from(char)].map((byte) => `\\x${hex(byte, 2)}`).join("");
	const units = char.split("").map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`);
	return [bytes, units.join("")];
}

function hex(value: number, digits: number): string {
	return value.toString(16).padStart(digits, "0");
}

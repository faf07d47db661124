import { foldText, stemLength, wordsIn } from "./terms.ts";

/** A parsed query, ready for a scan. */
export interface Query {
	/** Its distinct words, folded. */
	words: string[];
	/** Phrases that rank first if they occur as a whole: text in quotation marks, paths and identifiers; folded. */
	phrases: string[];
	/**
	 * For each word, a pattern that finds it in a line of a session file, decoded with one character per
	 * byte. It never misses a word, but may find too many.
	 */
	patterns: RegExp[];
	/** Patterns for text without accented letters, which are faster. */
	plainPatterns: RegExp[];
}

/** Maximum number of words of a query. */
const MAX_WORDS = 24;

/** Parses a query; undefined if it contains no word. */
export function readQuery(input: string): Query | undefined {
	const words = [...new Set(wordsIn(input.replaceAll('"', " ")))].slice(0, MAX_WORDS);
	if (words.length === 0) return undefined;
	const quoted = [...input.matchAll(/"([^"]+)(?:"|$)/g)].map(([, text = ""]) => text);
	const names =
		input.match(/[\p{L}\p{N}_~][\p{L}\p{N}_]*(?:[./:_@#-]+[\p{L}\p{N}_]+)+|\p{Ll}+\p{Lu}\w+/gu) ?? [];
	const phrases = [...quoted, ...names].map((text) => foldText(text).replace(/\s+/g, " ").trim());
	return {
		words,
		phrases: [...new Set(phrases.filter(Boolean))],
		patterns: words.map((word) => patternOf(word, true)),
		plainPatterns: words.map((word) => patternOf(word, false)),
	};
}

function patternOf(word: string, anyFirst: boolean): RegExp {
	return new RegExp(bytePattern(word.slice(0, stemLength(word)), anyFirst), "i");
}

/** Letters with accented forms, which take two bytes from C3 to C5, or are followed by a combining mark. */
const ACCENTED = new Set("aceinosuyz");
const ACCENTED_FORMS = "[\\xc3-\\xc5].|\\\\u0[01]..";

/**
 * A pattern for a folded word in UTF-8 JSON; names of JSON fields do not count. `anyFirst`: its first
 * letter may have an accent, too, which makes the search twice as slow.
 */
function bytePattern(word: string, anyFirst: boolean): string {
	const isShort = word.length < 3 && /^[\x21-\x7e]+$/.test(word);
	const chars = [...word]
		.map((char, at) => (at === 0 && !anyFirst ? plainChar(char) : charPattern(char)))
		.join("");
	return isShort ? `(?<![A-Za-z0-9])${chars}(?![A-Za-z0-9])` : `${chars}(?!\\w*":)`;
}

function charPattern(char: string): string {
	if (ACCENTED.has(char)) return `(?:${char}(?:[\\xcc\\xcd].)?|${ACCENTED_FORMS})`;
	return plainChar(char);
}

function plainChar(char: string): string {
	if (char < "\x80") return char.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
	const forms = new Set([
		char,
		char.toUpperCase(),
		char.normalize("NFD"),
		char.toUpperCase().normalize("NFD"),
	]);
	return `(?:${[...forms].flatMap(encoded).join("|")})`;
}

/** As UTF-8, and as a JSON escape sequence. */
function encoded(text: string): string[] {
	const bytes = [...Buffer.from(text)].map((byte) => `\\x${hex(byte, 2)}`).join("");
	const units = Array.from({ length: text.length }, (_, at) => `\\\\u${hex(text.charCodeAt(at), 4)}`).join(
		"",
	);
	return [bytes, units];
}

function hex(value: number, digits: number): string {
	return value.toString(16).padStart(digits, "0");
}

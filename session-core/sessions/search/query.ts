import { foldCase } from "../../text/index.ts";
import { likeness, stemLength, wordsIn } from "./terms.ts";

export interface Query {
	words: string[];
	matchOf(word: string): Match | undefined;
	/** One pattern for each word, for lines with one character per byte. A pattern never misses its word, but may also match other text. */
	patterns: RegExp[];
	/** Faster versions of `patterns`, for text without accented letters. */
	plainPatterns: RegExp[];
}

export interface Match {
	at: number;
	like: number;
}

/** Maximum number of words in a query. Each word is represented by one bit of a mask. */
const MAX_WORDS = 24;

export const MAX_QUERY = 1_000;

export function readQuery(text: string): Query | undefined {
	const words = [...new Set(wordsIn(text.slice(0, MAX_QUERY)))].slice(0, MAX_WORDS);
	if (words.length === 0) return undefined;
	const known = new Map<string, Match | undefined>();
	return {
		words,
		matchOf(word) {
			if (!known.has(word)) known.set(word, bestMatch(word, words));
			return known.get(word);
		},
		patterns: words.map((word) => patternOf(word, charPattern)),
		plainPatterns: words.map((word) => patternOf(word, plainChar)),
	};
}

function bestMatch(word: string, words: readonly string[]): Match | undefined {
	let best: Match | undefined;
	for (const [at, wanted] of words.entries()) {
		const like = likeness(word, wanted);
		if (like > (best?.like ?? 0)) best = { at, like };
	}
	return best;
}

/**
 * Maximum number of characters that may follow a word in a field's name. The limit keeps the search linear on long runs of word characters.
 */
const NAME = 40;

/** Returns a pattern that matches, in UTF-8 JSON, the stem that all forms of a folded word share. The pattern does not match field names. */
function patternOf(word: string, charOf: (char: string) => string): RegExp {
	const chars = [...word.slice(0, stemLength(word))]
		.map(charOf)
		.join("")
		.replace(charOf("s").repeat(2), (both) => `(?:${both}|${encoded("ß").join("|")})`);
	const isShort = word.length < 3 && /^[\x21-\x7e]+$/.test(word);
	return new RegExp(
		isShort ? `(?<![A-Za-z0-9])${chars}(?![A-Za-z0-9])` : `${chars}(?!\\w{0,${NAME}}":)`,
		"i",
	);
}

/**
 * Latin letters that can have an accent. In UTF-8, an accented letter is encoded as two bytes, the first of which is C3 to C5, as three
 * bytes from E1 B8 to E1 BB, or as the plain letter followed by a combining mark.
 */
const ACCENTED = new Set("acdeghijklnorstuwyz");
const ACCENTED_FORMS = "[\\xc3-\\xc5].|\\xe1[\\xb8-\\xbb].|\\\\u0[01]..|\\\\u1e..";
const ACCENT_BYTES = [0xc3, 0xc4, 0xc5, 0xcc, 0xcd, 0xe1];

/** Whether a chunk of a session file may contain accented letters, either as UTF-8 bytes or as escape sequences. */
export function mayHaveAccents(bytes: Buffer): boolean {
	return (
		ACCENT_BYTES.some((byte) => bytes.includes(byte)) || bytes.includes("\\u0") || bytes.includes("\\u1")
	);
}

function charPattern(char: string): string {
	if (ACCENTED.has(char)) return `(?:${char}(?:[\\xcc\\xcd].)?|${ACCENTED_FORMS})`;
	return plainChar(char);
}

function plainChar(char: string): string {
	if (char < "\x80") return char.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
	const marked = MARKS.map((mark) => (char + mark).normalize("NFC")).filter((one) => one.length === 1);
	const letters = [char, ...marked, ...(char === "σ" ? "ς" : "")].flatMap((one) => [one, one.toUpperCase()]);
	const forms = new Set(letters.flatMap((one) => [one, one.normalize("NFD")]));
	return `(?:${[...forms].flatMap(encoded).join("|")})`;
}

/** Marks that {@link foldCase} removes from Greek and Cyrillic letters and from kana, for example when it maps й to и and グ to ク. */
const MARKS = [..."\u0300\u0301\u0306\u0308\u0313\u0314\u0342\u3099\u309a"];

/** Returns patterns for the two ways in which a file can contain a text: as UTF-8 bytes, and as JSON escape sequences. */
function encoded(text: string): string[] {
	const bytes = Buffer.from(text).toString("hex").replace(/../g, "\\x$&");
	const units = Buffer.from(text, "utf16le").swap16().toString("hex").replace(/.{4}/g, "\\\\u$&");
	return [bytes, units];
}

import { foldCase } from "../../text/index.ts";

export interface Query {
	words: string[];
	matchOf(word: string): Match | undefined;
	/**
	 * Regular expressions for the query's words, applied to text that was decoded as Latin-1. The
	 * expressions find every occurrence of a word but may also match other text.
	 */
	patterns: RegExp[];
	plainPatterns: RegExp[];
}

export interface Match {
	at: number;
	like: number;
}

/**
 * The maximum number of words in a query. The limit exists because each word is represented by a bit in
 * a 32-bit mask.
 */
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

const NAME = 40;

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
 * The Latin letters that can have an accent. In UTF-8, an accented letter is encoded either as two or
 * three bytes, or as the plain letter followed by a combining mark.
 */
const ACCENTED = new Set("acdeghijklnorstuwyz");
const ACCENTED_FORMS = "[\\xc3-\\xc5].|\\xe1[\\xb8-\\xbb].|\\\\u0[01]..|\\\\u1e..";
const ACCENT_BYTES = [0xc3, 0xc4, 0xc5, 0xcc, 0xcd, 0xe1];

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

/**
 * The marks that `foldCase` removes from Greek and Cyrillic letters and from kana, so that й becomes и and
 * グ becomes ク.
 */
const MARKS = [..."\u0300\u0301\u0306\u0308\u0313\u0314\u0342\u3099\u309a"];

/**
 * A session file can contain text in two forms: as UTF-8 bytes or as JSON escape sequences such as
 * `\u00e9`.
 */
function encoded(text: string): string[] {
	const bytes = Buffer.from(text).toString("hex").replace(/../g, "\\x$&");
	const units = Buffer.from(text, "utf16le").swap16().toString("hex").replace(/.{4}/g, "\\\\u$&");
	return [bytes, units];
}

/**
 * Chinese and Japanese have no spaces between words, and Korean attaches particles to words, so pairs of
 * characters are compared.
 */
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_]|[-./:@#](?=[\p{L}\p{N}_]))*/gu;
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu;

/**
 * The maximum length of a word. A longer string without spaces is assumed to be data, such as base64 or
 * minified code.
 */
const LONGEST = 80;

/**
 * Yields the words of a string. An identifier or path is yielded as a whole and in parts. Chinese,
 * Japanese or Korean text is yielded in pairs of characters.
 */
export function* wordsIn(text: string): Generator<string, void, undefined> {
	for (const [raw] of text.matchAll(WORD)) {
		if (raw.length > LONGEST) continue;
		if (SIMPLE.test(raw)) {
			yield raw.toLowerCase();
			continue;
		}
		const folded = foldCase(raw);
		const pairs = folded.match(PAIRED);
		if (pairs) {
			for (const run of pairs) yield* pairsOf(run);
			const rest = folded.replace(PAIRED, " ");
			if (rest.trim() !== "") yield* wordsIn(rest);
			continue;
		}
		const parts = raw.match(HUMPS) ?? [];
		if (parts.length !== 1) yield folded;
		for (const part of parts) if (part.length > 1 || parts.length === 1) yield foldCase(part);
	}
}

/** Matches nearly all English words: lowercase ASCII letters with or without an initial capital. */
const SIMPLE = /^[A-Za-z]?[a-z]+$/;

function* pairsOf(run: string): Generator<string, void, undefined> {
	const chars = [...run];
	if (chars.length === 1) yield run;
	for (let at = 0; at + 1 < chars.length; at++) yield `${chars[at]}${chars[at + 1]}`;
}

/**
 * Returns the number of leading letters that a word and its inflected forms must share: all letters of
 * a short word, or about 60% of the letters of a longer word.
 */
function stemLength(word: string): number {
	if (word.length <= 4 || !/^\p{L}+$/u.test(word)) return word.length;
	return Math.max(4, Math.ceil(word.length * 0.6));
}

function likeness(word: string, wanted: string): number {
	if (word === wanted) return 1;
	if (wanted.length < 3) return 0;
	if (word.startsWith(wanted)) return wanted.length > 3 || word.length <= 6 ? 0.3 : 0;
	const stem = stemLength(wanted);
	if (stem === wanted.length || word.length < stem) return 0;
	let shared = 0;
	while (shared < word.length && word[shared] === wanted[shared]) shared++;
	return shared >= stem && shared >= word.length * 0.6 ? 0.1 : 0;
}

import { foldCase } from "../../text/index.ts";

/** Text without spaces between words, or with particles attached to them, is searched by pairs of characters. */
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
/** Matches a word, including the characters that join identifiers and paths. */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_]|[-./:@#](?=[\p{L}\p{N}_]))*/gu;
/** Matches the parts of an identifier: `camelCase`, `HTTPServer`, `v2`. */
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu;

/** Maximum length of a word. A longer run without spaces is data (base64, a minified file). */
const LONGEST = 80;

/**
 * Yields the words in a text. An identifier or path yields its parts and, if it has several parts, also the whole identifier or path. CJK
 * text yields pairs of characters.
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

/** Matches nearly all words: lowercase ASCII letters, with or without an initial capital. */
const SIMPLE = /^[A-Za-z]?[a-z]+$/;

function* pairsOf(run: string): Generator<string, void, undefined> {
	const chars = [...run];
	if (chars.length === 1) yield run;
	for (let at = 0; at + 1 < chars.length; at++) yield `${chars[at]}${chars[at + 1]}`;
}

/** Returns how many initial letters two words must share to count as forms of the same word. Short words must be equal. */
export function stemLength(word: string): number {
	if (word.length <= 4 || !/^\p{L}+$/u.test(word)) return word.length;
	return Math.max(4, Math.ceil(word.length * 0.6));
}

/** Returns how well a word matches a word of the query, from 0 (not at all) to 1 (the same word). */
export function likeness(word: string, wanted: string): number {
	if (word === wanted) return 1;
	if (wanted.length < 3) return 0;
	if (word.startsWith(wanted)) return wanted.length > 3 || word.length <= 6 ? 0.3 : 0;
	const stem = stemLength(wanted);
	if (stem === wanted.length || word.length < stem) return 0;
	let shared = 0;
	while (shared < word.length && word[shared] === wanted[shared]) shared++;
	return shared >= stem && shared >= word.length * 0.6 ? 0.1 : 0;
}

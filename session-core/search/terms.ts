/** Splits text and queries into words, in the same way. */

/** Case and accents do not matter: `Café` is `cafe`, `ß` is `ss`. */
export function foldText(text: string): string {
	// ASCII is handled first: most text is ASCII, and only needs to be converted to lower case.
	const lower = text.toLowerCase();
	if (ASCII.test(lower)) return lower;
	return lower.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss").normalize("NFC");
}

const ASCII = /^[\0-\x7f]*$/;

/** Scripts that are written without spaces, or with particles attached to words, are matched by pairs of characters. */
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
/** A word, including the characters that join identifiers and paths. */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_]|[-./:@#](?=[\p{L}\p{N}_]))*/gu;
/** The positions at which an identifier is split: `camelCase`, `HTTPServer`, `v2`. */
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu;

/** A longer run without a space is data (base64, a minified file), not words. */
const LONGEST = 80;

/**
 * Yields the words of a text in order, folded: each part of an identifier or path, and if it has several, also the whole. CJK text is
 * split into pairs of characters.
 */
export function* wordsIn(text: string): Generator<string, void, undefined> {
	for (const [raw] of text.matchAll(WORD)) {
		if (raw.length > LONGEST) continue;
		if (SIMPLE.test(raw)) {
			yield raw.toLowerCase();
			continue;
		}
		const folded = foldText(raw);
		const pairs = folded.match(PAIRED);
		if (pairs) {
			for (const run of pairs) yield* pairsOf(run);
			const rest = folded.replace(PAIRED, " ");
			if (rest.trim() !== "") yield* wordsIn(rest);
			continue;
		}
		const parts = raw.match(HUMPS) ?? [];
		if (parts.length !== 1) yield folded;
		for (const part of parts) if (part.length > 1 || parts.length === 1) yield foldText(part);
	}
}

/** Most words: letters of one case, perhaps with a capital first. */
const SIMPLE = /^[A-Za-z]?[a-z]+$/;

function* pairsOf(run: string): Generator<string, void, undefined> {
	const chars = [...run];
	if (chars.length === 1) yield run;
	for (let at = 0; at + 1 < chars.length; at++) yield `${chars[at]}${chars[at + 1]}`;
}

/** Returns the number of initial letters that two words must share to count as forms of one word; for a short word, all letters. */
export function stemLength(word: string): number {
	if (word.length <= 4 || !/^\p{L}+$/u.test(word)) return word.length;
	return Math.max(4, Math.ceil(word.length * 0.6));
}

/** How well a word of a text matches a word of the query: from 0 for no match to 1 for the same word. */
export function likeness(word: string, wanted: string): number {
	if (word === wanted) return 1;
	if (wanted.length < 3) return 0;
	if (word.startsWith(wanted)) return wanted.length > 3 || word.length <= 6 ? 0.6 : 0;
	const stem = stemLength(wanted);
	if (stem === wanted.length || word.length < stem) return 0;
	let shared = 0;
	while (shared < word.length && word[shared] === wanted[shared]) shared++;
	return shared >= stem && shared >= word.length * 0.6 ? 0.7 : 0;
}

import { foldCase } from "./fold-case.mjs";

const WORD_START = /[\p{L}\p{N}]/u;
const WORDLIKE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’.-]*/gu;
const DENSE_SCRIPT =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * Counts the words in the first 1,200 characters. Two Chinese, Japanese, Korean or Thai characters
 * count as one word.
 */
export function countWords(text: string): number {
	const head = text.slice(0, 1_200);
	const latin = latinWords(head);
	if (latin !== undefined) return latin;
	const dense = head.match(DENSE_SCRIPT)?.length ?? 0;
	const spaced = head.replace(DENSE_SCRIPT, " ").match(WORDLIKE)?.length ?? 0;
	return spaced + dense / 2;
}

/** Maps each Latin character to 2 (can begin a word), 1 (can only continue a word) or 0. */
const LATIN = Uint8Array.from({ length: 0x300 }, (_, code) => {
	const character = String.fromCharCode(code);
	return WORD_START.test(character) ? 2 : Number("_'.-".includes(character));
});

function latinWords(text: string): number | undefined {
	let words = 0;
	let isInside = false;
	for (let at = 0; at < text.length; at++) {
		const kind = LATIN[text.charCodeAt(at)];
		if (kind === undefined) return undefined;
		if (!isInside && kind === 2) words++;
		isInside = kind === 2 || (isInside && kind === 1);
	}
	return words;
}

/**
 * Estimates one token per four bytes of UTF-8 text. An exact tokenizer would be too large, and
 * providers count differently.
 */
export function estimateTokens(text: string): number {
	return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Formats US dollars with at least two significant digits: `$0.0042`, `$1.50`. */
export function costText(cost: number): string {
	return `$${cost > 0 && cost < 0.1 ? cost.toPrecision(2) : cost.toFixed(2)}`;
}

const SENTENCE_END =
	/(?<=[.!?…])(?<!\/\.{1,3})(?<!(?:^|[:;,.!?]\s|[:;]\n)\d{1,2}\.)(?<!\b(?:e\.g|i\.e|etc|vs|cf|z\.B|p\.ej|approx|No|Nr)\.)(?=\s)(?!\s+[→⇒=])|(?<=[。！？])(?![”」』»）)"])|(?<=[.!?]["')\]])(?=\s)(?!\s+\p{Ll})/u;

export function sentencesOf(text: string): string[] {
	const sentences: string[] = [];
	for (const part of text.split(SENTENCE_END).map((one) => one.trim())) {
		if (part === "") continue;
		const before = sentences.at(-1) ?? "";
		const whole = joinText([before, part]);
		if (isOpen(before) && !isOpen(whole)) sentences[sentences.length - 1] = whole;
		else sentences.push(part);
	}
	return sentences;
}

/**
 * Joins sentences or lines with spaces. Between Chinese or Japanese sentences, no space is inserted.
 */
export function joinText(parts: readonly string[]): string {
	return parts.join("\n").replace(UNSPACED_BREAK, "").replaceAll("\n", " ");
}

const UNSPACED_BREAK =
	/(?<=[。！？；：，、）」』])\n|(?<=[\p{sc=Han}\u3000-\u30ff\uff01-\uff60])\n(?=[\p{sc=Han}\u3000-\u30ff\uff01-\uff60])/gu;

function isOpen(text: string): boolean {
	return text.split(/[(（]/).length > text.split(/[)）]/).length;
}

/** The minimum similarity of two similar strings. Unrelated strings can reach almost 0.3. */
const ALIKE = 0.3;
const MAX_CHARACTERS = 200;

/**
 * Finds similar strings by comparing pairs of adjacent letters (Sørensen–Dice coefficient). Returns at
 * most `most` items, with the best match first.
 */
export function nearest<T>(wanted: string, among: Iterable<T>, textOf: (one: T) => string, most = 3): T[] {
	const pairs = letterPairs(wanted);
	return [...among]
		.map((one) => {
			const text = textOf(one);
			const end = text.replace(/^[^/.]*[/.]/, "");
			return { one, alike: Math.max(likeness(pairs, text), likeness(pairs, end)) };
		})
		.filter(({ alike }) => alike >= ALIKE)
		.sort((one, other) => other.alike - one.alike)
		.slice(0, most)
		.map(({ one }) => one);
}

function likeness(wanted: ReadonlySet<string>, text: string): number {
	const pairs = letterPairs(text);
	let shared = 0;
	for (const pair of pairs) if (wanted.has(pair)) shared++;
	return (2 * shared) / (pairs.size + wanted.size);
}

/** Adds a space before and after the text, so that every letter belongs to two pairs of characters. */
function letterPairs(text: string): Set<string> {
	const characters = [...` ${foldCase(text.slice(0, MAX_CHARACTERS))} `];
	return new Set(characters.slice(1).map((one, index) => `${characters[index]}${one}`));
}

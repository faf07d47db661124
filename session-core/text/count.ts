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

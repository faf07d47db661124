const WORDLIKE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’.-]*/gu;
const LATIN = /^[\0-\u02ff]*$/;
const DENSE_SCRIPT =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * Counts the words in the first 1,200 characters. Two Chinese, Japanese, Korean or Thai characters count
 * as one word.
 */
export function countWords(text: string): number {
	const head = text.slice(0, 1_200);
	if (LATIN.test(head)) return head.match(WORDLIKE)?.length ?? 0;
	const dense = head.match(DENSE_SCRIPT)?.length ?? 0;
	const spaced = head.replace(DENSE_SCRIPT, " ").match(WORDLIKE)?.length ?? 0;
	return spaced + dense / 2;
}

/**
 * Estimates one token for four bytes of UTF-8. An exact tokenizer would be too large, and providers
 * count differently.
 */
export function estimateTokens(text: string): number {
	return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Formats US dollars with at least two significant digits: `$0.0042`, `$1.50`. */
export function costText(cost: number): string {
	return `$${cost > 0 && cost < 0.1 ? cost.toPrecision(2) : cost.toFixed(2)}`;
}

/** How much a text says, by length and script alone. */

const WORDLIKE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’.-]*/gu;
const DENSE_SCRIPT =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * How much a text says, in words; scripts that pack more into a character than Latin does count two characters a word.
 * Counts at most the first 1,200 characters.
 */
export function substance(text: string): number {
	const head = text.slice(0, 1_200);
	const dense = head.match(DENSE_SCRIPT)?.length ?? 0;
	const spaced = head.replace(DENSE_SCRIPT, " ").match(WORDLIKE)?.length ?? 0;
	return spaced + dense / 2;
}

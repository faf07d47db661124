/** The words of a text as a set to compare texts by, in any script. */
export type Terms = ReadonlySet<string>;

const TOKEN =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|\p{Script=Hangul}+|[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /^\p{Script=Hangul}/u;

/**
 * Words of three letters or more, lower-cased, plural and past endings folded; scripts without spaces as pairs of characters;
 * Korean words by their first two syllables, since particles are glued to their end. Reads at most `bound` characters.
 */
export function termsOf(text: string, bound = 4_000): Set<string> {
	const terms = new Set<string>();
	for (const [token] of text.slice(0, bound).matchAll(TOKEN)) {
		if (UNSPACED.test(token)) {
			for (let index = 0; index + 2 <= token.length; index++) terms.add(token.slice(index, index + 2));
		} else if (HANGUL.test(token)) {
			if (token.length >= 2) terms.add(token.slice(0, 2));
		} else if (token.length >= 3) {
			terms.add(fold(token.toLowerCase()));
		}
	}
	return terms;
}

function fold(word: string): string {
	return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
}

/**
 * Words that carry no topic, in the languages whose grammar is made of separate words. Only sharpens comparisons: in other
 * languages such words simply count as topic.
 */
const COMMON = termsOf(
	`the and you that this with for not are was were what why how when where which who can could should would will shall may might
	does did done has have had but let lets also just like look looks need needs want make makes made get gets got use uses used
	using there here then than them they their its it's i'm i'll don't doesn't isn't aren't can't won't that's what's now still same
	all any some more most only into from about out off over under again please okay yes yeah well hey actually maybe think guess
	suppose something anything everything thing things stuff right wrong good bad fine great way first next last new old one two
	que los las una por para con como más pero este esta eso sobre también cuando donde hacer hay está
	les des une pour dans avec sur pas mais aussi qui que quoi cette être faire
	und der die das ein eine nicht mit für auf ist sind wie auch noch nur wenn aber`,
);

/** The terms of a text that carry a topic. */
export function tellingTerms(text: string, bound?: number): Set<string> {
	const terms = termsOf(text, bound);
	for (const term of terms) if (COMMON.has(term)) terms.delete(term);
	return terms;
}

/** The share of `terms` that occur in `other`; 0 for no terms. */
export function shareIn(terms: Terms, other: Terms): number {
	if (terms.size === 0) return 0;
	let shared = 0;
	for (const term of terms) if (other.has(term)) shared++;
	return shared / terms.size;
}

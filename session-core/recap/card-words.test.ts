import { describe, expect, it } from "vitest";
import { languageNamed } from "../text/language.ts";
import { cleanLine } from "../text/sanitize.ts";
import { type CardWords, cardWords } from "./card-words.ts";
import { LANGUAGES } from "./locale.ts";

const TABLES = LANGUAGES.map((code) => ({ code, words: cardWords(code, {})(undefined) }));

/**
 * Returns every text in a table with its key. Functions are called with a singular number, a plural
 * number and a word as each of their arguments.
 */
function textsOf({ language: _, recap, outcome, ...changes }: CardWords): [string, string][] {
	const entries = [recap, outcome, changes].flatMap((table) => Object.entries(table));
	return entries.flatMap(([key, entry]) => {
		if (typeof entry === "string") return [[key, entry]];
		return [1, 2, "x.ts"].map((value): [string, string] => [
			`${key}(${value})`,
			String(Reflect.apply(entry, undefined, [value, value])),
		]);
	});
}

describe.each(TABLES)("the words of a card in $code", ({ code, words }) => {
	it("can be shown as they are, and are written in the language's own script", () => {
		const { script } = languageNamed(code);
		const own =
			script === "Kana" ? "[\\p{Script=Kana}\\p{Script=Hira}\\p{Script=Han}]" : `\\p{Script=${script}}`;
		for (const [key, text] of textsOf(words)) {
			expect(text.trim(), key).not.toBe("");
			expect(cleanLine(text), key).toBe(text.trim());
			expect(text, key).not.toMatch(/undefined|null|NaN|\$\{|\[object/);
			expect(text.replace(/HEAD|x\.ts/g, ""), key).toMatch(new RegExp(own, "u"));
		}
	});

	it("label each part of a recap differently", () => {
		const { edited: _, thenEdited: __, committed: ___, before: ____, ...labels } = words.recap;
		const texts = Object.values(labels);
		expect(new Set(texts).size).toBe(texts.length);
		for (const text of texts) expect(text).toMatch(/(?:: |：)$/);
	});
});

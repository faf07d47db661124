import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf, FoldedText, foldCase } from "./fold.ts";

describe("folding case", () => {
	test.each([
		["ΚΟΣΜΟΣ", "κοσμος"],
		["STRASSE", "straße"],
		["STRAẞE", "strasse"],
		["ﬁrst", "FIRST"],
		["\u212aelvin", "kelvin"],
		["ПРИВЕТ", "привет"],
		["Ⓐ", "ⓐ"],
		["ＡＢＣ", "ａｂｃ"],
	])("%s is %s", (one, other) => expect(foldCase(one)).toBe(foldCase(other)));

	test("knows every letter that is folded, wherever Unicode has one", () => {
		const known = new Set([...casesOf().values()].flat());
		const missing: string[] = [];
		for (let code = 0; code < 0x110000; code++) {
			if (code >= 0xd800 && code <= 0xdfff) continue;
			const char = String.fromCodePoint(code);
			if (foldCase(char) !== char && !known.has(char)) missing.push(code.toString(16));
		}
		expect(missing).toEqual([]);
	});

	test("leads back to where a match stands, also where letters became several", () => {
		const text = fc.array(fc.constantFrom("a", "ß", "Σ", "ﬃ", "İ", "😀", "Ω", " "), { maxLength: 12 });
		fc.assert(
			fc.property(text, text, (before, after) => {
				const folded = new FoldedText([...before, "#", ...after].join(""));
				expect(folded.placeOf(folded.folded.indexOf("#"))).toBe(before.join("").length);
			}),
		);
	});
});

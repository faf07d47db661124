import { describe, expect, test } from "vitest";
import { foldCase } from "./case-folding.ts";

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
});

import { expect, test } from "vitest";
import { foldCase } from "./fold-case.mjs";
import { nearest } from "./words.ts";

test.each([
	["ΚΟΣΜΟΣ", "κοσμος"],
	["STRASSE", "straße"],
	["STRAẞE", "strasse"],
	["ﬁrst", "FIRST"],
	["\u212aelvin", "kelvin"],
	["ПРИВЕТ", "привет"],
	["Ⓐ", "ⓐ"],
	["ＡＢＣ", "abc"],
	["Café", "cafe"],
])("%s is the same word as %s", (one, other) => expect(foldCase(one)).toBe(foldCase(other)));

const TITLES = ["Fix the date parser", "Move the queue to SQLite", "日本語の検索を直す", "Fix login"];
const near = (typed: string, most?: number) => nearest(typed, TITLES, (title) => title, most);

test.each([
	["Fix the data parser", "Fix the date parser"],
	["queue sqlite", "Move the queue to SQLite"],
	["日本語検索", "日本語の検索を直す"],
	["fix lgoin", "Fix login"],
])("%s is nearest to %s", (typed, title) => expect(near(typed)[0]).toBe(title));

test("texts with little in common are not similar", () => {
	expect(near("xylophone")).toEqual([]);
	expect(near("")).toEqual([]);
	expect(near("Fix", 1)).toHaveLength(1);
});

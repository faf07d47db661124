import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const TITLES = ["Fix the date parser", "Move the queue to SQLite", "日本語の検索を直す", "Fix login"];
const near = (typed: string, most?: number) => nearest(typed, TITLES, (title) => title, most);

test.each([
	["Fix the data parser", "Fix the date parser"],
	["queue sqlite", "Move the queue to SQLite"],
	["日本語検索", "日本語の検索を直す"],
	["fix lgoin", "Fix login"],
])("%s is nearest to %s", (typed, title) => expect(near(typed)[0]).toBe(title));

test("nothing is near to what has little in common", () => {
	expect(near("xylophone")).toEqual([]);
	expect(near("")).toEqual([]);
	expect(near("Fix", 1)).toHaveLength(1);
});

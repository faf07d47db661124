import { describe, expect, test } from "vitest";
import {
	currentName,
	type NameRecord,
	nameText,
	previousName,
	readNameRecord,
	TITLE_ENTRY,
	type TitleData,
} from "./name-records.ts";

const name = (id: string, text: string): NameRecord => ({ kind: "name", id, parentId: undefined, text });
const title = (text: string, source: TitleData["source"] = "auto"): NameRecord => ({
	kind: "title",
	id: `t-${text}`,
	parentId: undefined,
	data: { title: text, source },
});

describe("the name in effect", () => {
	test.each<[string, NameRecord[], { text: string; source: string } | undefined]>([
		["no name", [title("A")], undefined],
		["a model's", [title("A"), name("1", "A")], { text: "A", source: "auto" }],
		[
			"the host's own /name after it",
			[title("A"), name("1", "A"), name("2", "B")],
			{ text: "B", source: "manual" },
		],
		["a name without any record", [name("1", "A")], { text: "A", source: "manual" }],
		["our /rename", [title("A", "manual"), name("1", "A")], { text: "A", source: "manual" }],
		["removed", [title("A"), name("1", "A"), name("2", "")], { text: "", source: "manual" }],
	])("%s", (_, records, expected) => {
		if (expected) expect(currentName(records)).toMatchObject(expected);
		else expect(currentName(records)).toBeUndefined();
	});
});

test("the previous name is the newest one with another text, or none", () => {
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "B")])).toBe("A");
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "A")])).toBe("B");
	expect(previousName([name("1", "A")])).toBe("");
	expect(previousName([])).toBe("");
});

test("entries of any shape are read or skipped", () => {
	expect(readNameRecord({ type: "session_info", id: "1", name: " A " })).toEqual(name("1", "A"));
	expect(readNameRecord({ type: "session_info", id: "1" })).toEqual(name("1", ""));
	const entry = { type: "custom", id: "2", customType: TITLE_ENTRY };
	const data = { title: "A", source: "auto", replaces: null, more: 1 };
	expect(readNameRecord({ ...entry, data })).toMatchObject({ kind: "title" });
	const odd = [undefined, null, "x", {}, { title: 1, source: "auto" }, { title: "A", source: "robot" }];
	for (const data of odd) expect(readNameRecord({ ...entry, data })).toBeUndefined();
	const others = [
		{},
		{ type: "session_info" },
		{ type: "session_info", id: 1 },
		{ type: "message", id: "1" },
	];
	for (const other of others) expect(readNameRecord(other)).toBeUndefined();
});

test("a name is one clean line of bounded length", () => {
	expect(nameText(" \x1b[31mDates\n in\u202e UTC ")).toBe("Dates in UTC");
	expect(nameText("\u200b")).toBe("");
	expect(nameText("x ".repeat(500)).length).toBeLessThan(210);
});

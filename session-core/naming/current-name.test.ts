import { describe, expect, test } from "vitest";
import { automaticNames, currentName, overtakenName, previousName } from "./current-name.ts";
import { type NameRecord, readNameRecord, TITLE_ENTRY, type TitleData } from "./record.ts";

const name = (id: string, text: string): NameRecord => ({ kind: "name", id, text });
const title = (text: string, more: Partial<TitleData> = {}): NameRecord => ({
	kind: "title",
	id: `t-${text}`,
	data: { title: text, source: "auto", ...more },
});

describe("the name that counts", () => {
	test.each<[string, NameRecord[], { text: string; source: string } | undefined]>([
		["no name", [title("A")], undefined],
		["a model's", [title("A"), name("1", "A")], { text: "A", source: "auto" }],
		[
			"the host's own /name behind it",
			[title("A"), name("1", "A"), name("2", "B")],
			{ text: "B", source: "manual" },
		],
		["a name without any record", [name("1", "A")], { text: "A", source: "manual" }],
		["our /rename", [title("A", { source: "manual" }), name("1", "A")], { text: "A", source: "manual" }],
		["taken away", [title("A"), name("1", "A"), name("2", "")], { text: "", source: "manual" }],
	])("%s", (_, records, expected) => {
		if (expected) expect(currentName(records)).toMatchObject(expected);
		else expect(currentName(records)).toBeUndefined();
	});
});

test("the name before is the newest with another text, or none", () => {
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "B")])).toBe("A");
	expect(previousName([name("1", "A"), name("2", "B"), name("3", "A")])).toBe("B");
	expect(previousName([name("1", "A")])).toBe("");
	expect(previousName([])).toBe("");
});

test("a name is a model's only if a record before it says so", () => {
	const records = [name("1", "A"), title("A"), name("2", "A"), name("3", "B"), title("B")];
	expect([...automaticNames(records)]).toEqual(["2"]);
});

describe("a person's name that an automatic title overtook", () => {
	const blind = title("auto", { replaces: null });
	test.each<[string, NameRecord[], string | undefined]>([
		["stood before the title", [blind, name("p", "mine"), name("a", "auto")], "mine"],
		["stood before the record, too", [name("p", "mine"), blind, name("a", "auto")], "mine"],
		["came after it", [blind, name("a", "auto"), name("p", "mine")], undefined],
		[
			"was replaced because asked",
			[name("p", "mine"), title("auto", { replaces: "p" }), name("a", "auto")],
			undefined,
		],
		[
			"was set after the one that was replaced",
			[name("p", "first"), name("q", "mine"), title("auto", { replaces: "p" }), name("a", "auto")],
			"mine",
		],
		["nobody set one", [blind, name("a", "auto")], undefined],
		["was an automatic one", [title("other"), name("o", "other"), blind, name("a", "auto")], undefined],
		["cannot be told: an older record", [name("p", "mine"), title("auto"), name("a", "auto")], undefined],
		[
			"cannot be told: a fork left the replaced name behind",
			[name("p", "old"), title("auto", { replaces: "gone" }), name("a", "auto")],
			undefined,
		],
		["reads the same", [name("p", "auto"), blind, name("a", "auto")], undefined],
	])("%s", (_, records, lost) => expect(overtakenName(records)).toBe(lost));
});

test("entries of any shape are read or passed over", () => {
	expect(readNameRecord({ type: "session_info", id: "1", name: " A " })).toEqual(name("1", "A"));
	expect(readNameRecord({ type: "session_info", id: "1" })).toEqual(name("1", ""));
	const entry = { type: "custom", id: "2", customType: TITLE_ENTRY };
	expect(readNameRecord({ ...entry, data: { title: "A", source: "auto", more: 1 } })).toMatchObject({
		kind: "title",
	});
	for (const data of [
		undefined,
		null,
		"x",
		{},
		{ title: 1, source: "auto" },
		{ title: "A", source: "robot" },
	]) {
		expect(readNameRecord({ ...entry, data })).toBeUndefined();
	}
	for (const odd of [
		{},
		{ type: "session_info" },
		{ type: "session_info", id: 1, name: "A" },
		{ type: "message", id: "1" },
	]) {
		expect(readNameRecord(odd)).toBeUndefined();
	}
});

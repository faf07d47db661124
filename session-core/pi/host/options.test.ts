import { describe, expect, test } from "vitest";
import { commandForm, completeOptions, helpText, readArguments, readChoice } from "./options.ts";

const FORM = commandForm({
	name: "it",
	options: [
		["", "Do it"],
		["show", "Show it"],
		["--force", "Do it again"],
		["--llm --force", "Let a model do it again"],
		["--at <entry>", "From an earlier point"],
	],
});

describe("the options of a command", () => {
	const values = (prefix: string) => completeOptions(FORM, prefix)?.map(({ value }) => value) ?? null;

	test.each([
		["", null],
		["show", null],
		["x", null],
		["s", ["show"]],
		["--f", ["--force"]],
		["--llm  --f", ["--llm --force"]],
		["--a", ["--at "]],
		["-", ["--force", "--llm --force", "--at ", "--help"]],
	])(
		"after %j are %j; complete arguments have no completions, so that Enter submits them",
		(prefix, offered) => expect(values(prefix)).toEqual(offered),
	);

	test("with a placeholder are completed up to the placeholder, which the label shows", () =>
		expect(completeOptions(FORM, "--a")).toEqual([
			{ value: "--at ", label: "--at <entry>", description: "From an earlier point" },
		]));

	const unknown = (what: string) => ({
		type: "refused",
		why: `unknown ${what}. Type /it --help to see the options.`,
	});
	test.each([
		["", { type: "given", value: "" }],
		["  SHOW ", { type: "given", value: "show" }],
		["--force --LLM", { type: "given", value: "--llm --force" }],
		["help", { type: "help" }],
		["show -h", { type: "help" }],
		["show --force", unknown('argument "show --force"')],
		["frobnicate", unknown('argument "frobnicate"')],
		["--frob", unknown('option "--frob"')],
		["--force=2", unknown('option "--force=2"')],
		["\x1b[2Jx", unknown('argument "x"')],
	])("%j is read as %j", (args, expected) => expect(readChoice(FORM, args)).toEqual(expected));

	test("are all in the help, which ends with the notes", () => {
		const [text, kind] = helpText(FORM, { type: "help" }, ["Note."]);
		const lines = text.split("\n");
		expect([lines.length, kind]).toEqual([FORM.options.length + 1, "info"]);
		expect(lines[1]).toBe("  /it show           Show it");
		expect(lines.at(-1)).toBe("  Note.");
	});
});

const TEXT = commandForm({
	name: "find",
	options: [
		["<words>", ""],
		["--all --fork", ""],
		["--at <entry>", ""],
	],
});

test.each([
	["", "", undefined, ""],
	["foo --ALL", "--all", undefined, "foo"],
	["foo --fork --at a1 bar --all", "--fork --at --all", "a1", "foo bar"],
	["--at=a1 foo", "--at", "a1", "foo"],
	["--at", "--at", "", ""],
	["--all -- --Fork -h x", "--all", undefined, "--Fork -h x"],
	["-1 offset -xyz -", "", undefined, "-1 offset -xyz -"],
])("%j has the options %j with the value %j, and the text %j", (args, options, at, text) => {
	const given = readArguments(TEXT, args, ["--at"]);
	if (given.type !== "given") return expect.unreachable();
	expect([[...given.options].join(" "), Object.values(given.values)[0], given.text]).toEqual([
		options,
		at,
		text,
	]);
});

test("an unknown option is refused with the way to use it as text", () => {
	expect(readArguments(TEXT, "foo -h")).toEqual({ type: "help" });
	const why =
		'unknown option "--Bar". To use it as text, type /find -- foo --Bar. Type /find --help to see the options.';
	expect(readArguments(TEXT, "foo --Bar")).toEqual({ type: "refused", why });
});

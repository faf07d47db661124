import { describe, expect, test } from "vitest";
import { completeOptions, findOption, helpText, readArguments, unknownText } from "./options.ts";

const OPTIONS = [
	{ value: "", description: "Do it" },
	{ value: "show", description: "Show it" },
	{ value: "--force", description: "Do it again" },
	{ value: "--llm --force", description: "Let a model do it again" },
	{ value: "--at <entry>", description: "From an earlier point" },
	{ value: "--help", description: "What this can do" },
];

describe("the options of a command", () => {
	const values = (prefix: string) => completeOptions(OPTIONS, prefix)?.map(({ value }) => value) ?? null;

	test.each([
		["", null],
		["show", null],
		["x", null],
		["s", ["show"]],
		["--f", ["--force"]],
		["--llm  --f", ["--llm --force"]],
		["--a", ["--at "]],
		["-", ["--force", "--llm --force", "--at ", "--help"]],
	])("behind %j are %j: what is complete offers nothing, so that Enter submits it", (prefix, offered) => {
		expect(values(prefix)).toEqual(offered);
	});

	test("that have a place to fill in are completed up to it, and shown with it", () => {
		expect(completeOptions(OPTIONS, "--a")).toEqual([
			{ value: "--at ", label: "--at <entry>", description: "From an earlier point" },
		]);
	});

	test.each([
		["", ""],
		["  SHOW ", "show"],
		["--force --llm", "--llm --force"],
		["help", "--help"],
		["-h", "--help"],
		["show --force", undefined],
		["frobnicate", undefined],
	])("%j is the option %j", (args, value) => {
		expect(findOption(OPTIONS, args)?.value).toBe(value);
	});

	test("are all in the help, which ends with the notes", () => {
		const lines = helpText("it", OPTIONS, ["Note."]).split("\n");
		expect(lines).toHaveLength(OPTIONS.length + 1);
		expect(lines[1]).toBe("  /it show           Show it");
		expect(lines.at(-1)).toBe("  Note.");
	});

	test("a stranger is named without being obeyed", () => {
		expect(unknownText("recap-card", "\x1b[2Jx")).toBe(
			'recap-card: unknown argument "x". /recap-card --help lists what there is.',
		);
	});
});

const FLAGS = { switches: ["--all", "--fork"], valued: ["--at"] } as const;

function read(args: string) {
	const given = readArguments(args, FLAGS);
	if (given.type !== "given") return given;
	const flags = FLAGS.switches.filter((flag) => given.has(flag));
	return { flags, at: given.values["--at"], text: given.text };
}

describe("arguments", () => {
	test.each([
		["", { flags: [], at: undefined, text: "" }],
		["foo --all", { flags: ["--all"], at: undefined, text: "foo" }],
		["foo --fork --at a1 bar --all", { flags: ["--all", "--fork"], at: "a1", text: "foo bar" }],
		["--at --all", { flags: ["--all"], at: "", text: "" }],
		["--all -- --fork x", { flags: ["--all"], at: undefined, text: "--fork x" }],
		["-1 offset", { flags: [], at: undefined, text: "-1 offset" }],
		["foo -h", { type: "help" }],
		["foo --bar", { type: "unknown", word: "--bar" }],
	])("%j", (args, expected) => expect(read(args)).toEqual(expected));
});

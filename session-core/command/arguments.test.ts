import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readArguments } from "./arguments.ts";

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
		["--ALL foo  bar", { flags: ["--all"], at: undefined, text: "foo bar" }],
		["foo --at a1 bar", { flags: [], at: "a1", text: "foo bar" }],
		["foo --at", { flags: [], at: "", text: "foo" }],
		["--at --all", { flags: ["--all"], at: "", text: "" }],
		["--all -- --fork x", { flags: ["--all"], at: undefined, text: "--fork x" }],
		["-1 offset", { flags: [], at: undefined, text: "-1 offset" }],
		["foo -h", { type: "help" }],
		["-- -h", { flags: [], at: undefined, text: "-h" }],
		["foo --bar", { type: "unknown", word: "--bar" }],
	])("%j", (args, expected) => expect(read(args)).toEqual(expected));

	test("words without hyphens are the text, whatever flags stand between them", () => {
		const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
		const piece = fc.oneof(word, fc.constantFrom("--all", "--fork"));
		fc.assert(
			fc.property(fc.array(piece), (pieces) => {
				const text = pieces.filter((one) => !one.startsWith("-")).join(" ");
				expect(read(pieces.join(" "))).toMatchObject({ text });
			}),
		);
	});
});

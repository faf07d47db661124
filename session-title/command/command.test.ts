import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainFailure, explainUnknownFlag, type RenameFailure } from "./answers.ts";
import { completeCommand, helpText, parseCommand, type RenameAction } from "./parse.ts";
import { runCommand } from "./run.ts";
import { type TitleFacts, titleSection, whyText } from "./why.ts";

const NAMED: TitleFacts = { source: "manual", whyNot: "named", attempts: 0, off: undefined, candidates: [] };

describe("/rename", () => {
	test.each<[string, RenameAction]>([
		["", { type: "kebab" }],
		["   ", { type: "kebab" }],
		["Fix the login", { type: "name", text: "Fix the login" }],
		["  Fix   the login ", { type: "name", text: "Fix   the login" }],
		["--auto", { type: "auto" }],
		["--AUTO ", { type: "auto" }],
		["--undo", { type: "undo" }],
		["--help", { type: "help" }],
		["-h", { type: "help" }],
		["--auto now", { type: "flag_with_name", flag: "--auto" }],
		["-- --auto", { type: "name", text: "--auto" }],
		["-- Fix login", { type: "name", text: "Fix login" }],
		["--", { type: "missing_name" }],
		["--  ", { type: "missing_name" }],
		["--verbose is ignored", { type: "unknown_flag", text: "--verbose is ignored" }],
		["--autos", { type: "unknown_flag", text: "--autos" }],
		["-1 offset in pager", { type: "name", text: "-1 offset in pager" }],
		["fix --verbose", { type: "name", text: "fix --verbose" }],
		["로그인 수정", { type: "name", text: "로그인 수정" }],
	])("%j", (args, action) => expect(parseCommand(args)).toEqual(action));

	test("completes flags once a hyphen is typed, and leaves names alone", () => {
		expect(completeCommand("")).toBeNull();
		expect(completeCommand("Fix")).toBeNull();
		expect(completeCommand("-")?.map(({ label }) => label)).toEqual([
			"--auto",
			"--undo",
			"--why",
			"--help",
			"-- <name>",
		]);
		expect(completeCommand("--u")).toMatchObject([{ value: "--undo" }]);
		expect(completeCommand("--x")).toBeNull();
		expect(completeCommand("--auto")).toBeNull();
		expect(completeCommand("-- my name")).toBeNull();
	});

	test("any text does exactly one thing, and never throws", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (args) => {
				const done: string[] = [];
				const rename = {
					name: () => done.push("name"),
					suggest: async () => void done.push("suggest"),
					undo: () => done.push("undo"),
					facts: () => NAMED,
				};
				runCommand(args, rename, () => done.push("said"));
				expect(done).toHaveLength(1);
			}),
		);
	});

	test.each<[string, Partial<TitleFacts>, RegExp]>([
		["a name of yours", { source: "manual" }, /^you chose it/],
		["a model's", { source: "auto" }, /^a model chose it/],
		["none yet", { source: undefined, whyNot: undefined }, /^none yet: .* settled$/],
		["no topic", { source: undefined, whyNot: "no_topic" }, /^none: there is nothing to name it after yet$/],
		["switched off", { source: undefined, whyNot: "off", off: "flag" }, /^none: .* \(--title-disable\)$/],
		["no model", { source: undefined, whyNot: "no_model" }, /set title\.model or fastModel/],
	])("why: %s", (_, facts, expected) => {
		expect(whyText({ ...NAMED, ...facts })).toMatch(expected);
		const said: string[] = [];
		const nothing = () => undefined;
		const rename = {
			name: nothing,
			suggest: async () => undefined,
			undo: nothing,
			facts: () => ({ ...NAMED, ...facts }),
		};
		void runCommand("--why", rename, (text) => said.push(text));
		expect(said).toEqual([expect.stringMatching(/^title: .*\.$/)]);
		expect(titleSection({ ...NAMED, ...facts }).rows.map(([label]) => label)).toEqual([
			"by itself",
			"name",
			"model",
			"calls",
		]);
	});

	test("help names every form", () => {
		for (const form of ["<name>", "--auto", "--undo", "-- <name>", "--help"])
			expect(helpText()).toContain(form);
	});
});

describe("every reason for a failure", () => {
	const reasons: RenameFailure[] = [
		"no_model",
		"empty_history",
		"empty_result",
		"empty_name",
		"nothing_to_undo",
		"named_meanwhile",
		"moved_on",
		"unreadable",
		"not_written",
		"no_credentials",
		"unsupported",
		"rate_limited",
		"provider_error",
		"timeout",
		"aborted",
		"empty",
	];
	test("has a sentence of its own, with what to do", () => {
		const sentences = reasons.map((reason) => explainFailure(reason, "p/m"));
		expect(new Set(sentences).size).toBe(reasons.length);
		for (const sentence of sentences) expect(sentence).toMatch(/^title: \S.*\.$/);
		const remedy = /\/\w+|try again|ask again|choose|check|name it|cancelled/i;
		for (const sentence of sentences) expect(sentence).toMatch(remedy);
	});

	test("an unknown flag points at the way to use it as a name, safely shown", () => {
		expect(explainUnknownFlag("--verbose is ignored")).toContain("/rename -- --verbose is ignored");
		expect(explainUnknownFlag("--\x1b[31mred")).not.toContain("\x1b");
	});
});

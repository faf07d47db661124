import { describe, expect, test } from "vitest";
import { completeRename, parseRename } from "./command.ts";
import { type TitleFacts, titleSection, whyNamed } from "./report.ts";

const UNNAMED: TitleFacts = {
	name: undefined,
	whyNot: undefined,
	attempts: 0,
	failed: undefined,
	off: undefined,
	candidates: [],
};

describe("/rename", () => {
	test.each<[string, ReturnType<typeof parseRename>]>([
		["   ", { type: "kebab" }],
		["  Fix   the login ", { type: "name", text: "Fix   the login" }],
		["--AUTO ", { type: "auto" }],
		["--undo", { type: "undo" }],
		["-h", { type: "help" }],
		["-- --auto", { type: "name", text: "--auto" }],
		["-1 offset in pager", { type: "name", text: "-1 offset in pager" }],
		["fix --verbose", { type: "name", text: "fix --verbose" }],
	])("reads %j", (args, action) => expect(parseRename(args)).toEqual(action));

	test("completes options after a hyphen, but no names", () => {
		const labels = (prefix: string) => completeRename(prefix)?.map(({ label }) => label);
		expect(labels("-")).toEqual(["--auto", "--undo", "--why", "-- <name>", "--help"]);
		expect(labels("--u")).toEqual(["--undo"]);
		for (const prefix of ["", "Fix", "--x", "--auto", "--", "-- ", "-- my name"])
			expect(labels(prefix)).toBeUndefined();
	});

	const failed = { ok: false, model: "p/m" } as const;
	test.each<[string, Partial<TitleFacts>]>([
		["you chose this name", { name: { source: "manual", model: undefined } }],
		["automatic titles are off (because of --title-disable)", { whyNot: "off", off: "flag" }],
		["set title.model, pass --title-model, or type /recap model", { whyNot: "no_model" }],
		[
			"attempts have been used. Last request: p/m failed (400)",
			{ whyNot: "attempts", failed: { ...failed, reason: "provider_error", status: 400 } },
		],
		[
			"Last request: p/m gave no usable title: too long",
			{ whyNot: "asked", failed: { ...failed, reason: "empty_result", flaw: "too long" } },
		],
	])("--why and the doctor explain: %s", (expected, more) => {
		const facts = { ...UNNAMED, ...more };
		expect(whyNamed(facts)).toContain(expected);
		expect(titleSection(facts).rows[1]).toEqual(["name", whyNamed(facts)]);
	});
});

test("--why quotes the provider, and the doctor, whose output is shared, does not", () => {
	const failed = {
		ok: false,
		reason: "provider_error",
		model: "p/m",
		status: 400,
		detail: "no pirates",
	} as const;
	const facts: TitleFacts = { ...UNNAMED, whyNot: "attempts", failed };
	expect(whyNamed(facts)).toContain("p/m failed (400: no pirates)");
	expect(JSON.stringify(titleSection(facts))).not.toContain("pirates");
});

test.each([
	["--auto now", "--auto takes no name"],
	["--  ", "type a name after --"],
	["--verbose is ignored", "/rename -- --verbose is ignored"],
	["--auto --why", "--auto takes no name"],
	["--\x1b[31mred", 'unknown option "--red"'],
])("%j is refused, with what to type instead", (args, why) => {
	expect(parseRename(args)).toEqual({ type: "refused", why: expect.stringContaining(why) });
});

import { describe, expect, it } from "vitest";
import { displayWidth } from "../text/clip.ts";
import { LINE_COLUMNS, recapLines } from "./heuristic.ts";
import { recapOf } from "./record.test-support.ts";
import type { SessionRecord } from "./record.ts";

function linesOf(fields: Partial<SessionRecord>): string[] {
	const plain = {
		headline: "Make the lexer accept commas",
		bullets: [],
		next_actions: [],
		outcome: "done",
	} as const;
	return recapLines(recapOf({ ...plain, bullets: [], next_actions: [], ...fields })).slice(1);
}

describe("the lines above the editor", () => {
	it.each<[string, Partial<SessionRecord>, string[]]>([
		["nothing but the headline", {}, []],
		[
			"the state first, and what is open last",
			{ outcome: "waiting", bullets: ["Did: edited lexer.ts"], next_actions: ["Objects, too?", "Maps?"] },
			["Waiting for your answer · Did: edited lexer.ts", "Open: Objects, too?"],
		],
		[
			"why a run failed",
			{ outcome: "error", bullets: ["Error: 529", "Did: a"] },
			["Failed · Error: 529 · Did: a"],
		],
		[
			"no request but the headline",
			{
				bullets: ["Larger work: port it", "You asked last: go on", "Did: edited lexer.ts"],
				bullet_kinds: ["larger", "asked", "did"],
			},
			["Did: edited lexer.ts"],
		],
		["a model's bullet that begins like a label", { bullets: ["Said: go on"] }, ["Said: go on"]],
		[
			"no open point that only repeats the headline",
			{ outcome: "aborted", next_actions: ["Make the lexer accept commas"], next_kinds: ["cut_short"] },
			["Aborted"],
		],
	])("show %s", (_, fields, lines) => expect(linesOf(fields)).toEqual(lines));

	it("leave out an interrupted request if the part that fits repeats the headline", () => {
		const headline = "Make the lexer accept commas in every list and in every object of the file?";
		const action = `${headline} ${"i have a feeling that the grammar must change, too, ".repeat(3)}`;
		expect(
			linesOf({
				outcome: "aborted",
				headline,
				next_actions: [action.replaceAll(",", "")],
				next_kinds: ["cut_short"],
			}),
		).toEqual(["Aborted"]);
	});

	it("leave out bullets that do not fit, and cut the first one at the end of a clause", () => {
		const long = `Said: ${"the lexer takes commas in every list, ".repeat(9)}`;
		const [short = ""] = linesOf({ bullets: [`Did: ${"x".repeat(100)}`, long, "Said: ok"] });
		expect(short).toBe(`Did: ${"x".repeat(100)} · Said: ok`);
		const [cut = ""] = linesOf({ bullets: [long] });
		expect(cut).toMatch(/^Said: the lexer takes commas in every list, .*list …$/);
		expect(displayWidth(cut)).toBeLessThanOrEqual(LINE_COLUMNS);
	});
});

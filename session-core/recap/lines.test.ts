import { describe, expect, it } from "vitest";
import { recapLines } from "./lines.ts";
import type { Recap } from "./record.ts";

function linesOf(fields: Partial<Recap>): string[] {
	return recapLines({
		id: "1",
		kind: "session",
		subject_id: "2",
		generator: { type: "heuristic" },
		headline: "make the lexer accept commas",
		bullets: [],
		next_actions: [],
		artifacts: [],
		outcome: "done",
		checks: "none",
		last_message_id: "m",
		created_at: 3,
		...fields,
	});
}

describe("the lines above the editor", () => {
	const cases: [string, Partial<Recap>, string[]][] = [
		["nothing to say", {}, []],
		[
			"finished",
			{
				checks: "passed",
				bullets: ["Last asked: and objects?", "parse() skips the comma", "Passed: npm test"],
			},
			["Checks passed. parse() skips the comma."],
		],
		[
			"finished, with a failed check and its reason",
			{ checks: "failed", bullets: ["Failed: npm test — 2 failed"], next_actions: ["Get npm test to pass"] },
			["Checks failed: npm test — 2 failed.", "Next: Get npm test to pass"],
		],
		[
			"waiting",
			{
				outcome: "waiting",
				checks: "not_run",
				bullets: ["parse() skips it"],
				next_actions: ["Objects, too?"],
			},
			["Waiting for your answer, not checked since the last edit. parse() skips it.", "Next: Objects, too?"],
		],
		[
			"a proposal",
			{ outcome: "waiting", bullets: ["Split lexer.ts in two", "Nothing was changed for it yet"] },
			["Waiting for your answer, nothing was changed for it yet. Split lexer.ts in two."],
		],
		[
			"aborted, where it was",
			{ outcome: "aborted", checks: "not_run", next_actions: ["Continue: fix the escape handler"] },
			["Aborted, not checked since the last edit.", "Next: fix the escape handler"],
		],
		[
			"aborted before anything",
			{ outcome: "aborted", bullets: ["No output before the abort"], next_actions: ["Resend: and objects"] },
			["Aborted before any output.", "Next: resend “and objects”"],
		],
		[
			"aborted, with what stood in the way",
			{ outcome: "aborted", checks: "not_run", bullets: ["Remove run()", "Failed: npx tsc — no property a"] },
			["Aborted, not checked since the last edit. Failed: npx tsc — no property a."],
		],
		[
			"failed, with the reason once",
			{ outcome: "error", checks: "passed", bullets: ["Error: terminated", "There are 77 usages of chalk"] },
			["Failed: terminated. Checks passed. There are 77 usages of chalk."],
		],
		["failed without a reason", { outcome: "error" }, ["Failed."]],
		["cut in the middle", { outcome: "running" }, ["Interrupted in the middle of a run."]],
		["a word for an answer", { bullets: ["Replied: ok"] }, ["The reply was “ok”."]],
		[
			"a word for the last of two questions",
			{ bullets: ["Last asked: and what number was it", "Replied: 42"] },
			["Last asked “and what number was it”, the reply was “42”."],
		],
		[
			"only a commit",
			{ bullets: ["Committed: Accept trailing ones"] },
			["Committed “Accept trailing ones”."],
		],
		["nothing that the headline says", { bullets: ["the lexer accepts commas"] }, []],
	];
	it.each(cases)("%s", (_, fields, lines) => {
		expect(linesOf(fields)).toEqual(["make the lexer accept commas", ...lines]);
	});

	it("takes what tells most, and no list where a sentence fits", () => {
		const bullets = [
			"I looked at it for a while",
			"a.ts (12 lines) · b.ts (9 lines) · c.ts (3 lines)",
			"lexer.ts keeps 2 tokens for commas",
		];
		expect(linesOf({ bullets })[1]).toBe("lexer.ts keeps 2 tokens for commas.");
	});
});

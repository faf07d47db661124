import { describe, expect, test } from "vitest";
import { EDIT, type Happening, PASS, timelineOf } from "../log/timeline/log.test-support.ts";
import { supportedSentences } from "./check-claims.ts";

describe("a model's answer", () => {
	const ground = (answer: string, input: string, happenings: Happening[] = []) =>
		supportedSentences(answer, { input, timeline: timelineOf(happenings) })?.trim();

	test.each([
		[
			"Fixing src/date/parse.ts (#42). Commit a1b2c3d touches 1,204 lines.",
			"edited src/date/parse.ts for #42, commit a1b2c3d, 1204 lines",
		],
		// A prefix in another script belongs to the sentence, not to the file's name.
		["הדוח תוקן, ו-tests/test_report.py מראה 21 passed.", "tests/test_report.py 21 passed"],
		["Uses Node 20.6 and v3.1.2, e.g. for the API.", "node 20.6, v3.1.2"],
	])("keeps %j, whose names and figures occur in %j", (answer, input) => {
		expect(ground(answer, input)).toBe(answer);
	});

	test.each([
		["a file", "Fixing the parser. Also edited src/lexer.ts."],
		["a commit", "Fixing the parser. The newest is deadbe3f."],
		["a ticket", "Fixing the parser. It closes #99."],
		["a figure", "Fixing the parser. 536 cases are left."],
	])("loses a sentence with %s that does not occur", (_, answer) => {
		expect(ground(answer, "the parser")).toBe("Fixing the parser.");
	});

	test("loses only the clauses that are not supported, as long as the first one is", () => {
		const answer = "The parser rejects day 31, lint is clean, and it is in parse.ts. It is not pushed.";
		expect(ground(answer, "parse.ts rejects day 31")).toBe(
			"The parser rejects day 31, and it is in parse.ts. It is not pushed.",
		);
		expect(ground("Edited lexer.ts, as asked. Done.", "the parser")).toBe("Done.");
	});

	test("is discarded only if no sentence is supported", () => {
		expect(ground("Edited lexer.ts.", "the parser")).toBeUndefined();
		expect(ground("Edited lexer.ts. The parser is next.", "the parser")).toBe("The parser is next.");
	});

	test.each(["All tests pass now.", "The build is green, next comes the release.", "Lint is clean."])(
		"needs a run that shows: %s",
		(claim) => {
			const claims: Happening[] = [EDIT, "< All tests pass now, the build is green."];
			expect(ground(`Fixing it. ${claim}`, "", claims)).toBe("Fixing it.");
			expect(ground(`Fixing it. ${claim}`, "", [EDIT, PASS])).toBe(`Fixing it. ${claim}`);
		},
	);

	test.each([
		["It is committed.", "git commit -m x", "[main 1a2b3c4] x"],
		["It is pushed to main.", "git push", "1a2b3c4..5d6e7f8  main -> main"],
	])("needs a step that shows: %s", (claim, bash, out) => {
		expect(ground(`Fixing it. ${claim}`, "", [EDIT, { says: claim }])).toBe("Fixing it.");
		expect(ground(`Fixing it. ${claim}`, "", [EDIT, { bash, out }])).toBe(`Fixing it. ${claim}`);
		const failed: Happening = { bash, out: "fatal: it did not work", fails: true };
		expect(ground(`Fixing it. ${claim}`, "", [EDIT, failed])).toBe("Fixing it.");
	});

	test.each<[string, string, Happening[]]>([
		["a check that failed later", "All tests pass.", [PASS, "! npm test → 1 failed"]],
		["a dry run", "It is pushed.", ["$ git push --dry-run → ok"]],
		["a command's help", "It is committed.", ["$ git commit --help → ok"]],
		["a file with that name", "It is pushed.", ["edit /code/app/push.ts"]],
		["a wish of the user", "It is committed.", ["> I want it committed"]],
		["a pass before the last edit", "All tests pass.", [EDIT, PASS, EDIT]],
		["another check", "All tests pass.", [EDIT, "$ npm run check → Checked 26 files. No fixes applied."]],
	])("is not supported by %s", (_, claim, happenings) => {
		expect(ground(`Fixing it. ${claim}`, "", happenings)).toBe("Fixing it.");
	});

	const OLD: Happening[] = [EDIT, "$ npm test → 43 passed", EDIT];
	const CHECK = "$ npm run check 2>&1 | tail -5 → Checked 26 files. No fixes applied.";
	test.each<[string, string, Happening[]]>([
		["a figure of a run before the last edit", "43 tests passed.", OLD],
		["a pass before an edit of prose", "All tests pass.", [...OLD, PASS, "edit CHANGELOG.md"]],
		["a successful command that it names", "npm run check is clean.", [EDIT, CHECK]],
		["what was made", "PR #91 has parser.ts.", [EDIT, "$ gh pr create -f → https://github.com/o/r/pull/91"]],
		[
			"what was said",
			"json.loads is in loop.py (84 lines).",
			["> use json.loads // < Now loop.py has 84 lines."],
		],
		[
			"a pass of another check than the one that failed",
			"All tests pass, but lint fails.",
			[PASS, "! npm run lint → 2 errors"],
		],
		["what the user says they did", "The branch is pushed.", ["> I pushed the branch, go on with the docs"]],
	])("is supported by %s", (_, claim, happenings) => {
		expect(ground(claim, claim.startsWith("43") ? "43" : "", happenings)).toBe(claim);
	});

	test.each([
		"The tests do not pass yet.",
		"Next: verify that the build is green.",
		"The change needs to be pushed.",
		"If the tests pass, it can be committed.",
		"The merged array keeps trailing commas.",
		"The build is clean of the old rule.",
		"Each item is pushed onto the stack.",
		"Rien n'est encore commité.",
		"まだコミットしていない。",
	])("claims nothing: %s", (sentence) => expect(ground(sentence, "")).toBe(sentence));
});

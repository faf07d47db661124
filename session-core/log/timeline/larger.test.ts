import { describe, expect, it, test } from "vitest";
import { currentRequest, goalOf, goalText, isSubstantial, largerWork } from "./larger.ts";
import { cwd, type Happening, timelineOf } from "./log.test-support.ts";

const FIRST = "Port the whole scheduler to the new clock and drop the old timers in every module";
const PORT = `> ${FIRST}`;
const EDIT = "edit src/clock.ts";
const timeline = (...happenings: Happening[]) => timelineOf(happenings, { cwd });
const current = (...happenings: Happening[]) => currentRequest(timeline(...happenings))?.request;
const larger = (...happenings: Happening[]) => largerWork(timeline(...happenings))?.number;
const said = (says: string): Happening => ({ says });

describe("the current request", () => {
	const NEXT = "Now write a changelog entry for the release with all user-visible changes";
	const COLOURS = "Set the colours of headings, links and bullets of the list to yellow";
	const WORK = `$ npm test → 3 passed // ${EDIT} // $ npm run build`;
	const DONE = `${PORT} // ${EDIT} // < Ported.`;
	it.each([
		["the newest clear request that the agent has worked on", `${DONE} // > ${NEXT} // < Written.`, NEXT],
		["aborted at once and continued", `${DONE} // > ${COLOURS} // aborted // > f0c674 // ${EDIT}`, COLOURS],
		["not one that was only aborted", `${DONE} // > ${COLOURS} // aborted`, FIRST],
		["short if work followed", `${DONE} // > fix the flaky test // ${WORK}`, "fix the flaky test"],
		[
			"short if it names a file and a call followed",
			`${DONE} // > rename it in lib.ts // ${EDIT}`,
			"rename it in lib.ts",
		],
		["not one that names a file without a call", `${DONE} // > rename it in lib.ts // < Done.`, FIRST],
		["not one that nothing has followed yet", `${DONE} // > ${NEXT}`, FIRST],
		["any request if none is substantial", "> fix typo // < Where?", "fix typo"],
		...["ok", "continue", "응 해줘", "thanks, that is perfect"].map((word) => [
			`not ${word}`,
			`${DONE} // > ${word} // < 👍`,
			FIRST,
		]),
	])("is %s", (_, happenings = "", request) => expect(current(happenings)).toBe(request));

	it("is absent in an empty session", () => expect(current()).toBeUndefined());
});

it("a pasted log does not make a request substantial", () => {
	const log = "```\nTypeError: the rows of the table were not there when the importer ran\n```\nwhy?";
	const [turn] = timeline({ user: log }, said("…")).turns;
	expect(turn && isSubstantial(turn)).toBe(false);
});

it.each([
	"[ERROR] TS2307: Cannot find the module of the clock or its corresponding type declarations here",
	"src\\clock.py:90: FutureWarning: You are using the old timers, which will be removed in a later release",
	"ERROR ReferenceError: the clock is not defined in the scheduler that was started with the application",
])("a message that is pasted later is not the larger work: %s", (pasted) => {
	const request = "> Use the new clock in all of the modules here, please";
	const long = `> ${pasted} ${"and so on ".repeat(20)}`;
	const next = "> Now write a changelog entry for the release with all changes";
	expect(larger(request, EDIT, said("Done."), long, EDIT, EDIT, EDIT, said("Fixed."), next, EDIT)).toBe(1);
});

describe("the larger work", () => {
	const small = (user: string): Happening[] => [{ user }, EDIT, EDIT, "$ npm test", said("Done.")];

	it("is the session's first request", () =>
		expect(larger(PORT, EDIT, said("Ported."), ...small("now fix the flaky test"))).toBe(1));

	it("does not exist if there is only one request", () =>
		expect(larger(PORT, EDIT, said("Ported."))).toBeUndefined());

	it("is a later request that is much longer than the first one", () => {
		const plan = "Replace the nightly import by a queue. ".repeat(12);
		const later = [EDIT, said("Slow."), ...small(plan), ...small("now fix the flaky test")];
		expect(larger("> look into the import of the last night please, it was slow", ...later)).toBe(2);
		const first = "Port the nightly import to the new clock in every module. ".repeat(6);
		expect(larger({ user: first }, ...later)).toBe(1);
	});

	it("is never a greeting", () =>
		expect(larger("> hi", said("Hello!"), PORT, EDIT, said("Ported."))).toBeUndefined());
});

describe("the goal of a summary is considered reached", () => {
	const goalAfter = (count: number, ...work: Happening[]) => {
		const requests = Array.from({ length: count }, () => ["> go on", ...work, said("Done.")]);
		return goalText(timeline("summary: ## Goal⏎An aim", ...requests.flat()));
	};

	it("after 45 requests", () => {
		expect(goalAfter(44, EDIT)).toBe("An aim");
		expect(goalAfter(46, EDIT)).toBeUndefined();
	});

	it("if several requests in a row were followed by no edit", () => {
		expect(goalAfter(2)).toBe("An aim");
		expect(goalAfter(6)).toBeUndefined();
	});
});

it("the goal is taken from the newest summary", () => {
	const { turns } = timeline("summary: ## Goal⏎Old aim", PORT, EDIT, "summary: ## Goal⏎New aim", "> go on");
	expect(goalText({ turns })).toBe("New aim");
});

it.each([
	["## Goal\nMove the queue to SQLite\n\n## Progress\n- [x] schema", "Move the queue to SQLite"],
	["# Notes\n## Primary Request and Intent\n1. **Port** the `clock`", "Port the clock"],
	["## Goal\n- Port the clock\n- Drop the shim\n## Next", "Port the clock. Drop the shim"],
	["## Goal\nMove it\n✅ Schema is finished\n- [x] Schema\n- [ ] Tests\n## Next", "Move it"],
	["## Goal\nMove it\n(DONE) the schema\nStatus: in progress\nCompleted: the schema\n(none)", "Move it"],
	[undefined, undefined],
	["## Goal\n(No specific goal)", undefined],
	["## Goal\n✅ Done", undefined],
	["## Requests\n- Rebase the branch\n- Push it\n- Count the files\n## Next", undefined],
	["## Goal\nDesign level 2. Level 1 is complete.\n## Next", "Design level 2"],
])("the goal of the summary %j is %j", (summary, goal) => expect(goalOf(summary)).toBe(goal));

it("the goal of a summary is bounded", () =>
	expect(goalOf(`## Goal\n${"Port the clock. ".repeat(2_000)}`)?.length).toBeLessThanOrEqual(420));

test.each([
	['The user requested to "port the parser to the new lexer" and more.', "Port the parser to the new lexer"],
	["The user initially asked to build a small server. It is tested.", "Build a small server. It is tested"],
	["The user's primary request was for a faster list.", "A faster list"],
	["The users of the board want to see it.", "The users of the board want to see it"],
])("a goal begins with what is requested: %s", (goal, said) =>
	expect(goalOf(`## Primary Request and Intent\n${goal}`)).toBe(said),
);

import { describe, expect, it } from "vitest";
import { cwd, type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { openActions, wholeRequest } from "./open.ts";

const open = (...happenings: Happening[]) => openActions(timelineOf(happenings, { cwd }));
const ASK: Happening = { user: "Make the parser in src accept trailing commas please" };
const EDIT: Happening = { tool: "edit", args: { path: "src/parser.ts" }, diff: "+ 1 a" };
const step = (text: string) => ({ kind: "step", text });

describe("what is open without a model", () => {
	it.each([
		["the closing question", "Should I commit it?", [{ kind: "question", text: "Should I commit it?" }]],
		[
			"the unticked boxes, at most three",
			"- [x] a b c\n- [ ] the docs\n- [ ] the tests\n- [ ] the demo\n- [ ] the site",
			[step("the docs"), step("the tests"), step("the demo")],
		],
		["nothing where no question mark asks", "If you want, I can add a changelog entry.", []],
		["nothing where a label stands before a list", "Next steps:\n- Port the printer", []],
	])("is %s", (_, end, actions) => {
		expect(open(ASK, EDIT, { says: `The parser takes commas.\n\n${end}` })).toEqual(actions);
	});

	it.each<[string, Happening[]]>([
		["an abort", [{ says: "", stop: "aborted" }]],
		["an error", [{ says: "", stop: "error", error: "fetch failed" }]],
		["a call without a result", [{ bash: "npm test", pending: true }]],
	])("after %s is the request that was cut short", (_, end) => {
		const text = "Make the parser in src accept trailing commas please";
		expect(open(ASK, EDIT, ...end)).toEqual([{ kind: "cut_short", text }]);
	});

	it("is the whole request that was cut short, as the user wrote it", () => {
		const user = `make the parser in /code/app/src accept commas:\n${"- and the printer write them back\n".repeat(20)}please`;
		expect(open({ user }, EDIT, { says: "", stop: "aborted" })).toEqual([
			{ kind: "cut_short", text: user.replaceAll("\n", " ") },
		]);
		const timeline = timelineOf([{ user: user.repeat(9) }, EDIT, { says: "", stop: "aborted" }]);
		const [point] = openActions(timeline);
		expect(point?.text).toMatch(/^make the parser .{1900,}…$/);
		expect(point && wholeRequest(timeline, point)).toBe(user.repeat(9));
	});

	it("is cut at a clause after 320 columns if the agent said it", () => {
		const [asked] = open(ASK, {
			says: `Should I commit it, ${"or wait for the review, ".repeat(20)}or not?`,
		});
		expect(asked?.text).toMatch(/^Should I commit it, .{200,300} …$/);
	});

	it.each(["no", "ok", "2", "lieber nicht"])("is settled by the user's next message: %s", (user) => {
		const asked: Happening[] = [{ user: "port it to the clock" }, { says: "Shall I delete the old fake?" }];
		expect(open(...asked, { user }, { says: "OK, I keep the fake." })).toEqual([]);
	});

	it("is nothing in an empty session", () => expect(open()).toEqual([]));
});

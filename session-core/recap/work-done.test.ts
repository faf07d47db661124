import { describe, expect, it } from "vitest";
import { rowsOf } from "../../test/support/table.ts";
import { ASK, cwd, type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { displayWidth } from "../text/clip.ts";
import { ENGLISH } from "./card-words.ts";
import { checksOf, didLine } from "./work-done.ts";

const timeline = (...happenings: Happening[]) => timelineOf([ASK, ...happenings], { cwd });
const did = (...happenings: Happening[]) => didLine(timeline(...happenings), 0, ENGLISH.recap);
const checks = (...happenings: Happening[]) => checksOf(timeline(...happenings));

const scripted = (command: string, status = "ok", error?: string) => ({
	name: "bash",
	arguments: { command },
	status,
	...(error !== undefined && { error }),
});

const scriptedEdit = { name: "edit", arguments: { path: "src/a.ts", edits: [] }, status: "ok" };
it.each<[string, Happening[], string]>([
	["the only command's output", [{ calls: [scripted("npm test")], out: "3 passed" }], "npm test → 3 passed"],
	["no output", ["$ jest → 9 failed", { calls: [scriptedEdit, scripted("make")] }], "edited a.ts · make"],
	[
		"the last of several commands",
		[{ calls: [scripted("make"), scripted("npm run lint")], out: "ok" }],
		"npm run lint",
	],
	["an error", [{ calls: [scripted("npm test", "error", "Tests: 2 failed")] }], "npm test → Tests: 2 failed"],
])("what a script did is what was done, with %s", (_, happenings, line) => {
	expect(did(...happenings)).toBe(line);
});

/** Columns: what happened, what was done. */
const DID = `
edit src/parser.ts ¦ edited parser.ts
edit src/a.ts // edit src/b.ts // edit src/a.ts ¦ edited a.ts ×2, b.ts
edit a/index.ts // edit b/index.ts ¦ edited b/index.ts, a/index.ts
edit a.ts // edit b.ts // edit c.ts // edit d.ts // edit e.ts ¦ edited e.ts, d.ts, c.ts and 2 more
edit a.ts // $ pytest -q 2>&1 | tail -3 → ....⏎536 passed in 4.1s ¦ edited a.ts · pytest -q → 536 passed in 4.1s
$ CI=1 NODE_OPTIONS="--no-warnings" npm test 2>&1 | tail -3 → 43 passed ¦ npm test → 43 passed
$ pytest -k 'a > b | tail' > log → 536 passed ¦ pytest -k 'a > b | tail' → 536 passed
$ pytest -q → 5 passed // edit docs/A.md ¦ edited A.md · pytest -q → 5 passed (then edited A.md)
edit a.ts // $ git commit -am x → [main 1a2b3c4] Accept commas ¦ edited a.ts · committed 1a2b3c4 Accept commas
$ gh issue create --title 'Images' → https://github.com/o/r/issues/7 ¦ issue #7 Images
$ gh pr create --title 'Add commas' → https://github.com/o/r/pull/12 ¦ PR #12 Add commas
$ gh issue comment 4 -b x → https://github.com/o/r/issues/4#issuecomment-11 ¦
! npm start → Error: no port⏎  at a.ts:3:1 // edit a.ts ¦ edited a.ts · npm start → Error: no port (then edited a.ts)
! npm test → 2 failed // edit src/a.ts ¦ edited a.ts · npm test → 2 failed (then edited a.ts)
! ./deploy.sh → Error: permission denied // $ ls -l deploy.sh → -rw-r--r-- ¦ ./deploy.sh → Error: permission denied
write try.ts // $ rm try.ts ¦ 
`;

describe("what was done", () => {
	it.each(rowsOf(DID, "¦"))("after %s is: %s", (happenings = "", line) => {
		expect(did(happenings) ?? "").toBe(line);
	});

	it.each<[string, Happening[]]>([
		["nothing was done", []],
		["the edit failed", [{ tool: "edit", args: { path: "a.ts" }, fails: true, out: "" }]],
		["the file is gone again", [{ tool: "write", args: { path: "try.ts" } }, "$ rm try.ts"]],
	])("is absent where %s", (_, happenings) => expect(did(...happenings) ?? "").not.toMatch(/edited/));

	it("names the branch that was created until a commit shows where the work is", () => {
		const branch = "$ git checkout -b fix/parser origin/main && git status -sb";
		expect(did(branch, "edit a.ts")).toBe("edited a.ts · git checkout -b fix/parser");
		expect(did(branch.replace("$", "!"), "edit a.ts")).not.toContain("fix/parser");
		const commit = "$ git commit -am x → [fix/parser 1a2b3c4] Fix the parser";
		expect(did(branch, "edit a.ts", commit)).toBe("edited a.ts · committed 1a2b3c4 Fix the parser");
	});

	it("is distinguished from the work for earlier requests", () => {
		const [next, printer] = ["> now the printer", "edit printer.ts"];
		const line = (...before: Happening[]) =>
			didLine(timeline(...before, "< In.", next, printer), 1, ENGLISH.recap);
		const old = ["a.ts", "b.ts", "b.ts", "c.ts", "d.ts", "printer.ts"].map((path) => `edit ${path}`);
		expect(line(...old)).toBe("edited printer.ts · earlier: edited b.ts, a.ts, c.ts and 1 more");
		const commits = ["One more", "Two more", "Two more", "Three more", "Four more", "initial"].map(
			(subject, index): Happening => `$ git commit → [main 1a2b3c${index}] ${subject}`,
		);
		expect(line(...old, ...commits)).toBe(
			"edited printer.ts · earlier: committed Four more; Three more; Two more (+1)",
		);
	});

	it("stays within its columns", () => {
		const line = did(...Array.from({ length: 9 }, (_, index) => `edit ${"deep-".repeat(20)}${index}.ts`));
		expect(displayWidth(line ?? "")).toBeLessThanOrEqual(190);
	});
});

describe("checks", () => {
	const TESTS = "pnpm --filter web test";
	const [PASSED, FAILED] = [`$ ${TESTS} → 43 passed`, `$ ${TESTS} → 2 failed`];
	it.each<[string, Happening[], "passed" | "failed"]>([
		["passed, by the runner's summary", [{ bash: TESTS, out: "Tests  41 passed (41)" }], "passed"],
		["failed, by the summary", [`$ ${TESTS} | tail -3 → Tests  2 failed | 41 passed (43)`], "failed"],
		["failed, by the exit status", [`! ${TESTS} → error TS2304: Cannot find name 'x'.`], "failed"],
		["the newest run's", [`$ ${TESTS} → 2 failed`, "edit a.ts", `$ ${TESTS} → 43 passed`], "passed"],
	])("are %s", (_, happenings, verdict) => expect(checks(...happenings).checks).toBe(verdict));

	it("are outdated by an edit; the line stays, with how many files were edited since", () =>
		expect(checks(PASSED, "edit a.ts", "edit a.ts", "edit b.ts")).toEqual({
			evidence: [{ command: TESTS, line: "43 passed", edits_after: 2 }],
		}));

	it("do not depend on the git commands in the same call", () => {
		expect(checks(FAILED, "! git checkout main → fatal: no", "$ git stash → Saved")).toEqual({
			checks: "failed",
			evidence: [{ command: TESTS, line: "2 failed", edits_after: 0 }],
		});
	});

	it.each<[string, Happening[]]>([
		["nothing was run", ["edit a.ts"]],
		[
			"it was run more than two turns ago",
			[
				PASSED,
				...["one", "two", "three"].map((part) => `> now port part ${part} to the new clock // < Ported.`),
			],
		],
		["a run says nothing of how it went", ["$ ./deploy.sh → deploying"]],
		["only the agent says so", ["edit a.ts", "< All 43 tests passed."]],
		["it was only looked at", ["$ cat test.log → 43 passed"]],
		["it has no result yet", [{ bash: TESTS, pending: true }]],
		["it was cancelled", [{ bash: TESTS, aborted: true }]],
		["a tool only told of passing tests", [{ tool: "ask", args: {}, out: "All 12 tests passed" }]],
		["the newest run of the same program is silent", [FAILED, `$ ${TESTS}`]],
		["git worked another way", ["! git checkout main → fatal: no", "$ git -C /w merge topic → Merged"]],
		["git was only traced", ["$ git stash 2>&1 | head -5 → error: no index", "$ GIT_TRACE=1 git stash → ok"]],
		["a commit closed it", [PASSED, "$ git commit -am x → [main 1a2b3c4] x"]],
	])("are absent, and nothing is said, where %s", (_, happenings) => {
		expect(checks(...happenings)).toEqual({});
	});
});

import { describe, expect, it } from "vitest";
import { cwd, type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { displayWidth } from "../text/clip.ts";
import { ENGLISH } from "./card-words.ts";
import { checksOf, didLine } from "./work-done.ts";

const ASK: Happening = { user: "Make the parser in src accept trailing commas please" };
const edit = (path: string): Happening => ({ tool: "edit", args: { path }, diff: "+ 1 a" });
const timeline = (...happenings: Happening[]) => timelineOf([ASK, ...happenings], { cwd });
const did = (...happenings: Happening[]) => didLine(timeline(...happenings), 0, ENGLISH.recap);
const checks = (...happenings: Happening[]) => checksOf(timeline(...happenings));

/** Returns the entries of a script (codemode) that made these calls and printed this output. */
function script(
	out: string,
	...calls: { name: string; arguments: object; status: string; error?: string }[]
): Happening[] {
	const id = `c${calls.length}${out.length}`;
	const call = { type: "toolCall", id, name: "codemode", arguments: { code: "…" } };
	const content = out === "" ? [] : [{ type: "text", text: out }];
	const result = { role: "toolResult", toolCallId: id, toolName: "codemode", content };
	return [
		{ entry: { message: { role: "assistant", content: [call], stopReason: "toolUse" } } },
		{ entry: { message: { ...result, nestedCalls: { calls, complete: true } } } },
	];
}
const scripted = (command: string, status = "ok", error?: string) => ({
	name: "bash",
	arguments: { command },
	status,
	...(error !== undefined && { error }),
});
const BUILT: Happening = { bash: "npm test", out: "9 failed" };

describe("what a script did", () => {
	const scriptedEdit = { name: "edit", arguments: { path: "src/a.ts", edits: [] }, status: "ok" };
	it.each<[string, Happening[], string]>([
		[
			"with what it printed about its only command",
			script("Tests: 43 passed", scripted("npm test")),
			"npm test → Tests: 43 passed",
		],
		[
			"without output",
			[BUILT, ...script("", scriptedEdit, scripted("npm run build && npm test"))],
			"edited a.ts · npm run build && npm test",
		],
		[
			"of several commands the last",
			script("ok", scripted("npm run build"), scripted("npm run lint")),
			"npm run lint",
		],
		[
			"with its error",
			script("", scripted("npm test", "error", "Tests: 2 failed, 41 passed")),
			"npm test → Tests: 2 failed, 41 passed",
		],
	])("is what was done: %s", (_, happenings, line) => expect(did(...happenings)).toBe(line));
});

describe("what was done", () => {
	it.each<[string, Happening[], string]>([
		["what changed", [edit("src/parser.ts")], "edited parser.ts"],
		["how often", [edit("src/a.ts"), edit("src/b.ts"), edit("src/a.ts")], "edited a.ts ×2, b.ts"],
		[
			"folders that tell files apart",
			[edit("a/index.ts"), edit("b/index.ts")],
			"edited b/index.ts, a/index.ts",
		],
		[
			"three files and how many more",
			["a", "b", "c", "d", "e"].map((name) => edit(`${name}.ts`)),
			"edited e.ts, d.ts, c.ts and 2 more",
		],
		[
			"the newest run",
			[edit("a.ts"), { bash: "pytest -q 2>&1 | tail -3", out: "....\n536 passed in 4.1s" }],
			"edited a.ts · pytest -q → 536 passed in 4.1s",
		],
		[
			"a run without the variables that are set for it",
			[{ bash: `CI=1 NODE_OPTIONS="--no-warnings" npm test 2>&1 | tail -3`, out: "43 passed" }],
			"npm test → 43 passed",
		],
		[
			"what is quoted in a command",
			[{ bash: "pytest -k 'a > b | tail' > log", out: "536 passed" }],
			"pytest -k 'a > b | tail' → 536 passed",
		],
		[
			"what was edited after it",
			[{ bash: "pytest -q", out: "536 passed" }, edit("docs/AGENTS.md")],
			"edited AGENTS.md · pytest -q → 536 passed (then edited AGENTS.md)",
		],
		[
			"a commit",
			[edit("a.ts"), { bash: "git commit -am x", out: "[main 1a2b3c4] Accept commas" }],
			"edited a.ts · committed 1a2b3c4 Accept commas",
		],
		[
			"an issue and a pull request that were made, not one that was written to",
			[
				{ bash: "gh issue create --title 'Images'", out: "https://github.com/o/r/issues/7" },
				{ bash: "gh pr create --title 'Add commas'", out: "https://github.com/o/r/pull/12" },
				{ bash: "gh issue comment 4 -b x", out: "https://github.com/o/r/issues/4#issuecomment-11" },
			],
			"issue #7 Images · PR #12 Add commas",
		],
		[
			"a long command by its beginning, and of its result what fits",
			[
				{
					bash: "pnpm --filter worker exec playwright install --with-deps chromium firefox",
					out: `error: the download failed, ${"then was tried once more, ".repeat(9)}and failed again`,
					fails: true,
				},
			],
			"pnpm --filter worker exec playwright… → error: the download failed, then was tried once more, then was tried once more …",
		],
	])("names %s", (_, happenings, line) => expect(did(...happenings)).toBe(line));

	it.each<[string, Happening[], string]>([
		[
			"an error in the file that was edited then",
			[
				{ bash: "npm start", out: "Error: no port\n  at src/server.ts:3:1", fails: true },
				edit("src/server.ts"),
			],
			"edited server.ts · npm start → Error: no port (then edited server.ts)",
		],
		[
			"a check's verdict",
			[{ bash: "npm test", out: "2 failed, 3 passed", fails: true }, edit("src/a.ts")],
			"edited a.ts · npm test → 2 failed, 3 passed (then edited a.ts)",
		],
		[
			"an error after which the agent only looked around",
			[
				{ bash: "./deploy.sh", out: "Error: permission denied", fails: true },
				{ bash: "ls -l deploy.sh", out: "-rw-r--r-- deploy.sh" },
			],
			"./deploy.sh → Error: permission denied",
		],
	])("keeps a failure that is still open: %s", (_, happenings, line) => {
		expect(did(...happenings)).toBe(line);
	});

	it.each<[string, Happening[]]>([
		["nothing was done", []],
		["the edit failed", [{ tool: "edit", args: { path: "a.ts" }, fails: true, out: "" }]],
		["the file is gone again", [{ tool: "write", args: { path: "try.ts" } }, { bash: "rm try.ts" }]],
	])("is absent where %s", (_, happenings) => expect(did(...happenings) ?? "").not.toMatch(/edited/));

	it("names the branch that was created until a commit shows where the work is", () => {
		const branch: Happening = { bash: "git checkout -b fix/parser origin/main && git status -sb" };
		expect(did(branch, edit("a.ts"))).toBe("edited a.ts · git checkout -b fix/parser");
		expect(did({ ...branch, fails: true }, edit("a.ts"))).not.toContain("fix/parser");
		const commit: Happening = { bash: "git commit -am x", out: "[fix/parser 1a2b3c4] Fix the parser" };
		expect(did(branch, edit("a.ts"), commit)).toBe("edited a.ts · committed 1a2b3c4 Fix the parser");
	});

	it("is distinguished from the work for earlier requests", () => {
		const [next, printer] = [{ user: "now the printer" }, edit("printer.ts")];
		const line = (...before: Happening[]) =>
			didLine(timeline(...before, { says: "In." }, next, printer), 1, ENGLISH.recap);
		const old = ["a.ts", "b.ts", "b.ts", "c.ts", "d.ts", "printer.ts"].map(edit);
		expect(line(...old)).toBe("edited printer.ts · earlier: edited b.ts, a.ts, c.ts and 1 more");
		const commits = ["One more", "Two more", "Two more", "Three more", "Four more", "initial"].map(
			(subject, index): Happening => ({ bash: "git commit", out: `[main 1a2b3c${index}] ${subject}` }),
		);
		expect(line(...old, ...commits)).toBe(
			"edited printer.ts · earlier: committed Four more; Three more; Two more (+1)",
		);
	});

	it("stays within its columns", () => {
		const line = did(...Array.from({ length: 9 }, (_, index) => edit(`${"deep-".repeat(20)}${index}.ts`)));
		expect(displayWidth(line ?? "")).toBeLessThanOrEqual(190);
	});
});

describe("checks", () => {
	const TESTS = "pnpm --filter web test";
	it.each<[string, Happening[], "passed" | "failed"]>([
		["passed, by the runner's summary", [{ bash: TESTS, out: "Tests  41 passed (41)" }], "passed"],
		[
			"failed, by the runner's summary",
			[{ bash: `${TESTS} | tail -3`, out: "Tests  2 failed | 41 passed (43)" }],
			"failed",
		],
		[
			"failed, by the exit status",
			[{ bash: TESTS, out: "error TS2304: Cannot find name 'x'.", fails: true }],
			"failed",
		],
		[
			"the newest run's",
			[{ bash: TESTS, out: "2 failed" }, edit("a.ts"), { bash: TESTS, out: "43 passed" }],
			"passed",
		],
	])("are %s", (_, happenings, verdict) => expect(checks(...happenings).checks).toBe(verdict));

	it("include the line that shows the result", () =>
		expect(checks({ bash: `cd /code/app && ${TESTS} 2>&1 | tail -4`, out: "43 passed" })).toEqual({
			checks: "passed",
			evidence: [{ command: TESTS, line: "43 passed", edits_after: 0 }],
		}));

	it("are outdated by an edit; the line stays, with how many files were edited since", () =>
		expect(checks({ bash: TESTS, out: "43 passed" }, edit("a.ts"), edit("a.ts"), edit("b.ts"))).toEqual({
			evidence: [{ command: TESTS, line: "43 passed", edits_after: 2 }],
		}));

	it("do not depend on the git commands in the same call", () => {
		const refused: Happening = { bash: "git checkout main", out: "fatal: no", fails: true };
		expect(checks({ bash: TESTS, out: "2 failed" }, refused, { bash: "git stash", out: "Saved" })).toEqual({
			checks: "failed",
			evidence: [{ command: TESTS, line: "2 failed", edits_after: 0 }],
		});
	});

	it.each<[string, Happening[]]>([
		["nothing was run", [edit("a.ts")]],
		[
			"it was run more than two turns ago",
			[
				{ bash: TESTS, out: "43 passed" },
				...["one", "two", "three"].flatMap((part): Happening[] => [
					{ user: `now port part ${part} to the new clock` },
					{ says: "Ported." },
				]),
			],
		],
		["a run says nothing of how it went", [{ bash: "./deploy.sh", out: "deploying" }]],
		["only the agent says so", [edit("a.ts"), { says: "All 43 tests passed." }]],
		["it was only looked at", [{ bash: "cat test.log", out: "43 passed" }]],
		["it has no result yet", [{ bash: TESTS, pending: true }]],
		["it was cancelled", [{ bash: TESTS, aborted: true }]],
		[
			"a tool only told of passing tests",
			[{ tool: "ask", args: { question: "Is it safe?" }, out: "All 12 tests passed" }],
		],
		[
			"the newest run of the same program is silent",
			[
				{ bash: TESTS, out: "2 failed" },
				{ bash: TESTS, out: "" },
			],
		],
		[
			"git refused something that worked by another way",
			[
				{ bash: "git checkout main", out: "fatal: 'main' is already used by worktree at '/w'", fails: true },
				{ bash: "git -C /w merge topic", out: "Merge made by the 'ort' strategy." },
			],
		],
		[
			"git was only traced after it had failed",
			[
				{ bash: "git stash -u 2>&1 | head -5", out: "error: could not write index" },
				{ bash: "GIT_TRACE=1 git stash 2>&1 | tail -10", out: "ok" },
			],
		],
		[
			"a commit closed it",
			[
				{ bash: TESTS, out: "43 passed" },
				{ bash: "git commit -am x", out: "[main 1a2b3c4] x" },
			],
		],
	])("are absent, and nothing is said, where %s", (_, happenings) => {
		expect(checks(...happenings)).toEqual({});
	});
});

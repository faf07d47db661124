import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { resultLines, resultOf } from "./result.ts";

/**
 * Real output from runners, linters, compilers, package managers and git, with the lines that must and
 * must not be picked from it.
 */
interface RunnerOutput {
	id: string;
	tool: string;
	command: string;
	exitCode: number;
	output: string;
	/** Each of these matches one of the picked lines. */
	mustHave: string[];
	/** None of these matches a picked line. */
	dull: string[];
}

const OUTPUTS: RunnerOutput[] = JSON.parse(
	readFileSync(new URL("../../../test/support/runner-outputs.json", import.meta.url), "utf8"),
);

function ran(output: string, exitCode = 0, looks = false) {
	return { output, outcome: exitCode === 0 ? ("ok" as const) : ("failed" as const), looks };
}

function picked(output: string, exitCode = 0, looks = false): string[] {
	return resultLines(ran(output, exitCode, looks)).map(({ text }) => text);
}

describe("informative lines of real output", () => {
	it.each(OUTPUTS)("are picked for $id", ({ output, exitCode, mustHave, dull }) => {
		const lines = picked(output, exitCode);
		expect(lines.length).toBeLessThanOrEqual(2);
		for (const form of mustHave) expect(lines).toContainEqual(expect.stringMatching(new RegExp(form)));
		for (const form of dull) expect(lines).not.toContainEqual(expect.stringMatching(new RegExp(form)));
	});
});

it("picks the message of a shell that does not know a command, not the advice below it", () => {
	const output = `tool : The term 'tool' is not recognized as the name of a cmdlet or function. Check
the spelling of the name, or if a path was included, verify that it is correct.\nAt line:1 char:1`;
	expect(picked(output, 1)[0]).toMatch(/^tool : The term/);
});

it("picks the success that a check reports below an error of its own, but no failure that ends like a success", () => {
	expect(picked("InvalidOperation: the variable does not exist.\nparse OK")).toEqual(["parse OK"]);
	expect(resultOf(ran("Checked: a.ts\nnot ok"))?.passed).not.toBe(true);
});

const PYTEST_FAILED = [
	"tests/test_cart.py F.",
	"E       assert 45 == 44",
	"=========================== short test summary info ============================",
	"FAILED tests/test_cart.py::test_discount - assert 45 == 44",
	"========================= 1 failed, 6 passed in 0.12s ==========================",
].join("\n");
const VITEST_PASSED = " Test Files  2 passed (2)\n      Tests  7 passed | 1 skipped (8)\n   Duration  481ms";

const COMMITTED = "[main 4197b0c] Fix the queue";
const NOISE = `error: All fail\n[Queue] Task 2 failed: 101 | });\n312 | test("gives 500 for errors", () => {`;
const SOURCE = 'throw new TypeError("error: no such file");\nERROR: 3 tests failed\nconst a = 1;';
const TS_ERROR = "src/bash.ts(8,49): error TS2307: Cannot find module '../shell.js'.";

describe("informative lines", () => {
	it.each([
		[
			"app-1  | 2 failed, 5 passed in 0.31s\napp-1 exited with code 1",
			1,
			["app-1  | 2 failed, 5 passed in 0.31s"],
		],
		["Tests  2 failed | 5 passed (7)\nDuration  481ms", 0, ["Tests  2 failed | 5 passed (7)"]],
		["Running it…\nResult: 42 tests, 1 failed\nReport: /tmp/r.html", 0, ["Result: 42 tests, 1 failed"]],
		[`✅ All checks passed!\n${COMMITTED}\n 2 files changed`, 0, ["✅ All checks passed!", COMMITTED]],
		[`${COMMITTED}\n${NOISE}\n\n 1219 pass\n 0 fail`, 0, [COMMITTED, "1219 pass"]],
		[`${COMMITTED}\n 1 file changed, 1 insertion(+)\nremote hung up`, 128, [COMMITTED, "remote hung up"]],
		["import { a } from './a';\nexport const b = {\n\ta,\n};", 0, []],
		["", 0, []],
		["(no output)", 0, []],
		["Debugger attached.\nWaiting for the debugger to disconnect...", 0, []],
		["Debugger attached.\n12 passed\nWaiting for the debugger to disconnect...", 0, ["12 passed"]],
	])("of %j (exit %i) are %j", (output, exitCode, lines) => expect(picked(output, exitCode)).toEqual(lines));

	it.each([
		[SOURCE, 0, []],
		["src/a.ts:3: error: nothing\nsrc/b.ts:4: fatal: nothing", 0, []],
		["grep: src/wrap.ts: No such file or directory", 2, ["grep: src/wrap.ts: No such file or directory"]],
		["4197b0c fix: 3 tests failed\n45ffe0a wrote docs/a.md", 0, ["4197b0c fix: 3 tests failed"]],
	])("of a read-only command's output %j (exit %i) are %j", (output, exitCode, lines) => {
		expect(picked(output, exitCode, true)).toEqual(lines);
	});

	it("include a compiler's error if the summary above it shows neither success nor failure", () =>
		expect(picked(`Checked 36 files in 46ms. No fixes applied.\n${TS_ERROR}`)).toContain(TS_ERROR));

	it("are limited to the requested number, in the order of the output", () => {
		const kinds = resultLines(ran(PYTEST_FAILED, 1), 1).map(({ kind }) => kind);
		expect(kinds).toEqual(["error"]);
	});
});

describe("the result of a run", () => {
	it.each([
		{ output: VITEST_PASSED, exitCode: 0, passed: true },
		{ output: "Tests  2 failed | 5 passed (7)", exitCode: 0, passed: false },
		{
			output: " Test Files  1 passed (1)\n      Tests  2 passed (2)\n     Errors  1 error",
			exitCode: 0,
			passed: false,
		},
		{ output: "3 examples, 0 failures, 1 pending", exitCode: 0, passed: true },
		{ output: "✖ 2 problems (0 errors, 2 warnings)", exitCode: 0, passed: undefined },
		{ output: "✖ 9 problems (5 errors, 4 warnings)", exitCode: 0, passed: false },
		{ output: "Found 5 errors (5 fixed, 0 remaining).", exitCode: 0, passed: undefined },
		{ output: "100% tests passed, 0 tests failed out of 3", exitCode: 0, passed: true },
		{ output: "67% tests passed, 1 tests failed out of 3", exitCode: 0, passed: false },
		{ output: "5/10 tests passed", exitCode: 0, passed: false },
		{ output: "OK (expected failures=1)", exitCode: 0, passed: undefined },
		{ output: "test result: ok. 0 passed; 0 failed; 1 ignored", exitCode: 0, passed: undefined },
		{ output: "no tests ran in 0.00s", exitCode: 0, passed: undefined },
		{ output: "8 deselected in 0.01s", exitCode: 5, passed: undefined },
		{ output: "ok \tshop/cart\t0.003s", exitCode: 0, passed: true },
		{ output: "ok 3 takes 10 % off", exitCode: 0, passed: undefined },
		{ output: "HTTP/1.1 200 OK", exitCode: 0, passed: undefined },
		{ output: "Created 3 tests in src/cart.test.ts", exitCode: 0, passed: undefined },
		{ output: "found 3 vulnerabilities", exitCode: 0, passed: undefined },
		{ output: "nothing to commit, working tree clean", exitCode: 1, passed: undefined },
		{ output: "7 passed in 0.2s\n ! [rejected]  main -> main (fetch first)", exitCode: 1, passed: false },
		{ output: "7 passed in 0.2s\nbye", exitCode: 1, passed: undefined },
		{ output: "src/a.ts(1,2): error TS2322: Type 'a' is not 'b'.", exitCode: 0, passed: false },
		{ output: "Retrying after error: timeout\nconnected", exitCode: 0, passed: undefined },
		{ output: "drwxr-xr-x 2 root root 4096 test", exitCode: 0, passed: undefined },
		{ output: "", exitCode: 1, passed: undefined },
		{ output: `${COMMITTED}\n${NOISE}\n\n 1219 pass\n 0 fail`, exitCode: 0, passed: true },
	])("$passed: $output (exit $exitCode)", ({ output, exitCode, passed }) => {
		expect(resultOf(ran(output, exitCode))?.passed).toBe(passed);
	});

	it("is not considered passed if the command failed", () => {
		for (const { output, exitCode } of OUTPUTS)
			if (exitCode !== 0) expect(resultOf(ran(output, exitCode))?.passed).not.toBe(true);
	});
});

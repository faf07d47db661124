import { describe, expect, it } from "vitest";
import { checkVerdict, failureLine, runsCheck } from "./checks.ts";
import { parseShell } from "./shell.ts";

describe("what is a check", () => {
	it.each([
		"npm test",
		"cd packages/a && npm run check 2>&1 | tail -20",
		"pnpm --silent run lint",
		"npx tsgo --noEmit",
		"yarn vitest run src",
		"go test ./... -count=1",
		"CI=1 cargo clippy",
		"python3 -m pytest -q",
		"uv run mypy .",
		"make test",
		"./gradlew build",
		"bash scripts/check.sh",
		"node --test",
		"sudo time swift build",
	])("%s", (command) => {
		expect(runsCheck(parseShell(command))).toBe(true);
	});

	it.each([
		"ls test",
		"cat build.log",
		"git commit -m 'make the tests pass'",
		"grep -rn 'npm test' docs",
		"echo npm test",
		"npm install",
		"npm run dev",
		"cd tests && ls",
		"gh run list",
		"cat <<'EOF' > notes.md\nnpm test\nEOF",
	])("not: %s", (command) => {
		expect(runsCheck(parseShell(command))).toBe(false);
	});
});

describe("how a check went", () => {
	it.each([
		["npm test", "", "ok", "passed"],
		["npm test", "Command exited with code 1", "failed", "failed"],
		["npm run lint && npm test", "ok", "ok", "passed"],
		["npm test", "", "aborted", "unknown"],
		["npm test", "", "unknown", "unknown"],
		// A pipe hides the status: only the output can tell.
		["npm test | head -5", "starting", "ok", "unknown"],
		["npm test | head -5", "12 passed", "ok", "passed"],
		["npx tsc | head -40", "src/a.ts(1,2): error TS2339: Property 'x' does not exist", "ok", "failed"],
		["npm test | grep error", "", "ok", "unknown"],
		// npm ends every failed run with a line of its own, and `tail` shows the end.
		["npm test 2>&1 | tail -10", "> vitest run\n", "ok", "passed"],
		["npm test 2>&1 | tail -10", "npm error command failed", "ok", "failed"],
		["npx eslint . | tail -3", "done", "ok", "unknown"],
		["npm test; echo done", "done", "ok", "unknown"],
		["npm test || true", "3 failed", "ok", "failed"],
		// A later command failed, after the tests had passed.
		["npm test && curl localhost", "12 passed\ncurl: (7) refused", "failed", "unknown"],
	] as const)("%s → %s, %s: %s", (command, output, outcome, verdict) => {
		expect(checkVerdict(parseShell(command), output, outcome)).toBe(verdict);
	});

	it("tells a failure by the line that says most", () => {
		const output = "> app@1.0.0 test\n\n--- FAIL: TestParser (0.01s)\n    parser_test.go:3\nFAIL\n";
		expect(failureLine(output)).toBe("--- FAIL: TestParser (0.01s)");
		expect(failureLine("it broke\n\n")).toBe("it broke");
	});
});

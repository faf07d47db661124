import { describe, expect, it } from "vitest";
import { runsCheck } from "./checks.ts";
import { checkVerdict, failureLine } from "./checkverdict.ts";
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
		"timeout 120 npm test",
		"timeout -k 5 2m npx vitest run",
		"# Let's run the tests\nnpm test",
		"node scripts/run-tests.mjs",
		"./gradlew clean test",
		"npx playwright test",
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
		"npx vitest --help",
		"npx tsc --version",
		"npx tsc -v",
		"jest --listTests",
		"pytest --collect-only -q",
		"make -n test",
		"npm test -- --help",
		"npm ci",
		"node scripts/publish-latest.mjs",
		"tsx scripts/seed-testdata.ts",
		"npm run deploy:test",
		"npm run lint:fix",
		"cargo run -- build",
		"go get test",
		"npx playwright install",
		"cat <<< 'npm test'",
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
		["npm test 2>&1 | tail -10", "> vitest run\n", "ok", "unknown"],
		["npm run build 2>&1 | tail -3", "sh: 1: vite: not found", "ok", "unknown"],
		["pnpm lint 2>&1 | tail -3", "src/a.ts: ok\n", "ok", "passed"],
		["pnpm lint 2>&1 | tail -3", " ERR_PNPM_NO_SCRIPT  Missing script: lint", "ok", "failed"],
		["go build ./... 2>&1 | tail -5", "# app\na.go:10:2: undefined: foo", "ok", "unknown"],
		["make test 2>&1 | tail -5", "make: *** No rule to make target 'test'.  Stop.", "ok", "failed"],
		["npm run lint 2>&1 | tail -3; npm test 2>&1 | tail -5", "[warn] x\n 12 passed", "ok", "unknown"],
		["npx vitest run > v.log; tail -3 v.log; echo exit=$?", "exit=0", "ok", "unknown"],
		["npx vitest run; echo exit=$?", "exit=0", "ok", "passed"],
		["bun test 2>&1 | tail -5", " 3 pass\n 0 fail\n 20 expect() calls", "ok", "passed"],
		["npx eslint . | tail -5", "✖ 1 problem (0 errors, 1 warning)", "ok", "passed"],
		["cargo test typo", "running 0 tests\n\ntest result: ok. 0 passed; 25 filtered out", "ok", "unknown"],
		["npm test &", "[1] 4242", "ok", "unknown"],
		["npm test && npx prettier --check .", "12 passed\n[warn] Code style issues found", "failed", "failed"],
		["npm test 2>&1 | tail -10", "npm error command failed", "ok", "failed"],
		["npx eslint . | tail -3", "done", "ok", "unknown"],
		["npm test; echo done", "done", "ok", "unknown"],
		["npm test || true", "3 failed", "ok", "failed"],
		["npm test || true", "", "ok", "unknown"],
		["npm test || echo broken", "broken", "ok", "unknown"],
		["npm test &", "", "ok", "unknown"],
		["npm test & sleep 1; cat log", "12 passed", "ok", "unknown"],
		["! npm test", "", "ok", "unknown"],
		["if npm test; then echo yes; fi", "", "ok", "unknown"],
		// `$?` behind a pipe is the status of the pipe's last command.
		["npm test | tail -1; echo exit=$?", "exit=0", "ok", "unknown"],
		["npx eslint .; echo exit=$?", "exit=0", "ok", "passed"],
		["npx eslint .; echo exit=$?", "2 errors\nexit=0", "ok", "failed"],
		// What a filter left out may be the failures.
		["npx mocha | grep passing", "11 passing", "ok", "unknown"],
		["npx mocha | grep -E 'passing|failing'", "11 passing\n1 failing", "ok", "failed"],
		["npx mocha | grep -E 'passing|failing'", "11 passing", "ok", "passed"],
		["go test ./... | head -3", "ok  app/a 0.1s", "ok", "unknown"],
		["go test ./... | tail -3", "ok  app/a 0.1s\nFAIL", "ok", "failed"],
		["make test | tail -5", "make: *** [Makefile:3: test] Error 1", "ok", "failed"],
		["mvn test | tail -5", "[INFO] BUILD FAILURE", "ok", "failed"],
		["node --test | tail -8", "# pass 3\n# fail 1", "ok", "failed"],
		// Told to be silent, or with its errors elsewhere, npm signs nothing.
		["npm test --silent | tail -5", "running", "ok", "unknown"],
		["npm test 2>/dev/null | tail -5", "running", "ok", "unknown"],
		["npm run lint --if-present", "", "ok", "unknown"],
		["npx jest --passWithNoTests", "No tests found, exiting with code 0", "ok", "unknown"],
		["go test ./...", "?  app/a [no test files]\nok  app/b 0.2s", "ok", "passed"],
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

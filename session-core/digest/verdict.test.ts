import { describe, expect, it } from "vitest";
import { ASK, cwd, DONE, digestOf, EDIT, type Happening, PASS } from "./log.test-support.ts";
import type { Digest } from "./types.ts";

describe("checks after the last edit", () => {
	const cases: [string, Happening[], Digest["checks"]][] = [
		["passed", [ASK, EDIT, { bash: "npm test" }, DONE], "passed"],
		["failed", [ASK, EDIT, { bash: "npm test", fails: true }, DONE], "failed"],
		["edited again after the pass", [ASK, { bash: "npm test" }, EDIT, DONE], "not_run"],
		["a claim alone", [ASK, EDIT, { says: "All tests pass." }], "not_run"],
		[
			"one of two failed",
			[ASK, EDIT, { bash: "npm test" }, { bash: "npm run lint", fails: true }, DONE],
			"failed",
		],
		[
			"the failed one passed when run again",
			[ASK, EDIT, { bash: "npm test", fails: true }, { bash: "npm test 2>&1 | tail -5", out: "3 passed" }],
			"passed",
		],
		[
			"hidden behind a pipe",
			[ASK, EDIT, { bash: "npx eslint . | head -3", out: "linting" }, DONE],
			"not_run",
		],
		[
			"a commit whose hook ran them",
			[ASK, EDIT, { bash: "git commit -am x", out: "husky - pre-commit\n> tsc --noEmit\n[main 1a2b3c4] x" }],
			"passed",
		],
		[
			"a commit whose hook shows no check",
			[ASK, EDIT, { bash: "git commit -am x", out: "husky - pre-commit\n[main 1a2b3c4] x" }],
			"not_run",
		],
		[
			"a commit that speaks of a hook",
			[ASK, EDIT, { bash: "git commit -am x", out: "[main 1a2b3c4] Add pre-commit hook with lint-staged" }],
			"not_run",
		],
		[
			"a commit past its hook",
			[
				ASK,
				EDIT,
				{ bash: "git commit --no-verify -am x", out: "pre-commit skipped\n> tsc\n[main 1a2b3c4] x" },
			],
			"not_run",
		],
		[
			"a hook that refused",
			[ASK, EDIT, { bash: "git commit -am x", out: "husky - pre-commit script failed", fails: true }],
			"failed",
		],
		[
			"an edit through the shell after the pass",
			[ASK, EDIT, { bash: "npm test" }, { bash: "sed -i s/a/b/ src/a.ts" }],
			"not_run",
		],
		[
			"an edit that was refused after the pass",
			[ASK, EDIT, { bash: "npm test" }, { ...EDIT, fails: true, out: "no match" }],
			"passed",
		],
		["sources put back after it", [ASK, EDIT, PASS, { bash: "git checkout src/a.ts" }], "not_run"],
		["changes stashed after it", [ASK, EDIT, PASS, { bash: "git stash" }], "not_run"],
		[
			"a here-document after it",
			[ASK, EDIT, PASS, { bash: "cat > src/a.ts <<'EOF'\nlet a\nEOF" }],
			"not_run",
		],
		[
			"a script that writes files after it",
			[ASK, EDIT, PASS, { bash: "python3 - <<'EOF'\nopen('src/a.ts', 'w').write('')\nEOF" }],
			"not_run",
		],
		["a formatter after it", [ASK, EDIT, PASS, { bash: "npx prettier --write src" }], "not_run"],
		[
			"an edit in a line that was aborted",
			[ASK, EDIT, PASS, { bash: "sed -i s/a/b/ src/a.ts && npm test", aborted: true }],
			"not_run",
		],
		["an edited file removed after it", [ASK, EDIT, PASS, { bash: "rm /code/app/src/parser.ts" }], "not_run"],
		[
			"a scratch file removed after it",
			[ASK, EDIT, { tool: "write", args: { path: "try.ts", content: "a" } }, PASS, { bash: "rm try.ts" }],
			"passed",
		],
		[
			"an edit by a tool nobody knows after it",
			[ASK, EDIT, PASS, { tool: "lsp_rename_symbol", args: { name: "a" }, out: "ok" }],
			"not_run",
		],
		[
			"a result that was evicted",
			[ASK, EDIT, { bash: "npm test", out: "[Compacted history content evicted to cold storage]" }],
			"not_run",
		],
		[
			"a run that goes on in the background",
			[ASK, EDIT, { bash: "npm test", out: "Command running in background with ID: 7" }],
			"not_run",
		],
		[
			"an edit by the user's own hand after it",
			[ASK, EDIT, PASS, { ran: "sed -i s/a/b/ src/a.ts" }],
			"not_run",
		],
		["the user's own run failed", [ASK, EDIT, PASS, { ran: "npm test", out: "1 failed", exit: 1 }], "failed"],
		[
			"it failed in one folder and passed in another",
			[ASK, EDIT, { bash: "cd a && npm test", out: "1 failed", fails: true }, { bash: "cd b && npm test" }],
			"failed",
		],
		[
			"a look at one part hides no failure",
			[
				ASK,
				EDIT,
				{ bash: "npm test", out: "1 failed", fails: true },
				{ bash: "npm test 2>&1 | grep -c parser", out: "3" },
				{ bash: "npx tsc" },
			],
			"failed",
		],
		[
			"on the code without the edit",
			[ASK, EDIT, { bash: "git stash && npm test && git stash pop" }],
			"not_run",
		],
		[
			"with an edit behind it on the line",
			[ASK, EDIT, { bash: "npm test && sed -i s/a/b/ src/a.ts" }],
			"not_run",
		],
		[
			"an end without a sign, of an npm that signs nothing",
			[ASK, EDIT, { bash: "npm run build 2>&1 | tail -3", out: "> tsc" }],
			"not_run",
		],
		[
			"an end without a sign, of an npm that was seen to sign failures there",
			[
				ASK,
				EDIT,
				{ bash: "npm run build 2>&1 | tail -3", out: "npm error code 2\nnpm error command sh -c tsc" },
				EDIT,
				{ bash: "npm run build 2>&1 | tail -3", out: "> tsc" },
			],
			"passed",
		],
		["sorted differently", [ASK, EDIT, PASS, { bash: "git diff --stat | sort -u" }], "passed"],
		["fixed by the linter", [ASK, EDIT, PASS, { bash: "npm run lint:fix" }], "not_run"],
		["put back from git", [ASK, EDIT, PASS, { bash: "git checkout HEAD~1 src/parser" }], "not_run"],
		["on another branch", [ASK, EDIT, PASS, { bash: "git checkout dev 2>&1 | tail -1" }], "passed"],
		[
			"the same found by another launcher",
			[
				ASK,
				EDIT,
				{ bash: "pytest -q", out: "1 failed", fails: true },
				{ bash: "uv run pytest -q", out: "9 passed" },
			],
			"passed",
		],
		[
			"the same with more time and another environment",
			[
				ASK,
				EDIT,
				{ bash: "timeout 60 npm test", out: "1 failed", fails: true },
				{ bash: "DB=x timeout 300 npm test", out: "9 passed" },
			],
			"passed",
		],
		["only installed", [ASK, EDIT, { bash: "npm ci" }, DONE], "not_run"],
		["run by the user", [ASK, EDIT, DONE, { ran: "npm test" }], "passed"],
		["aborted", [ASK, EDIT, { bash: "npm test", aborted: true }], "not_run"],
		[
			"only prose was written",
			[ASK, { tool: "write", args: { path: "notes.md", content: "a" } }, DONE],
			"none",
		],
		["nothing to check", [ASK, { says: "It is a parser." }], "none"],
	];
	it.each(cases)("%s", (_, happenings, checks) => {
		expect(digestOf(happenings).checks).toBe(checks);
	});

	it.each([
		["of another project", "cd /code/other && npm test", "not_run"],
		["of the folder above", "cd /code && npm test", "passed"],
		["of the session's folder", "cd /code/app && npm test", "passed"],
		["of a package", "cd packages/a && npm test", "passed"],
		["of the sister folder", "cd ../other && npm test", "not_run"],
	])("a test run %s", (_, bash, checks) => {
		expect(digestOf([ASK, EDIT, { bash, out: "3 passed" }, DONE], { cwd }).checks).toBe(checks);
	});

	it("takes a script's pass for that of the command inside it which failed alone", () => {
		const tsc: Happening = {
			bash: "cd app && npx tsc -p build.json",
			out: "a.ts(1,1): error TS1",
			fails: true,
		};
		const script = (folder: string, happening: { out: string; fails?: boolean }): Happening => ({
			bash: `cd ${folder} && npm run build`,
			...happening,
		});
		const failed = { out: "npm error command sh -c tsc -p build.json && npm run copy", fails: true };
		const fixed: Happening = { bash: "cd tui && npm install" };
		const happenings = [ASK, EDIT, script("app", failed), tsc, fixed];
		expect(digestOf([...happenings, script("app", { out: "" }), DONE]).checks).toBe("passed");
		expect(digestOf([...happenings, script("tui", { out: "" }), DONE]).checks).toBe("failed");
		expect(digestOf([...happenings, { bash: "cd app && npm test" }, DONE]).checks).toBe("failed");
		expect(digestOf([...happenings, DONE]).checks).toBe("failed");
	});

	it("says nothing of an older thread's pass", () => {
		const digest = digestOf([
			ASK,
			EDIT,
			{ bash: "npm test" },
			DONE,
			{ user: "Explain how web search could be added to the documentation site, with options" },
			{ tool: "read", args: { path: "docs/search.md" }, out: "…" },
			{ says: "There are three options: ".padEnd(700, "a server, an index, or a service; ") },
		]);
		expect(digest.checks).toBe("none");
	});
});

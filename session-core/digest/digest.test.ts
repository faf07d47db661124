import { describe, expect, it } from "vitest";
import { digestOf, type Happening } from "./log.test-support.ts";
import type { Digest } from "./types.ts";

const ASK: Happening = { user: "Make the parser in src accept trailing commas please" };
const EDIT: Happening = {
	tool: "edit",
	args: { path: "/code/app/src/parser.ts" },
	diff: "+ 1 a\n- 2 b\n+ 3 c\n",
};
const PASS: Happening = { bash: "npm test", out: "3 passed" };
const DONE: Happening = { says: "The parser takes trailing commas now." };
const cwd = "/code/app";

describe("how a session ended", () => {
	const cases: [string, Happening[], Digest["outcome"], string?][] = [
		["a reply", [ASK, EDIT, DONE], "done"],
		["a reply that the model's limit cut off", [ASK, { says: "First, the", stop: "length" }], "running"],
		["a question", [ASK, { says: "Two ways. Which one?" }], "waiting"],
		[
			"an offer behind an analysis",
			[ASK, { says: "It is the timer.\n\nIf you want, I can patch it." }],
			"waiting",
		],
		[
			"an offer behind finished work",
			[ASK, EDIT, { says: "Fixed.\n\nIf you want, I can add more tests." }],
			"done",
		],
		[
			"an offer behind an opened issue",
			[ASK, { bash: "gh issue create --title x" }, { says: "말씀해주면 진행함." }],
			"done",
		],
		[
			"an abort",
			[ASK, EDIT, { says: "", stop: "aborted", error: "Request was aborted." }],
			"aborted",
			"Request was aborted.",
		],
		[
			"a provider's error",
			[ASK, { says: "", stop: "error", error: '400 {"error":{"message":"tool_use \\"x\\" has no result"}}' }],
			"error",
			'400 tool_use "x" has no result',
		],
		["a call without a result", [ASK, { bash: "npm test", pending: true }], "running"],
		["a prompt without an answer", [ASK, DONE, { user: "and now the printer as well" }], "running"],
		["nothing at all", [], "done"],
	];
	it.each(cases)("%s", (_, happenings, outcome, reason) => {
		const digest = digestOf(happenings);
		expect(digest.outcome).toBe(outcome);
		expect(digest.endReason).toBe(reason);
	});
});

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

describe("files", () => {
	it("counts edits by the host's diff, in one name for all spellings", () => {
		const other = { tool: "edit", args: { path: "./src/parser.ts", oldText: "a", newText: "b\nc" } };
		expect(digestOf([ASK, EDIT, other, DONE], { cwd }).files).toEqual([
			{ path: "src/parser.ts", kind: "edited", added: 4, removed: 2, times: 2, inThread: true, age: 0 },
		]);
	});

	const cases: [string, Happening, string[]][] = [
		["a write", { tool: "write", args: { path: "a.ts", content: "x" } }, ["a.ts"]],
		[
			"a patch that names its files",
			{ tool: "apply_patch", args: { input: "*** Update File: src/b.ts\n@@" } },
			["src/b.ts"],
		],
		[
			"a result that names the resolved file",
			{ tool: "edit", args: { path: "b.ts" }, out: "app/b.ts:\n 1|x" },
			["app/b.ts"],
		],
		["a refused edit", { ...EDIT, fails: true }, []],
		[
			"an edit without a result",
			{
				entry: {
					message: {
						role: "assistant",
						stopReason: "aborted",
						content: [{ type: "toolCall", id: "1", name: "edit", arguments: { path: "a.ts" } }],
					},
				},
			},
			[],
		],
		["a shell redirection", { bash: "echo x > src/c.ts" }, ["src/c.ts"]],
		[
			"a result whose call stood in a line that is lost",
			{
				entry: {
					message: {
						role: "toolResult",
						toolCallId: "lost",
						toolName: "write",
						content: [{ type: "text", text: "Successfully wrote 1709 bytes to src/shell.py" }],
						isError: false,
					},
				},
			},
			["src/shell.py"],
		],
		["a read", { tool: "read", args: { path: "a.ts" } }, []],
	];
	it.each(cases)("%s", (_, happening, paths) => {
		expect(digestOf([ASK, happening]).files.map(({ path }) => path)).toEqual(paths);
	});

	it("forgets files that were removed, and follows those that were renamed", () => {
		const write = (path: string): Happening => ({ tool: "write", args: { path, content: "x" } });
		const digest = digestOf([
			ASK,
			write("smoke.html"),
			write("main-new.ts"),
			{ bash: "rm -f smoke.html" },
			{ bash: "git mv main-new.ts main.ts" },
		]);
		expect(digest.files.map(({ path }) => path)).toEqual(["main.ts"]);
	});
});

describe("what only looked", () => {
	it.each<[string, Happening, boolean]>([
		["reading", { tool: "read", args: { path: "a.ts" } }, true],
		["searching with the shell", { bash: "cd src && grep -rn foo . | head -5" }, true],
		["asking git", { bash: "git -C app log --oneline -3 2>/dev/null" }, true],
		["a check", { bash: "npm test" }, true],
		["a program that only counts", { bash: "python3 -c 'print(len(open(\"a.csv\").read()))'" }, true],
		["a refused edit", { ...EDIT, fails: true }, true],
		["an edit", EDIT, false],
		["an archive", { bash: "tar czf data.tar.gz data" }, false],
		["a redirection", { bash: "grep -n foo a.ts > found.txt" }, false],
		["find that deletes", { bash: "find . -name '*.log' -delete" }, false],
		["a program that writes", { bash: 'python3 -c \'open("a.txt", "w").write("x")\'' }, false],
		["git that records", { bash: "git add -A && git commit -m x" }, false],
		["a check that is followed by a deed", { bash: "npm test; rm -rf data" }, false],
		["a builder that also deploys", { bash: "make test deploy" }, false],
		["a substitution", { bash: 'echo "$(kubectl delete pod x)"' }, false],
		["a download", { bash: "curl -fsSLO https://example.com/a.zip" }, false],
		["a deletion by curl", { bash: "curl -sX DELETE https://example.com/a" }, false],
		["a remote that is added", { bash: "git remote add up https://example.com/a" }, false],
		["an editor in place", { bash: "yq -i .a=1 a.yaml" }, false],
		["a program with options", { bash: "python deploy.py -e staging" }, false],
		["a program that deletes", { bash: "node -e 'fs.rmSync(\"a\")'" }, false],
		["a tool that replaces", { tool: "search_replace", args: { path: "a.ts" } }, false],
		["a program of a name that every object has", { bash: "toString test" }, false],
		["a post", { bash: "curl -s -X POST https://example.com/a" }, false],
		["a tool that sends", { tool: "telegram_send_file", args: { path: "a.zip" } }, false],
		["a tool that nobody knows", { tool: "frobnicate", args: {} }, false],
	])("%s", (_, happening, onlyLooked) => {
		expect(digestOf([ASK, happening]).onlyLooked).toBe(onlyLooked);
	});
});

describe("what is the user's", () => {
	it("leaves out injected entries, wrappers and hidden reasoning", () => {
		const digest = digestOf([
			{ user: "<system-reminder>tree</system-reminder>" },
			{ user: "Make the parser accept commas" },
			{ entry: { type: "custom_message", customType: "x", content: "injected words", display: false } },
			{
				entry: {
					message: {
						role: "assistant",
						stopReason: "stop",
						content: [
							{ type: "thinking", thinking: "secret plan" },
							{ type: "text", text: "Done so." },
						],
					},
				},
			},
		]);
		expect(JSON.stringify(digest)).not.toMatch(/injected|secret plan|tree/);
		expect(digest.task).toBe("Make the parser accept commas");
		expect(digest.lastReply).toBe("Done so.");
	});

	it("knows evicted content for what it is: nothing", () => {
		const evicted = "[Compacted history content evicted to durable cold storage]";
		const digest = digestOf([ASK, { bash: "npm test", out: evicted }, { says: evicted }]);
		expect(digest.lastReply).toBeUndefined();
	});

	it("stamps the last message, not the metadata behind it", () => {
		const digest = digestOf([ASK, DONE, { entry: { type: "session_info", name: "x" } }]);
		expect(digest.stamp).toBe("e1");
		expect(digest.messages).toBe(2);
	});
});

describe("the thread of the task", () => {
	const report = { says: "The parser takes trailing commas now, in arrays and objects." };
	const pivot: Happening = {
		user: "Write a changelog for the release and publish the website with screenshots",
	};
	const work: Happening[] = [
		{ tool: "write", args: { path: "CHANGELOG.md", content: "x" } },
		{ tool: "write", args: { path: "site/index.html", content: "x" } },
		{ says: "Changelog and site are written." },
	];

	it("is the newest request that reads as a task of its own", () => {
		const digest = digestOf([ASK, EDIT, report, pivot, ...work]);
		expect(digest.task).toBe((pivot as { user: string }).user);
		expect(digest.opening).toBe((ASK as { user: string }).user);
		expect(digest.files.filter((file) => file.inThread).map(({ path }) => path)).toEqual([
			"CHANGELOG.md",
			"site/index.html",
		]);
	});

	it.each(["ok", "continue", "응 해줘", "thanks, that is perfect"])("goes on over %j", (word) => {
		expect(digestOf([ASK, EDIT, report, { user: word }, { says: "👍" }]).task).toBe(
			(ASK as { user: string }).user,
		);
	});

	it("goes on while its work is only built, deployed or handed over", () => {
		const digest = digestOf([
			ASK,
			EDIT,
			report,
			{ user: "ok, rebuild and redeploy the daemon and the app" },
			{ bash: "pkill daemon" },
			{ bash: "npm run build" },
			{ bash: "rm -f /tmp/daemon.sock" },
			{ bash: "./start-daemon" },
			{ bash: "curl -s localhost:7837/health" },
			{
				says: "Everything was rebuilt and started: ".padEnd(500, "daemon 24508, app 25095, socket cleaned; "),
			},
		]);
		expect(digest.task).toBe((ASK as { user: string }).user);
	});

	it("is the second request where the first was a few words", () => {
		const digest = digestOf([
			{ user: "fix typo in README" },
			{ tool: "edit", args: { path: "README.md" }, diff: "+ 1 a" },
			{ bash: "git commit -am x", out: "[main 1a2b3c4] Fix typo" },
			{ says: "Fixed." },
			{ user: "Now add a dark theme to the settings page, with a switch that remembers the choice" },
			{ tool: "edit", args: { path: "src/settings.ts" }, diff: "+ 9 a" },
			{ tool: "edit", args: { path: "src/theme.ts" }, diff: "+ 9 a" },
			{ says: "The settings page has a dark theme and a switch." },
		]);
		expect(digest.task).toMatch(/dark theme/);
		expect(digest.links.filter(({ inThread }) => inThread)).toEqual([]);
	});

	it("is new whatever the reply before it asked", () => {
		const digest = digestOf([
			ASK,
			EDIT,
			{ says: `${report.says} Want me to open a PR?` },
			{ user: "The nightly backup job fails since Monday, please find the reason and repair it" },
			{ bash: "systemctl status backup", out: "failed" },
			{ tool: "edit", args: { path: "ops/backup.sh" }, diff: "+ 1 a" },
			{ tool: "edit", args: { path: "ops/backup.timer" }, diff: "+ 1 a" },
			{ says: "The disk was full; backup.sh now removes old copies first." },
		]);
		expect(digest.task).toMatch(/nightly backup/);
	});

	it.each([
		["yes please", true],
		["no, leave it", true],
		["what did that cost us?", false],
	])("an open question is closed by %j: %j", (answer, isClosed) => {
		const digest = digestOf([
			ASK,
			EDIT,
			{ says: `${report.says.repeat(8)}\n\nShould I commit this?` },
			{ user: answer },
			{ says: "Fine." },
		]);
		expect(digest.questions).toEqual(isClosed ? [] : ["Should I commit this?"]);
	});

	it("outlives a side question, whose report is not the work's", () => {
		const digest = digestOf([
			ASK,
			EDIT,
			{ says: report.says.repeat(8) },
			{ user: "tell a joke" },
			{ says: "A bug walks in." },
		]);
		expect(digest.task).toBe((ASK as { user: string }).user);
		expect(digest.mainReply).toBe(report.says.repeat(8));
		expect(digest.lastReply).toBe("A bug walks in.");
	});

	it("takes a summary's goal while the thread is older than the summary", () => {
		const compaction: Happening = {
			entry: { type: "compaction", summary: "## Goal\nRework the parser\n\n## Done\n- x" },
		};
		expect(digestOf([ASK, EDIT, compaction, { user: "go on" }, DONE]).goal).toBe("Rework the parser");
		expect(digestOf([compaction, pivot, ...work]).goal).toBeUndefined();
	});

	it("keeps what an interrupted run was about to do, and a question that nobody took up", () => {
		const cut = digestOf([
			ASK,
			{ bash: "ls" },
			{ says: "Let me remove the old printer.", stop: "toolUse" },
			{ bash: "ls" },
			{ user: "does it run on windows as well?" },
			{ says: "It does." },
		]);
		expect(cut.interrupted).toBe("Let me remove the old printer.");
		const over = digestOf([
			ASK,
			{ bash: "ls" },
			{ says: "Let me remove the old printer.", stop: "toolUse" },
			{ user: "no, move it to lib/ instead please" },
			{ bash: "git mv printer.ts lib/" },
			{ says: "Moved." },
		]);
		expect(over.interrupted).toBeUndefined();
		const asked = digestOf([
			ASK,
			EDIT,
			{ says: "Done. Ready for rpc.md next?" },
			{ user: "no, first rename the parser option please" },
			EDIT,
			{ says: "Renamed." },
		]);
		expect(asked.pending).toBe("Ready for rpc.md next?");
	});
});

describe("claims that the log does not show", () => {
	it("are not those that only an older push could show", () => {
		const push: Happening = { bash: "git push", out: "1a2b3c4..5d6e7f8  main -> main" };
		const says: Happening = { says: "I pushed the change to main." };
		expect(digestOf([ASK, EDIT, push, says]).unsupported).toEqual([]);
		expect(digestOf([ASK, push, EDIT, says]).unsupported).toHaveLength(1);
	});

	it("are listed, and those it shows are not", () => {
		const reply = { says: "All tests pass. I pushed the branch." };
		expect(digestOf([ASK, EDIT, reply]).unsupported).toEqual(["All tests pass.", "I pushed the branch."]);
		expect(digestOf([ASK, EDIT, { bash: "npm test && git push", out: "ok" }, reply]).unsupported).toEqual([]);
	});
});

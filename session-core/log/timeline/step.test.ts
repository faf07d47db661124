import { describe, expect, it } from "vitest";
import { ASK, cwd, type Happening, timelineOf } from "./log.test-support.ts";
import { isStep, type Step } from "./turn.ts";

function stepOf(happening: Happening): Step {
	const one = timelineOf([ASK, happening], { cwd }).turns[0]?.steps[0];
	if (!one || !isStep(one)) throw new Error("the happening is no step");
	return one;
}

it("a command that the user stopped changed and read no file", () => {
	const step = stepOf({ ran: "cat src/a.ts > src/b.ts", stopped: true });
	expect(step).toMatchObject({ outcome: "cancelled", edits: [], reads: [] });
});

it.each<[Happening, string]>([
	["$ cd src &&\n  make", "cd src && make"],
	[{ tool: "read", args: { path: "/code/app/src/a.ts" } }, "src/a.ts"],
	[{ tool: "read", args: { path: "src/a.ts:10-20" } }, "src/a.ts"],
	[{ tool: "save_commit", args: { repo: "app", message: "fix: lock first", sign: true } }, "fix: lock first"],
	[{ tool: "frobnicate", args: { blob: "x".repeat(300), mode: "fast" } }, "fast"],
])("%j has the main argument %j", (happening, argument) => expect(stepOf(happening).argument).toBe(argument));

it.each([
	["vault kv get -field=password secret/db", "plumtree42zz\n", "[redacted]"],
	["kubectl get secret db -o jsonpath='{.data.password}' | base64 -d", "plumtree42zz", "[redacted]"],
	["printenv GITHUB_TOKEN", "plumtree42zz", "[redacted]"],
	["openssl rand -base64 32", "q9d8f7aa/Zk=", "[redacted]"],
	["grep -rl password src", "src/login.ts", "src/login.ts"],
])("the only word that %j prints is shown unless it is a secret", (bash, out, shown) => {
	expect(stepOf({ bash, out }).output.trim()).toBe(shown);
});

it("limits the length of a main argument", () => {
	const { argument } = stepOf({ tool: "x", args: { text: "word ".repeat(300_000) } });
	expect(argument.length).toBeLessThanOrEqual(400);
});

describe("the outcome depends on the structure of the log", () => {
	it.each<[string, Happening, Step["outcome"]]>([
		["a result", "$ make", "ok"],
		["an error flag", "! make → No rule", "failed"],
		["an exit status without a flag", "$ make → No rule\n\nCommand exited with code 2", "failed"],
		["exit status 0 in words", "$ make → built\n\nProcess exited with code 0.", "ok"],
		["no result", { bash: "make", pending: true }, "pending"],
		["an abort", { bash: "make", aborted: true }, "cancelled"],
		["a time-out", "! make → Command timed out after 60 seconds", "cancelled"],
		["the user's own command", { ran: "make", exit: 2 }, "failed"],
		["only errors before a pipe", "$ git stash 2>&1 | head -5 → error: no index", "failed"],
		["only errors that were searched for", "$ cat a.log | grep error: → error: no index", "ok"],
		["words of failure without a flag", "$ ./report.sh → 3 failed jobs listed", "ok"],
	])("%s", (_, happening, outcome) => expect(stepOf(happening).outcome).toBe(outcome));

	it("keeps the host's line about the exit status out of the output", () =>
		expect(stepOf("! make → No rule").output).toBe("No rule"));

	it.each([
		["grep -rn foo src", true],
		["cd src && rg foo", true],
		["git diff --quiet", true],
		["diff a b", true],
		["make | grep foo", true],
		["grep foo a && make", false],
		["npm test", false],
	])("whether %s answers a question with status 1 and no output: %j", (bash, isAnswer) => {
		expect(stepOf({ bash, fails: true }).outcome).toBe(isAnswer ? "ok" : "failed");
	});

	it("is a failure if a search failed with a message", () =>
		expect(stepOf("! grep foo nowhere → grep: nowhere: No such file").outcome).toBe("failed"));
});

describe("a read-only step", () => {
	it.each<[string, Happening, boolean]>([
		["reading", { tool: "read", args: { path: "a.ts" } }, true],
		["searching with the shell", "$ cd src && grep -rn foo . | head -5", true],
		["reading with PowerShell", "$ Get-Content -Raw docs\\a.md | Select-String build", true],
		["asking git", "$ git -C app log --oneline -3 2>/dev/null", true],
		["a page", { tool: "web_fetch", args: { url: "https://a.dev/x" } }, true],
		["a check", "$ npm test", false],
		["PowerShell that removes", "$ Get-ChildItem *.log | Remove-Item", false],
		["a redirection", "$ grep -n foo a.ts > found.txt", false],
		["find that deletes", "$ find . -name '*.log' -delete", false],
		["an editor in place", "$ sed -i s/a/b/ a.ts", false],
		["a tool that replaces", { tool: "search_replace", args: { path: "a.ts" } }, false],
		["a tool that sends", { tool: "telegram_send_file", args: { path: "a.zip" } }, false],
		["an unknown tool", { tool: "frobnicate", args: {} }, false],
	])("%s: %#", (_, happening, looks) => expect(stepOf(happening).looks).toBe(looks));

	it("names the files that it read, but no folders and no failed reads", () => {
		expect(stepOf({ tool: "read", args: { path: "/code/app/src/a.ts" } }).reads).toEqual(["src/a.ts"]);
		expect(stepOf("$ cd src && cat ./deep/a.ts b/c.py | head -3").reads).toEqual([
			"src/deep/a.ts",
			"src/b/c.py",
		]);
		expect(stepOf({ tool: "ls", args: { path: "/code/app/src" } }).reads).toEqual([]);
		expect(stepOf({ tool: "read", args: { path: "gone.ts" }, fails: true }).reads).toEqual([]);
	});
});

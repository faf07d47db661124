import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/support/table.ts";
import { ASK, cwd, EDIT, type Happening, timelineOf } from "./log.test-support.ts";
import { renderTimeline } from "./render.ts";

const linksOf = (...happenings: Happening[]): string[] =>
	timelineOf([ASK, ...happenings]).links.map(({ kind, locator, label }) => `${kind} ${locator} (${label})`);

const EVICTED = "[Compacted history content evicted to durable cold storage]";
const [PR, ISSUE] = ["https://github.com/o/r/pull/12", "https://github.com/o/r/issues/7"];
const TWO = "commit 1a1a1a1 (One); commit 2b2b2b2 (Two)";

/** Columns: what happened, commits and pages. */
const LINKS = `
$ git add -A && git commit -m 'x' → [fix/parser 1a2b3c4] Accept⏎ 1 file ¦ commit 1a2b3c4 (Accept)
$ git commit -m x → [main (root-commit) 1a2b3c4] Begin ¦ commit 1a2b3c4 (Begin)
$ git commit -qm 'Accept' && git log --oneline -1 → 1a2b3c4 Accept ¦ commit 1a2b3c4 (Accept)
$ git commit -q -m 'A'; git log --oneline -2 → 1a2b3c4 (HEAD -> main) A⏎9a8b7c6 On ¦ commit 1a2b3c4 (A)
$ git commit -qm 'One' && git commit -qm 'Two' && git log --oneline -3 → 2b2b2b2 Two⏎1a1a1a1 One⏎9a8b7c6 On ¦ ${TWO}
$ git push → To github.com:o/r.git⏎   1a2b3c4..5d6e7f8  main -> main⏎ ¦ commit 5d6e7f8 ()
$ gh pr create --title "Add" → Creating it⏎${PR} ¦ page ${PR} (PR #12 Add)
$ gh issue create --title 'A' → ${ISSUE} ¦ page ${ISSUE} (issue #7 A)
$ ${EVICTED} → ${PR} ¦ page ${PR} (PR #12)
$ gh issue comment 7 -b x → ${ISSUE}#issuecomment-1. ¦ page ${ISSUE} (issue #7)
$ gh pr edit 4 → see https://docs.example/en/rest/pulls/pulls?apiVersion=2#update ¦
$ git pull → From https://github.com/o/r⏎   1a2b3c4..5d6e7f8  main -> origin/main⏎Fast-forward ¦
$ git pull && git push → From x:o/r⏎   a..b main -> o⏎To x:o/r⏎   1a2b3c4..5d6e7f8  main -> main ¦ commit 5d6e7f8 ()
$ cat notes.txt → [main 1a2b3c4] Old ¦
$ gh issue view 7 → ${ISSUE} ¦
$ git push -u origin fix → remote: Create a pull request by visiting:⏎remote:   https://github.com/o/r/pull/new/fix ¦
$ ${EVICTED} → #7 Crash⏎${ISSUE} ¦
$ git commit -qm 'Two'; git log --oneline -1 → 9a8b7c6 Begin ¦
`;
const API = "https://api.github.com/repos/o/r/pulls/12";
const tool = (name: string, out: string, args = {}): Happening => ({ tool: name, args, out });

describe("the commits and pages of a session", () => {
	it.each<[Happening, string]>([
		...rowsOf(LINKS, "¦").map(([happening = "", links = ""]): [string, string] => [happening, links]),
		[tool("save_commit", "Hash: 1a2b3c4", { message: "fix: lock" }), "commit 1a2b3c4 (fix: lock)"],
		[
			tool("gitlab_run", "see https://a.dev/o/r/merge_requests/3."),
			"page https://a.dev/o/r/merge_requests/3 (PR #3)",
		],
		[
			tool("create_pull_request", `{"url":"${API}","html_url":"https://github.com/o/r/pull/12"}`),
			`page ${API} (PR #12); page https://github.com/o/r/pull/12 (PR #12)`,
		],
		[tool("web_search", "https://github.com/a/b/issues/4https://github.com/c/d/issues/5"), ""],
		[tool("commit_stats", "commits: 1234567"), ""],
		[{ bash: "git commit -m x", pending: true }, ""],
	])("after %j are %j", (happening, links) => expect(linksOf(happening).join("; ")).toBe(links));

	it("are named once: a push keeps the subject of its commit", () =>
		expect(
			linksOf(
				"$ git commit -m x → [main 1a2b3c4] Accept commas",
				"$ git push →    0000aaa..1a2b3c4d  main -> main",
			),
		).toEqual(["commit 1a2b3c4d (Accept commas)"]));
});

const uncommittedAfter = (...happenings: Happening[]): string[] =>
	timelineOf([ASK, EDIT, ...happenings], { cwd }).uncommitted;
const STATUS = "$ git status --short →  M src/a.ts\n?? b.ts";

describe("the uncommitted files in the newest git status", () => {
	it.each([
		["git status", "Changes:\n\tmodified:   src/a.ts\n\tdeleted:    c.ts\n", "src/a.ts c.ts"],
		["git status --short", " M src/a.ts\n?? b.ts\nR  old.ts -> new.ts\n", "src/a.ts b.ts new.ts"],
		["cd /code/app && git status -sb | head -3", "## main\nMM /code/app/src/a.ts", "src/a.ts"],
		["git status -sb", "## main...origin/main\n   main -> origin/main\n", ""],
		["git status -s --ignored", "!! dist/a.js", ""],
		["git diff --stat", " M a.ts", ""],
	])("%s: %#", (bash, out, files) => expect(uncommittedAfter({ bash, out }).join(" ")).toBe(files));

	it("are read even if the user or another tool ran it", () => {
		expect(uncommittedAfter({ ran: "git status --short", out: " M src/a.ts" })).toEqual(["src/a.ts"]);
		expect(uncommittedAfter({ tool: "git_status", args: {}, out: " M src/a.ts" })).toEqual(["src/a.ts"]);
	});

	it.each<[Happening, string]>([
		["$ git status --short", ""],
		["$ git commit -am x → [main 1a2b3c4] x", ""],
		[{ tool: "save_commit", args: { message: "x" }, out: "Hash: 1a2b3c4" }, ""],
		["! git commit -am x → hook failed", "src/a.ts b.ts"],
	])("followed by %j: %j", (happening, files) => {
		expect(uncommittedAfter(STATUS, happening).join(" ")).toBe(files);
	});
});

const COMMIT = "$ git commit -qam x";
it.each<[string, Happening[], string | undefined]>([
	["are those edited since", [EDIT, COMMIT, EDIT], "Edited after the last commit: src/parser.ts"],
	["are none without a commit", [EDIT], undefined],
	["are none after a commit", [EDIT, COMMIT, EDIT, COMMIT], undefined],
	["are none after a push", [COMMIT, EDIT, "$ git push →    0000aaa..1a2b3c4d  main -> main"], undefined],
	["are left out if git status lists them", [COMMIT, EDIT, STATUS], undefined],
])("the files edited after the last commit %s", (_, happenings, line) => {
	const text = renderTimeline(timelineOf([ASK, ...happenings], { cwd }));
	expect(text.split("\n").find((one) => one.startsWith("Edited after"))).toBe(line);
});

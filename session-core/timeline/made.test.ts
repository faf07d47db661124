import { describe, expect, it } from "vitest";
import { ASK, type Happening, timelineOf } from "./log.test-support.ts";

const linksOf = (...happenings: Happening[]): string[] =>
	timelineOf([ASK, ...happenings]).links.map(({ kind, locator, label }) => `${kind} ${locator} (${label})`);

describe("what a session made", () => {
	it.each([
		[
			"a commit",
			{
				bash: "git add -A && git commit -m 'x'",
				out: "[fix/parser 1a2b3c4] Accept commas\n 1 file changed",
			},
			["commit 1a2b3c4 (Accept commas)"],
		],
		[
			"a first commit",
			{ bash: "git commit -m x", out: "[main (root-commit) 1a2b3c4] Begin" },
			["commit 1a2b3c4 (Begin)"],
		],
		[
			"a commit on a detached HEAD",
			{ bash: "git commit -m x", out: "[detached HEAD 1a2b3c4] Begin" },
			["commit 1a2b3c4 (Begin)"],
		],
		...[
			["git commit -qm 'Accept commas' && git log --oneline -1", "1a2b3c4 Accept commas"],
			[
				"git add -A && git commit -q -m 'Accept commas'; git log --oneline -3",
				"1a2b3c4 (HEAD -> main) Accept commas\n9a8b7c6 Accept\n8a7b6c5 Begin",
			],
		].map(([bash, out]) => [
			`a quiet commit, printed by ${bash}`,
			{ bash, out },
			["commit 1a2b3c4 (Accept commas)"],
		]),
		[
			"two quiet commits, oldest first",
			{
				bash: "git commit -qm 'One' && git commit -qm 'Two' && git log --oneline -3",
				out: "2b2b2b2 Two\n1a1a1a1 One\n9a8b7c6 On",
			},
			["commit 1a1a1a1 (One)", "commit 2b2b2b2 (Two)"],
		],
		[
			"a push",
			{ bash: "git push", out: "To github.com:o/r.git\n   1a2b3c4..5d6e7f8  main -> main\n" },
			["commit 5d6e7f8 ()"],
		],
		[
			"a commit by a tool of any maker",
			{ tool: "save_commit", args: { message: "fix: lock first" }, out: "Commit successful. Hash: 1a2b3c4" },
			["commit 1a2b3c4 (fix: lock first)"],
		],
		[
			"a pull request with its title",
			{
				bash: 'gh pr create --title "Add commas" --body x',
				out: "Creating pull request\nhttps://github.com/o/r/pull/12\n",
			},
			["page https://github.com/o/r/pull/12 (PR #12 Add commas)"],
		],
		[
			"an issue",
			{ bash: "gh issue create --title 'Crash'", out: "https://github.com/o/r/issues/7" },
			["page https://github.com/o/r/issues/7 (issue #7 Crash)"],
		],
		[
			"a pull request whose command was moved to cold storage",
			{
				bash: "[Compacted history content evicted to durable cold storage]",
				out: "https://github.com/o/r/pull/12",
			},
			["page https://github.com/o/r/pull/12 (PR #12)"],
		],
		[
			"an issue by its comment",
			{ bash: "gh issue comment 4 -b x", out: "https://github.com/o/r/issues/4#issuecomment-11." },
			["page https://github.com/o/r/issues/4 (issue #4)"],
		],
		[
			"a merge request by a tool",
			{ tool: "gitlab_run", args: {}, out: "see https://gitlab.com/o/r/merge_requests/3." },
			["page https://gitlab.com/o/r/merge_requests/3 (PR #3)"],
		],
	] as [string, Happening, string[]][])("%s", (_, happening, links) => {
		expect(linksOf(happening)).toEqual(links);
	});

	it.each([
		["a log that was read", { bash: "git log --oneline -2", out: "9a8b7c6 Newest" }],
		["a commit line in a file", { bash: "cat notes.txt", out: "[main 1a2b3c4] Old" }],
		["an issue that was looked at", { bash: "gh issue view 7", out: "https://github.com/o/r/issues/7" }],
		["a page without a number", { bash: "curl -s http://localhost:8080/x", out: "http://localhost:8080/x" }],
		["a number that is no hash", { tool: "commit_stats", args: {}, out: "commits: 1234567" }],
		[
			"a page on which one could be made",
			{
				bash: "git push -u origin fix",
				out: "remote: Create a pull request for 'fix' by visiting:\nremote:   https://github.com/o/r/pull/new/fix",
			},
		],
		[
			"a page in the output of an evicted command",
			{
				bash: "[Compacted history content evicted to durable cold storage]",
				out: "#7 Crash\nhttps://github.com/o/r/issues/7",
			},
		],
		[
			"a commit that was there before a quiet one failed",
			{ bash: "git commit -qm Two; git log --oneline -1", out: "9a8b7c6 Begin" },
		],
		[
			"a log that a commit has not reached",
			{ bash: "git log --oneline -1 && git commit -qm Two", out: "9a8b7c6 Begin" },
		],
		["a call without a result", { bash: "git commit -m x", pending: true }],
	] as [string, Happening][])("not %s", (_, happening) => {
		expect(linksOf(happening)).toEqual([]);
	});

	it("is named once: a push keeps the subject of the commit that it sends", () => {
		expect(
			linksOf(
				{ bash: "git commit -m x", out: "[main 1a2b3c4] Accept commas" },
				{ bash: "git push", out: "   0000aaa..1a2b3c4d  main -> main" },
			),
		).toEqual(["commit 1a2b3c4d (Accept commas)"]);
	});

	it("is bounded, newest kept", () => {
		const many = Array.from({ length: 80 }, (_, index) => ({
			bash: `git commit -m ${index}`,
			out: `[main ${(0xabc0000 + index).toString(16)}] Part ${index}`,
		}));
		const links = linksOf(...many);
		expect(links.length).toBeLessThanOrEqual(24);
		expect(links.at(-1)).toMatch(/Part 79/);
	});
});

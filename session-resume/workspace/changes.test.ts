import { describe, expect, test } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { describeChanges } from "./changes.ts";

describe("what changed, in words", () => {
	const then = { cwd: "/p", git_branch: "main", git_head: "aaaaaaa1" };
	test.each([
		["nothing", then, { branch: "main", head: "aaaaaaa1", dirty: 0 }, ""],
		["no git", then, undefined, ""],
		["one commit", then, { branch: "main", head: "bbbbbbb2", dirty: 0, commits: 1 }, "1 commit since"],
		[
			"a rebase",
			then,
			{ branch: "main", head: "bbbbbbb2", dirty: 0, commits: 0 },
			"HEAD moved from aaaaaaa to bbbbbbb",
		],
		[
			"an unknown commit",
			then,
			{ branch: "main", head: "bbbbbbb2", dirty: 0 },
			"HEAD moved from aaaaaaa to bbbbbbb",
		],
		[
			"another branch",
			then,
			{ branch: "fix", head: "aaaaaaa1", dirty: 1 },
			"on fix, was main · 1 file not committed",
		],
		["no branch", then, { head: "aaaaaaa1", dirty: 3 }, "no branch now, was main · 3 files not committed"],
		["no record", undefined, { branch: "main", head: "bbbbbbb2", dirty: 2 }, "2 files not committed"],
	])("%s", (_, before, now, words) => expect(describeChanges(before, now, ENGLISH.card)).toBe(words));

	test("a branch's name is session text like any other", () => {
		const hostile = { cwd: "/p", git_branch: `\x1b[2J${"x".repeat(200)}` };
		const words = describeChanges(hostile, { branch: "main", dirty: 0 }, ENGLISH.card);
		expect(words).not.toContain("\x1b");
		expect(words.length).toBeLessThan(80);
	});
});

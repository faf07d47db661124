import { describe, expect, it } from "vitest";
import { readManual } from "./commands.ts";
import { uncommittedFiles } from "./gitstate.ts";
import { commandLinks, namedHashes, repositoryOf, urlLinks } from "./links.ts";
import { pathNamer } from "./paths.ts";

function run(command: string, output: string) {
	return readManual({ role: "bash", command, output, exitCode: 0, cancelled: false });
}

function linksOf(command: string, output: string, repository?: string): string[] {
	return commandLinks(run(command, output), repository).map(
		({ kind, locator, label, evidence }) => `${kind} ${locator} (${label}) ${evidence}`,
	);
}

describe("commandLinks", () => {
	it.each([
		[
			"git add -A && git commit -m 'x'",
			"[fix/parser 1a2b3c4] Accept trailing commas\n 1 file changed",
			["commit 1a2b3c4 (Accept trailing commas) made", "branch fix/parser (fix/parser) made"],
		],
		[
			"git push",
			"To github.com:o/r.git\n   1a2b3c4..5d6e7f8  main -> main\n",
			["commit 5d6e7f8 (pushed to main) made"],
		],
		["git checkout -b feat/x dev", "Switched to a new branch 'feat/x'", ["branch feat/x (feat/x) made"]],
		["git log --oneline -2", "9a8b7c6 Newest\n1a2b3c4 Older", ["commit 9a8b7c6 (Newest) seen"]],
		[
			'gh pr create --title "Add commas" --body x',
			"https://github.com/o/r/pull/12\n",
			["pr https://github.com/o/r/pull/12 (PR #12 Add commas) made"],
		],
		[
			"gh issue create --title 'Crash'",
			"https://github.com/o/r/issues/7",
			["issue https://github.com/o/r/issues/7 (issue #7 Crash) made"],
		],
		["curl -s http://localhost:8080/x", "see http://localhost:8080/x", []],
		["cat README.md", "https://example.com/docs.", ["url https://example.com/docs (example.com/docs) seen"]],
	])("%s", (command, output, links) => {
		expect(linksOf(command, output)).toEqual(links);
	});

	it("completes the numbers that gh takes by the repository that was seen", () => {
		const repository = repositoryOf("https://github.com/o/r.git");
		expect(linksOf("gh pr merge 12 --merge", "✓ Merged", repository)).toEqual([
			"pr https://github.com/o/r/pull/12 (PR #12) made",
		]);
	});
});

describe("urlLinks", () => {
	it("tells pull requests, issues and commits from pages, without trailing marks", () => {
		const text =
			"PR: **https://github.com/o/r/pull/3**, see https://github.com/o/r/issues/4#issuecomment-1 (https://a.dev/x).";
		expect(urlLinks(text).map(({ kind, locator }) => `${kind} ${locator}`)).toEqual([
			"pr https://github.com/o/r/pull/3",
			"issue https://github.com/o/r/issues/4",
			"url https://a.dev/x",
		]);
	});
});

describe("namedHashes", () => {
	it("takes hashes, not words or numbers", () => {
		expect(namedHashes("Commit `b3e6c1a` after 1234567 deadbeef, path a/b3e6c1b")).toEqual(["b3e6c1a"]);
	});
});

describe("uncommittedFiles", () => {
	const name = pathNamer("/code");
	it.each([
		[
			"git status",
			"Changes not staged for commit:\n\tmodified:   src/a.ts\n\nUntracked files:\n\tb.ts\n",
			["src/a.ts"],
		],
		["git status --short", " M src/a.ts\n?? b.ts\nR  old.ts -> new.ts\n", ["src/a.ts", "new.ts"]],
		["git status -sb", "## main...origin/main\n   main -> origin/main\n", []],
		["git diff", " M a.ts", undefined],
	])("%s", (command, output, files) => {
		expect(uncommittedFiles(run(command, output), name)).toEqual(files);
	});
});

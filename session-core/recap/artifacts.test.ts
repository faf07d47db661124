import { describe, expect, it } from "vitest";
import { ASK, cwd, type Happening, timelineOf } from "../log/timeline/log.test-support.ts";
import { displayWidth } from "../text/clip.ts";
import { artifactLine, chooseArtifacts } from "./artifacts.ts";

const artifacts = (from: number, ...happenings: Happening[]) =>
	chooseArtifacts(timelineOf([ASK, ...happenings], { cwd }), from);
const locators = (...happenings: Happening[]): string[] =>
	artifacts(0, ...happenings).map(({ locator }) => locator);
const COMMIT = "$ git commit -am x → [main 1a2b3c4] Accept commas";

describe("artifacts", () => {
	it("are files, commits and pages that the session made or changed", () => {
		const page = "$ gh pr create --title 'Commas' → https://github.com/o/r/pull/12";
		expect(artifacts(0, "edit src/parser.ts", COMMIT, page)).toEqual([
			{ kind: "file", label: "parser.ts", locator: "src/parser.ts" },
			{ kind: "commit", label: "Accept commas", locator: "1a2b3c4" },
			{ kind: "url", label: "PR #12 Commas", locator: "https://github.com/o/r/pull/12" },
		]);
	});

	it.each<[string, Happening[], string]>([
		["named in the reply", ["edit src/a.ts", "edit src/b.ts", "< Changed a.ts for it."], "src/a.ts"],
		[
			"named by its words",
			["edit src/token_reader.ts // edit b.ts // < TokenReader keeps it."],
			"src/token_reader.ts",
		],
		["of the current request", ["edit a.ts // edit a.ts // < In. // > now the other // edit b.ts"], "b.ts"],
		["in the project before scratch", ["edit src/a.ts", "edit /tmp/try.ts"], "src/a.ts"],
	])("begin with the file that is %s", (_, happenings, first) => {
		expect(locators(...happenings)[0]).toBe(first);
	});

	const STATUS = "$ git status -s →  M src/gen.ts⏎?? posts/";
	const MEMORY = "~/.claude/projects/p/memory/MEMORY.md";
	it.each<[string, Happening[], string[]]>([
		["at most four, newest first", ["edit a // edit b // edit c // edit d // edit e"], ["e", "d", "c", "b"]],
		["files that were only read", ["read src/a.ts"], ["src/a.ts"]],
		["no files that were only read if the request changed one", ["read a.ts // edit b.ts"], ["b.ts"]],
		["no removed files", ["edit old.ts // $ git rm old.ts"], []],
		["no temporary files", ["edit /tmp/try.ts"], []],
		["no paths that are too long", [`edit src/${"x".repeat(300)}.ts`], []],
		["files that git status lists", [STATUS], ["src/gen.ts", "posts"]],
		["no such files if the session changed one", ["edit posts/hello.md", STATUS], ["posts/hello.md"]],
		["a program's files after the project's", [`edit src/a.ts // edit ${MEMORY}`], ["src/a.ts", MEMORY]],
	])("include %s", (_, happenings, expected) => expect(locators(...happenings)).toEqual(expected));
});

describe("the line below a recap", () => {
	it("names up to three artifacts, each by a short name", () => {
		expect(
			artifactLine([
				{ kind: "file", label: "queue.ts", locator: "src/queue.ts" },
				{ kind: "commit", label: "fix: lock first", locator: "1a2b3c4d5e6f" },
				{ kind: "url", label: "PR #12", locator: "https://github.com/o/r/pull/12" },
				{ kind: "file", label: "db.ts", locator: "src/db.ts" },
			]),
		).toBe("src/queue.ts · 1a2b3c4 fix: lock first · PR #12");
	});

	it("cuts a deep path to its end", () => {
		const locator = `${"deep/".repeat(20)}core/queue.ts`;
		expect(artifactLine([{ kind: "file", label: "queue.ts", locator }])).toBe("core/queue.ts");
	});

	it("stays short, and is empty without artifacts", () => {
		const long = { kind: "commit", label: "word ".repeat(60), locator: "1a2b3c4" } as const;
		expect(displayWidth(artifactLine([long, { ...long, locator: "2" }, long]))).toBeLessThanOrEqual(
			3 * 48 + 6,
		);
		expect(artifactLine([])).toBe("");
	});
});

import { describe, expect, it } from "vitest";
import { ASK, cwd, EDIT, type Happening, timelineOf } from "./log.test-support.ts";
import { renderTimeline } from "./render.ts";

const uncommittedAfter = (...happenings: Happening[]): string[] =>
	timelineOf([ASK, EDIT, ...happenings], { cwd }).uncommitted;
const STATUS: Happening = { bash: "git status --short", out: " M src/a.ts\n?? b.ts" };

describe("what the newest git status shows as not committed", () => {
	it.each([
		["git status", "Changes:\n\tmodified:   src/a.ts\n\tdeleted:    c.ts\n", "src/a.ts c.ts"],
		["git status --short", " M src/a.ts\n?? b.ts\nR  old.ts -> new.ts\n", "src/a.ts b.ts new.ts"],
		["cd /code/app && git status -sb | head -3", "## main\nMM /code/app/src/a.ts", "src/a.ts"],
		["git status -sb", "## main...origin/main\n   main -> origin/main\n", ""],
		["git status", "nothing to commit, working tree clean", ""],
		["git status -s --ignored", "!! dist/a.js", ""],
		["git diff --stat", " M a.ts", ""],
	])("%s: %#", (bash, out, files) => {
		expect(uncommittedAfter({ bash, out }).join(" ")).toBe(files);
	});

	it("also where the user or a tool of another name asked", () => {
		expect(uncommittedAfter({ ran: "git status --short", out: " M src/a.ts" })).toEqual(["src/a.ts"]);
		expect(uncommittedAfter({ tool: "git_status", args: {}, out: " M src/a.ts" })).toEqual(["src/a.ts"]);
	});

	it("is at most twelve files", () => {
		const out = Array.from({ length: 15 }, (_, index) => ` M src/part-${index}.ts`).join("\n");
		expect(uncommittedAfter({ bash: "git status --short", out })).toHaveLength(12);
	});

	it.each<[Happening, string]>([
		[{ bash: "git status --short", out: "" }, ""],
		[{ bash: "git commit -am x", out: "[main 1a2b3c4] x" }, ""],
		[{ tool: "save_commit", args: { message: "x" }, out: "Hash: 1a2b3c4" }, ""],
		[{ bash: "git commit -am x", out: "hook failed", fails: true }, "src/a.ts b.ts"],
	])("followed by %j: %j", (happening, files) => {
		expect(uncommittedAfter(STATUS, happening).join(" ")).toBe(files);
	});
});

describe("edited after the last commit", () => {
	const COMMIT: Happening = { bash: "git commit -qam x", out: "" };
	it.each<[string, Happening[], string | undefined]>([
		["is what was edited since", [EDIT, COMMIT, EDIT], "Edited after the last commit: src/parser.ts"],
		["is nothing without a commit", [EDIT], undefined],
		["is nothing behind a commit", [EDIT, COMMIT, EDIT, COMMIT], undefined],
		[
			"is nothing behind a push, which sends a commit that the log may not show",
			[COMMIT, EDIT, { bash: "git push", out: "   0000aaa..1a2b3c4d  main -> main" }],
			undefined,
		],
		["gives way to git's own account", [COMMIT, EDIT, STATUS], undefined],
	])("%s", (_, happenings, line) => {
		const text = renderTimeline(timelineOf([ASK, ...happenings], { cwd }));
		expect(text.split("\n").find((one) => one.startsWith("Edited after"))).toBe(line);
	});
});

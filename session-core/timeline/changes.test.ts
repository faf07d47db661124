import { describe, expect, it } from "vitest";
import { ASK, cwd, type Happening, timelineOf } from "./log.test-support.ts";
import type { FileChange } from "./types.ts";

const HOME_CWD = "/home/ann/app";
const changesOf = (happenings: Happening[], folder = cwd): FileChange[] =>
	timelineOf([ASK, ...happenings], { cwd: folder }).files;
const namesOf = (...happenings: Happening[]): string[] =>
	changesOf(happenings).map(({ kind, path, times }) => `${kind} ${path} ×${times}`);
const edit = (path: string, diff = "+ 1 a"): Happening => ({ tool: "edit", args: { path }, diff });
const write = (path: string): Happening => ({ tool: "write", args: { path, content: "x" } });

describe("one file is one file", () => {
	it.each([
		["relative", "src/a.ts"],
		["absolute", "/code/app/src/a.ts"],
		["with a dot", "./src/a.ts"],
		["marked as a reference", "@src/a.ts"],
		["by a way round", "src/lib/.././/a.ts"],
		["from above", "../app/src/a.ts"],
		["with spaces around it", " src/a.ts "],
	])("however its path was written: %s", (_, path) => {
		expect(namesOf(edit("src/a.ts"), edit(path))).toEqual(["edited src/a.ts ×2"]);
	});

	it.each(["/home/ann/notes/a.md", "~/notes/a.md"])("outside the session's folder: %s", (path) => {
		expect(changesOf([edit("~/notes/a.md"), edit(path)], HOME_CWD)).toMatchObject([
			{ path: "~/notes/a.md", times: 2 },
		]);
	});

	it("by whatever tool it was changed", () => {
		expect(namesOf(edit("src/a.ts"), { bash: "cd src && sed -i s/a/b/ a.ts" })).toEqual([
			"edited src/a.ts ×2",
		]);
	});

	it("with its lines added up, and the turn that changed it last", () => {
		const files = changesOf([
			edit("src/a.ts", "+ 1 a\n+ 2 b\n- 3 c"),
			{ user: "and the other one" },
			edit("src/a.ts", "- 1 a"),
		]);
		expect(files).toMatchObject([
			{ path: "src/a.ts", kind: "edited", added: 2, removed: 2, times: 2, turn: 1 },
		]);
	});
});

describe("files changed", () => {
	it("stand in the order of their last change", () => {
		expect(namesOf(edit("a.ts"), edit("b.ts"), edit("a.ts"))).toEqual(["edited b.ts ×1", "edited a.ts ×2"]);
	});

	it("are none where every edit failed", () => {
		expect(namesOf({ tool: "edit", args: { path: "a.ts" }, fails: true })).toEqual([]);
	});

	it("move with a rename, and keep what was changed in them", () => {
		expect(namesOf(edit("src/a.ts"), { bash: "git mv src/a.ts src/b.ts" })).toEqual(["edited src/b.ts ×2"]);
		expect(namesOf(edit("src/a.ts"), { bash: "mv src/a.ts lib/" })).toEqual(["edited lib/a.ts ×2"]);
	});

	it("are named where nothing but their place changed", () => {
		expect(namesOf({ bash: "mv notes.md docs/notes.md" })).toEqual(["moved docs/notes.md ×1"]);
	});

	it("are forgotten where the session removes what it made itself", () => {
		expect(namesOf(write("try.ts"), { bash: "rm -f try.ts" })).toEqual([]);
		expect(namesOf(write("tmp/a.ts"), write("tmp/b.ts"), { bash: "rm -rf tmp" })).toEqual([]);
		expect(namesOf(write("a.log.txt"), write("b.md"), { bash: "rm *.txt" })).toEqual(["written b.md ×1"]);
	});

	it("are renamed where they were removed and put back before", () => {
		expect(
			namesOf(edit("old.ts"), { bash: "git rm old.ts" }, { bash: "git restore . && mv old.ts new.ts" }),
		).toEqual(["moved new.ts ×2"]);
	});

	it("are removed where they stood there before", () => {
		expect(namesOf(edit("old.ts"), { bash: "git rm old.ts" })).toEqual(["removed old.ts ×1"]);
	});

	it("are removed where they stood there before, though the session wrote them anew", () => {
		expect(namesOf(edit("old.ts"), write("old.ts"), { bash: "rm old.ts" })).toEqual(["removed old.ts ×2"]);
	});

	it("stay where the removal failed", () => {
		expect(namesOf(write("try.ts"), { bash: "rm try.ts", fails: true, out: "denied" })).toEqual([
			"written try.ts ×1",
		]);
	});

	it("are back when they are written again", () => {
		expect(namesOf(edit("a.ts"), { bash: "rm a.ts" }, write("a.ts"))).toEqual(["written a.ts ×2"]);
	});

	it("are bounded, newest kept", () => {
		const many = Array.from({ length: 200 }, (_, index) => edit(`src/part-${index}.ts`));
		const files = changesOf(many);
		expect(files.length).toBeLessThanOrEqual(60);
		expect(files.at(-1)?.path).toBe("src/part-199.ts");
	});
});

import { describe, expect, it } from "vitest";
import { ASK, cwd, type Happening, timelineOf } from "./log.test-support.ts";
import { isStep } from "./turn.ts";
import type { FileChange, FileEdit } from "./types.ts";

function editsOf(happening: Happening): FileEdit[] {
	const steps = timelineOf([{ user: "please change the files" }, happening], { cwd }).turns[0]?.steps ?? [];
	return steps.filter(isStep).flatMap((step) => step.edits);
}
const pathsOf = (happening: Happening): string[] =>
	editsOf(happening).map(({ kind, path }) => `${kind} ${path}`);

describe("editors and writers", () => {
	it.each<[string, Happening, string[]]>([
		["an edit", { tool: "edit", args: { path: "/code/app/src/a.ts" } }, ["edited src/a.ts"]],
		[
			"another host's name for the path",
			{ tool: "Edit", args: { file_path: "./src/a.ts" } },
			["edited src/a.ts"],
		],
		["a writer", { tool: "write", args: { path: "src/a.ts", content: "1\n2" } }, ["written src/a.ts"]],
		[
			"a patch that names its files",
			{
				tool: "apply_patch",
				args: { input: "*** Update File: src/a.ts\n+x\n*** Add File: src/b.ts\n+y\n*** Delete File: c.ts" },
			},
			["edited src/a.ts", "written src/b.ts", "removed c.ts"],
		],
		[
			"a unified diff",
			{ tool: "patch", args: { patch: "--- a/src/a.ts\n+++ b/src/a.ts\n@@\n+x\n--- c.ts\n+++ /dev/null\n" } },
			["edited src/a.ts"],
		],
		["a refused edit", { tool: "edit", args: { path: "src/a.ts" }, fails: true, out: "not found" }, []],
	])("%s: %#", (_, happening, paths) => {
		expect(pathsOf(happening)).toEqual(paths);
	});

	it("count lines by the host's diff, else by the texts of the call", () => {
		const diff = "+ 1 a\n  2 b\n- 3 c\n+ 3 d";
		expect(editsOf({ tool: "edit", args: { path: "a.ts" }, diff })).toMatchObject([{ added: 2, removed: 1 }]);
		const args = { path: "a.ts", oldText: "a", newText: "b\nc\nd" };
		expect(editsOf({ tool: "edit", args })).toMatchObject([{ added: 3, removed: 1 }]);
		expect(editsOf({ tool: "write", args: { path: "a.ts", content: "1\n2" } })).toMatchObject([
			{ added: 2, removed: 0 },
		]);
	});
});

describe("tools of any maker", () => {
	it.each<[string, Happening, string[]]>([
		[
			"a document tool with its output's path",
			{ tool: "export_pdf", args: { source: "a.md", output_path: "out/report.pdf" } },
			["written out/report.pdf"],
		],
		[
			"an MCP tool that says what it saved",
			{ tool: "mcp__docs__run", args: { title: "Q3" }, out: "Saved to /code/app/docs/q3.docx (12 kB)" },
			["written docs/q3.docx"],
		],
		[
			"a file that was generated",
			{ tool: "image_run", args: { prompt: "a fox" }, out: "Generated file: assets/fox.png" },
			["written assets/fox.png"],
		],
		["a tool that sends a file", { tool: "telegram_send_file", args: { path: "a.zip" } }, []],
		["a tool that runs a file", { tool: "run_tests", args: { file: "src/a.test.ts" }, out: "3 passed" }, []],
		["a tool that made nothing", { tool: "run_job", args: { id: "7" }, out: "started" }, []],
		["a page", { tool: "run_job", args: { url: "https://a.dev/x.html" }, out: "ok" }, []],
		["a reader", { tool: "read_sheet", args: { path: "data.xlsx" }, out: "created by Ann in a.xlsx" }, []],
	])("%s: %#", (_, happening, paths) => {
		expect(pathsOf(happening)).toEqual(paths);
	});
});

describe("a shell command", () => {
	it.each([
		["cat > src/a.ts <<'EOF'\nx > y.ts\nEOF", ["written src/a.ts"]],
		["cd docs && echo x >> notes.md", ["written docs/notes.md"]],
		["echo x | tee -a log/run.txt", ["written log/run.txt"]],
		["cp a.ts src/b.ts", ["written src/b.ts"]],
		["sed -i 's/a/b/' src/a.ts", ["edited src/a.ts"]],
		["make 2> /dev/null > /tmp/out.txt", []],
		["git log --format='%h > %s.x'", []],
		["node -e 'if (a.b > c.d) x()'", []],
	])("%s", (bash, paths) => {
		expect(pathsOf({ bash })).toEqual(paths);
	});
});

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

	it("are listed at both places after a rename, and only at the new one if the session created them", () => {
		expect(namesOf(edit("src/a.ts"), { bash: "git mv src/a.ts src/b.ts" })).toEqual([
			"removed src/a.ts ×1",
			"written src/b.ts ×1",
		]);
		expect(namesOf(write("src/a.ts"), { bash: "mv src/a.ts lib/" })).toEqual(["written lib/a.ts ×1"]);
	});

	it("are forgotten where the session removes what it made itself", () => {
		expect(namesOf(write("try.ts"), { bash: "rm -f try.ts" })).toEqual([]);
		expect(namesOf(write("tmp/a.ts"), write("tmp/b.ts"), { bash: "rm -rf tmp" })).toEqual([]);
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

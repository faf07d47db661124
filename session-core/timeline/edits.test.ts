import { describe, expect, it } from "vitest";
import type { FileEdit } from "./edits.ts";
import { cwd, type Happening, timelineOf } from "./log.test-support.ts";
import { isStep } from "./turn.ts";

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
		[
			"the file that the result names first",
			{ tool: "edit", args: { input: "§a" }, out: "packages/core/a.ts:\n 1 +x" },
			["edited packages/core/a.ts"],
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
			["made out/report.pdf"],
		],
		[
			"an MCP tool that says what it saved",
			{ tool: "mcp__docs__run", args: { title: "Q3" }, out: "Saved to /code/app/docs/q3.docx (12 kB)" },
			["made docs/q3.docx"],
		],
		[
			"a file that was generated",
			{ tool: "image_run", args: { prompt: "a fox" }, out: "Generated file: assets/fox.png" },
			["made assets/fox.png"],
		],
		[
			"a document tool with the path of what it creates",
			{ tool: "docx_create", args: { filename: "q3.docx" } },
			["made q3.docx"],
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

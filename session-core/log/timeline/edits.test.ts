import { describe, expect, it } from "vitest";
import { ASK, cwd, type Happening, timelineOf } from "./log.test-support.ts";
import { type FileChange, type FileEdit, isStep } from "./turn.ts";

function editsOf(happening: Happening): FileEdit[] {
	const steps = timelineOf(["> please change the files", happening], { cwd }).turns[0]?.steps ?? [];
	return steps.filter(isStep).flatMap((step) => step.edits);
}
const pathsOf = (happening: Happening): string[] =>
	editsOf(happening).map(({ kind, path }) => `${kind} ${path}`);

const call = (
	tool: string,
	args: Record<string, unknown>,
	more: { out?: string; fails?: boolean } = {},
): Happening => ({ tool, args, ...more });
const PATCH = "*** Update File: src/a.ts\n+x\n*** Add File: src/b.ts\n+y\n*** Delete File: c.ts";
const DIFF = "--- a/src/a.ts\n+++ b/src/a.ts\n@@\n+x\n--- c.ts\n+++ /dev/null\n";

it.each<[Happening, string[]]>([
	[call("edit", { path: "/code/app/src/a.ts" }), ["edited src/a.ts"]],
	[call("Edit", { file_path: "./src/a.ts" }), ["edited src/a.ts"]],
	[call("write", { path: "src/a.ts", content: "1\n2" }), ["written src/a.ts"]],
	[call("apply_patch", { input: PATCH }), ["edited src/a.ts", "written src/b.ts", "removed c.ts"]],
	[call("patch", { patch: DIFF }), ["edited src/a.ts"]],
	[call("edit", { path: "src/a.ts" }, { fails: true, out: "not found" }), []],
	[call("export_pdf", { source: "a.md", output_path: "out/report.pdf" }), ["written out/report.pdf"]],
	[call("mcp__docs__run", {}, { out: "Saved to /code/app/docs/q3.docx (12 kB)" }), ["written docs/q3.docx"]],
	[call("image_run", {}, { out: "Generated file: assets/fox.png" }), ["written assets/fox.png"]],
	[call("telegram_send_file", { path: "a.zip" }), []],
	[call("run_tests", { file: "src/a.test.ts" }, { out: "3 passed" }), []],
	[call("run_job", { url: "https://a.dev/x.html" }, { out: "ok" }), []],
	[call("read_sheet", { path: "data.xlsx" }, { out: "created by Ann in a.xlsx" }), []],
	["$ cat > src/a.ts <<'EOF'\nx > y.ts\nEOF", ["written src/a.ts"]],
	["$ cd docs && echo x >> notes.md", ["written docs/notes.md"]],
	["$ echo x | tee -a log/run.txt", ["written log/run.txt"]],
	["$ cp a.ts src/b.ts", ["written src/b.ts"]],
	["$ cp /tmp/a2.hwp ./보고서_완료.hwp", ["written 보고서_완료.hwp"]],
	['$ cd "/code/app/my docs" && echo x >> notes.md', ["written my docs/notes.md"]],
	["$ sed -i 's/a/b/' src/a.ts", ["edited src/a.ts"]],
	["$ sed -i s/a/b/ src/a.ts; ls → sed: can't read src/a.ts: No such file or directory", []],
	["$ cp a.ts src/b.ts; ls → cp: cannot stat 'a.ts': No such file or directory\nsrc", []],
	["$ echo x | tee log/run.txt; ls → tee: log/run.txt: Permission denied", []],
	["$ echo x > out/a.txt; ls → bash: line 1: out/a.txt: No such file or directory", []],
	["$ sed -i s/a/b/ src/a.ts; cat src/a.ts b.ts → cat: b.ts: No such file", ["edited src/a.ts"]],
	["$ make 2> /dev/null > /tmp/out.txt", []],
	["$ echo x > src/probe.ts && cat src/probe.ts && rm -f src/probe.ts", []],
	["$ rm -f src/a.ts; echo x > src/a.ts", ["written src/a.ts"]],
	["$ for f in 1 2; do echo $f >> notes.md; done\nnpm test", ["written notes.md"]],
	['$ if [ -n "$A" ]; then echo x >> log/run.txt; fi\necho y > b.txt', ["written b.txt"]],
	["$ [ -f a.ts ] && cp a.ts src/b.ts\ntrue", []],
	["$ echo x >> ~/.tool/events.jsonl 2>/dev/null || true", []],
	["$ cp a.ts src/b.ts 2>/dev/null; ls", []],
	["$ echo x > src/a.ts\nls → zsh:1: operation not permitted: /code/app/src/a.ts", []],
	["$ echo x > src/a.ts && npx tsc → src/a.ts:3:1 - error TS2304", ["written src/a.ts"]],
	["$ node -e 'if (a.b > c.d) x()'", []],
])("%j changed %j", (happening, paths) => expect(pathsOf(happening)).toEqual(paths));

it("counts lines in the host's diff or, without one, in the call's texts", () => {
	const diff = "+ 1 a\n  2 b\n- 3 c\n+ 3 d";
	expect(editsOf({ tool: "edit", args: { path: "a.ts" }, diff })).toMatchObject([{ added: 2, removed: 1 }]);
	const args = { path: "a.ts", oldText: "a", newText: "b\nc\nd" };
	expect(editsOf(call("edit", args))).toMatchObject([{ added: 3, removed: 1 }]);
	const written = call("write", { path: "a.ts", content: "1\n2" });
	expect(editsOf(written)).toMatchObject([{ added: 2, removed: 0 }]);
	expect(editsOf(call("patch", { patch: DIFF }))).toMatchObject([{ added: 1, removed: 0 }]);
});

const HOME_CWD = "/home/ann/app";
const changesOf = (happenings: Happening[], folder = cwd): FileChange[] =>
	timelineOf([ASK, ...happenings], { cwd: folder }).files;
const namesOf = (...happenings: Happening[]): string[] =>
	changesOf(happenings).map(({ kind, path, times }) => `${kind} ${path} ×${times}`);
const edit = (path: string, diff = "+ 1 a"): Happening => ({ tool: "edit", args: { path }, diff });
const write = (path: string): Happening => ({ tool: "write", args: { path, content: "x" } });

describe("a file is listed once", () => {
	it.each(["/code/app/src/a.ts", "@src/a.ts", "src/lib/.././/a.ts", "../app/src/a.ts", " src/a.ts "])(
		"however its path was written: %j",
		(path) => expect(namesOf("edit src/a.ts", edit(path))).toEqual(["edited src/a.ts ×2"]),
	);

	it.each(["/home/ann/notes/a.md", "~/notes/a.md"])("outside the session's folder: %s", (path) => {
		expect(changesOf(["edit ~/notes/a.md", edit(path)], HOME_CWD)).toMatchObject([
			{ path: "~/notes/a.md", times: 2 },
		]);
	});
});

describe("files changed", () => {
	it.each<[Happening[], string[]]>([
		[["edit src/a.ts", "$ cd src && sed -i s/a/b/ a.ts"], ["edited src/a.ts ×2"]],
		[
			["edit a.ts", "edit b.ts", "edit a.ts"],
			["edited b.ts ×1", "edited a.ts ×2"],
		],
		[
			["edit src/a.ts", "$ git mv src/a.ts src/b.ts"],
			["removed src/a.ts ×1", "written src/b.ts ×1"],
		],
		[[write("src/a.ts"), "$ mv src/a.ts lib/"], ["written lib/a.ts ×1"]],
		[['$ mv a.pdf "b — c.pdf" && cp a.csv "d e.csv"'], []],
		[[write("try.ts"), "$ rm -f try.ts"], []],
		[[write("try.ts"), call("apply_patch", { input: "*** Delete File: try.ts" })], []],
		[[write("tmp/a.ts"), write("tmp/b.ts"), "$ rm -rf tmp"], []],
		[["edit old.ts", "$ git rm old.ts"], ["removed old.ts ×1"]],
		[["edit old.ts", write("old.ts"), "$ rm old.ts"], ["removed old.ts ×2"]],
		[[write("try.ts"), "! rm try.ts → denied"], ["written try.ts ×1"]],
		[["edit a.ts", "$ rm a.ts", write("a.ts")], ["written a.ts ×2"]],
	])("%j are %j", (happenings, names) => expect(namesOf(...happenings)).toEqual(names));

	it("are limited to the newest 60", () => {
		const many = Array.from({ length: 200 }, (_, index) => `edit src/part-${index}.ts`);
		const files = changesOf(many);
		expect(files.length).toBeLessThanOrEqual(60);
		expect(files.at(-1)?.path).toBe("src/part-199.ts");
	});
});

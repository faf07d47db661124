import { describe, expect, it } from "vitest";
import { pathNamer } from "../text/paths.ts";
import { removalOf, shellMoves, shellReads, shellWrites } from "./shell-files.ts";
import { parseShell } from "./shell-grammar.ts";

const name = pathNamer("/code/app");

describe("parseShell", () => {
	it("splits at operators outside quotes and keeps redirections whole", () => {
		const { segments, folder } = parseShell(`cd src && FOO=1 sudo grep "a && b" x.ts 2>&1 | head -3; ls &`);
		expect(folder).toBe("src");
		expect(segments.map(({ words, next }) => [words.join(" "), next])).toEqual([
			["cd src", "&&"],
			["grep '' x.ts 2>&1", "|"],
			["head -3", ";"],
			["ls", "&"],
		]);
	});

	it("reads no command out of a here-document", () => {
		const { segments } = parseShell("cat > a.txt <<'EOF'\nrm -rf x && npm test\nEOF\nls");
		expect(segments.map(({ words }) => words[0])).toEqual(["cat", "ls"]);
	});

	it("gives up nothing on an unclosed quote", () => {
		expect(parseShell(`echo "never closed && ls`).segments).toHaveLength(1);
	});
});

describe("files of shell commands", () => {
	it.each([
		["cat > src/new.ts <<'EOF'\nx\nEOF", ["src/new.ts"]],
		["sed -i 's/a/b/' lib/a.ts", ["lib/a.ts"]],
		["cd lib && echo hi >> notes.md", ["lib/notes.md"]],
		["cp dark.json ~/themes/mine.json", ["~/themes/mine.json"]],
		["echo hi | tee out.txt", ["out.txt"]],
		["npm test > /tmp/log.txt 2>&1", []],
		["ls 2>/dev/null", []],
		["node -e 'const f = (a) => a.b'", []],
	])("%s writes %j", (command, paths) => {
		expect(shellWrites(parseShell(command), name).map(({ path }) => path)).toEqual(paths);
	});

	it("sees what was looked at, by its full name only", () => {
		const line = parseShell(
			"cd /code/app && cat src/a.ts && rg -n 'x y' lib/b.go && git diff HEAD docs/c.md && wc -l d.ts",
		);
		expect(shellReads(line, name)).toEqual(["src/a.ts", "lib/b.go", "docs/c.md"]);
	});

	it("follows renames", () => {
		expect(shellMoves(parseShell("git mv src/a-new.ts src/a.ts && mv b.ts lib/"), name)).toEqual([
			{ from: "src/a-new.ts", to: "src/a.ts" },
			{ from: "b.ts", to: "lib/b.ts" },
		]);
	});

	it("knows removed files, patterns included", () => {
		const removed = removalOf(parseShell("cd demo && rm -f smoke-*.html /code/app/old.ts"), name);
		expect(["demo/smoke-1.html", "old.ts", "demo/kept.html"].map((path) => removed?.(path))).toEqual([
			true,
			true,
			false,
		]);
		expect(removalOf(parseShell("ls"), name)).toBeUndefined();
	});
});

import { describe, expect, it } from "vitest";
import { pathNamer } from "../../text/paths.ts";
import { parseShell, shellReads, shellRemovals } from "./shell.ts";

const name = pathNamer("/code/app");

describe("parseShell", () => {
	it("splits at operators outside quotes and keeps redirections whole", () => {
		const { segments, folder } = parseShell(`cd src && FOO=1 sudo grep "a && b" x.ts 2>&1 | head -3; ls &`);
		expect(folder).toBe("src");
		expect(segments.map(({ words }) => words.join(" "))).toEqual([
			"cd src",
			"grep '' x.ts 2>&1",
			"head -3",
			"ls",
		]);
	});

	it("finds no commands in a here-document", () => {
		const { segments } = parseShell("cat > a.txt <<'EOF'\nrm -rf x && npm test\nEOF\nls");
		expect(segments.map(({ words }) => words[0])).toEqual(["cat", "ls"]);
	});

	it("loses nothing if a quote is not closed", () =>
		expect(parseShell(`echo "never closed && ls`).segments).toHaveLength(1));
});

describe("files of shell commands", () => {
	it("include files that were read, but no bare file names", () => {
		const line = parseShell(
			"cd /code/app && cat src/a.ts && rg -n 'x y' lib/b.go && git diff HEAD docs/c.md && wc -l d.ts",
		);
		expect(shellReads(line, name)).toEqual(["src/a.ts", "lib/b.go", "docs/c.md"]);
	});

	it("include removed and moved files", () => {
		const line = parseShell("cd demo && rm -rf smoke /code/app/old.ts && git mv a-new.ts a.ts && ls c.ts");
		expect(shellRemovals(line, name)).toEqual(["demo/smoke", "old.ts", "demo/a-new.ts"]);
	});
});

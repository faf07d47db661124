import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The packages that a file imports when it runs, and those that its imports do. */
function packagesOf(file: URL, seen = new Set<string>()): Set<string> {
	if (seen.has(file.href)) return new Set();
	seen.add(file.href);
	const found = new Set<string>();
	const imports = readFileSync(fileURLToPath(file), "utf8").matchAll(
		/^import (?!type )[^;]*?from "([^"]+)";/gm,
	);
	for (const [, name = ""] of imports) {
		if (name.startsWith(".")) for (const inner of packagesOf(new URL(name, file), seen)) found.add(inner);
		else if (!isBuiltin(name)) found.add(name);
	}
	return found;
}

test("what goes to a live session needs no package: a shell command loads it, too", () => {
	const own = new URL(".", import.meta.url);
	const names = readdirSync(fileURLToPath(own)).filter((name) => !name.endsWith(".test.ts"));
	expect(names.flatMap((name) => [...packagesOf(new URL(name, own))])).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "./host/launch.ts";

/** The formatter gives every import one of these forms; text that quotes one does not begin its line with it. */
const IMPORT = /^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

/**
 * The files that a file names in an `import`, an `export … from` or an `import()`. Type-only and lazy imports count like the
 * others: who reads a file has to follow them just the same.
 */
function importsOf(file: string): string[] {
	const names = [...readFileSync(file, "utf8").matchAll(IMPORT)].flatMap(([, ...named]) =>
		named.filter(Boolean),
	);
	return names.map((name) => resolve(dirname(file), name));
}

const SKIPPED = new Set(["node_modules", ".git", "dist"]);

function sourcesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesIn(path);
		return entry.name.endsWith(".ts") ? [path] : [];
	});
}

/** Groups of files of which each one reaches every other (Tarjan's strongly connected components of more than one file). */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
	const order = new Map<string, number>();
	const lowest = new Map<string, number>();
	const open: string[] = [];
	const found: string[][] = [];

	function visit(file: string): number {
		const own = order.size;
		order.set(file, own);
		lowest.set(file, own);
		open.push(file);
		for (const next of imports.get(file) ?? []) {
			if (!imports.has(next)) continue;
			const reach = order.has(next) ? order.get(next) : visit(next);
			const low = open.includes(next) ? Math.min(lowest.get(next) ?? own, reach ?? own) : own;
			lowest.set(file, Math.min(lowest.get(file) ?? own, low));
		}
		const low = lowest.get(file) ?? own;
		if (low === own) {
			const circle = open.splice(open.indexOf(file));
			if (circle.length > 1 || imports.get(file)?.includes(file)) found.push(circle);
		}
		return low;
	}
	for (const file of imports.keys()) if (!order.has(file)) visit(file);
	return found;
}

describe("imports", () => {
	const files = sourcesIn(PROJECT_ROOT);
	const imports = new Map(files.map((file) => [file, importsOf(file)]));
	const name = (file: string) => relative(PROJECT_ROOT, file);

	test("go in no circle, lazy and type-only ones included", () => {
		expect(circles(imports).map((circle) => circle.map(name).sort())).toEqual([]);
	});

	test("a circle is found, and what only hangs on it is no part of it", () => {
		const graph = { a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: [], f: ["f"], g: ["a"] };
		expect(circles(new Map(Object.entries(graph))).map((circle) => circle.sort())).toEqual([
			["a", "b", "c"],
			["f"],
		]);
	});

	test("no extension imports another, and session-core imports none", () => {
		const room = (file: string) => name(file).split("/")[0] ?? "";
		const extensions = ["session-recap", "session-title", "session-resume", "session-recall"];
		const across = files
			.filter((file) => [...extensions, "session-core"].includes(room(file)))
			.flatMap((file) => (imports.get(file) ?? []).map((target) => [file, target] as const))
			.filter(([file, target]) => extensions.includes(room(target)) && room(target) !== room(file));
		expect(across.map((pair) => pair.map(name))).toEqual([]);
	});

	test("the shell command and the server import nothing from the extensions", () => {
		const across = files
			.filter((file) => name(file).startsWith("bin/"))
			.flatMap((file) => (imports.get(file) ?? []).map((target) => [name(file), name(target)]))
			.filter(([, target]) => /^session-(?:recall|recap|title|resume)\//.test(target ?? ""));
		expect(across).toEqual([]);
	});

	test("nothing that pi loads leads to the shell command, the server or their libraries", () => {
		const loaded = files.filter(
			(file) => /^session-/.test(name(file)) && !/\.test(-support)?\.ts$/.test(file),
		);
		const leading = loaded.filter((file) => {
			const leadsToBin = (imports.get(file) ?? []).some((target) => name(target).startsWith("bin/"));
			return leadsToBin || /\bfrom "(?:hono|@hono|uqr)\b/.test(readFileSync(file, "utf8"));
		});
		expect(leading.map(name)).toEqual([]);
	});
});

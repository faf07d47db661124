import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { CORE_FOLDERS } from "../session-core/pi/host/start-work.ts";
import { PROJECT_ROOT } from "./host/launch.ts";

/** Matches imports as the formatter writes them, and type imports in comments. */
const IMPORT =
	/^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)|@import [^"]*"(\.[^"]+)"/gm;

const TYPES_ONLY = /^(?:import|export) type [^;]*;|@import [^"]*"[^"]*"/gm;
const TYPES_OR_LATER = new RegExp(`${TYPES_ONLY.source}|\\bimport\\("[^"]*"\\)`, "gm");

/** The files that a file imports or re-exports, even lazily, unless `skipped` matches. */
function importsOf(file: string, skipped: RegExp | string = ""): string[] {
	const matches = [...readFileSync(file, "utf8").replace(skipped, "").matchAll(IMPORT)];
	const names = matches.flatMap(([, ...named]) => named.filter(Boolean));
	// The server delivers modules of session-core below the page's folder.
	return names.map((name) => resolve(dirname(file), name).replace("/bin/page/core/", "/session-core/"));
}

const SKIPPED = new Set(["node_modules", ".git", "dist"]);

function sourcesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesIn(path);
		return /\.(?:ts|mjs|js)$/.test(entry.name) ? [path] : [];
	});
}

describe("imports", () => {
	const files = sourcesIn(PROJECT_ROOT);
	const imports = new Map(files.map((file) => [file, importsOf(file)]));
	const name = (file: string) => relative(PROJECT_ROOT, file);

	const between = (from: RegExp, to: RegExp) =>
		files
			.flatMap((file) => (imports.get(file) ?? []).map((target) => [name(file), name(target)]))
			.filter(([file = "", target = ""]) => from.test(file) && to.test(target));

	test("no extension imports another, and session-core and bin import none", () => {
		const extensions = ["recap", "title", "resume", "recall"];
		for (const one of extensions) {
			const others = extensions.filter((other) => other !== one).join("|");
			expect(between(new RegExp(`^session-${one}/`), new RegExp(`^session-(?:${others})/`))).toEqual([]);
		}
		expect(between(/^(?:session-core|bin)\//, /^session-(?:recall|recap|title|resume)\//)).toEqual([]);
	});

	test("no file imports itself through other files, not even through type imports", () => {
		const done = new Set<string>();
		const visit = (file: string, above: readonly string[]): void => {
			if (above.includes(file)) throw new Error(`a cycle: ${[...above, file].map(name).join(" -> ")}`);
			if (done.has(file)) return;
			for (const target of imports.get(file) ?? []) visit(target, [...above, file]);
			done.add(file);
		};
		for (const file of files) visit(file, []);
	});

	/** The layers of session-core, from bottom to top. Imports only point down. */
	const LAYERS = ["text", "log", "settings", "recap", "sessions", "pi"];
	const folderOf = (file: string) => dirname(name(file)).replace(/^session-core\/?/, "");
	const inCore = files.filter((file) => /^session-core\/(?!.*\.test(?:-support)?\.ts$)/.test(name(file)));
	const toCore = (file: string) => (imports.get(file) ?? []).filter((to) => /^session-core\//.test(name(to)));

	test("the layers of session-core import only downward, and its folders have at most six levels", () => {
		const layerOf = (file: string) => LAYERS.indexOf(folderOf(file).split("/")[0] ?? "");
		expect(inCore.filter((file) => layerOf(file) < 0).map(name)).toEqual([]);
		const upward = inCore.flatMap((file) =>
			toCore(file)
				.filter((to) => layerOf(to) > layerOf(file))
				.map((to) => `${name(file)} imports ${name(to)}`),
		);
		expect(upward).toEqual([]);

		const below = new Map<string, Set<string>>();
		for (const file of inCore) {
			const folders = toCore(file).map(folderOf);
			below.set(folderOf(file), new Set([...(below.get(folderOf(file)) ?? []), ...folders]));
		}
		const floorOf = (folder: string, above: readonly string[] = []): number => {
			if (above.includes(folder)) throw new Error(`a cycle of folders: ${[...above, folder].join(" -> ")}`);
			const others = [...(below.get(folder) ?? [])].filter((other) => other !== folder);
			return 1 + Math.max(0, ...others.map((other) => floorOf(other, [...above, folder])));
		};
		expect(Math.max(...[...below.keys()].map((folder) => floorOf(folder)))).toBeLessThanOrEqual(6);
	});

	test("the folders of an extension or of bin do not import each other in a cycle", () => {
		// Files directly in an extension's folder connect its subfolders, so only the subfolders are checked.
		const inside = /^(?:session-(?!core)\w+|bin)\/\w.*\//;
		const isChecked = (file: string) => inside.test(name(file)) && !/\.test(?:-support)?\.ts$/.test(file);
		const visit = (folder: string, above: readonly string[]): void => {
			if (above.includes(folder)) throw new Error(`a cycle: ${[...above, folder].map(name).join(" -> ")}`);
			const targets = files
				.filter((file) => isChecked(file) && dirname(file) === folder)
				.flatMap((file) => imports.get(file) ?? []);
			const others = new Set(targets.filter(isChecked).map(dirname));
			for (const other of others) if (other !== folder) visit(other, [...above, folder]);
		};
		const folders = new Set(files.filter(isChecked).map(dirname));
		expect([...folders].map(name)).toContain("session-resume/board");
		for (const folder of folders) visit(folder, []);
	});

	test("the folders of session-core are preloaded from bottom to top", () => {
		expect(new Set(CORE_FOLDERS)).toEqual(new Set(inCore.map(folderOf)));
		const rankOf = (file: string) => CORE_FOLDERS.indexOf(folderOf(file));
		const early = inCore.filter((file) => toCore(file).some((to) => rankOf(to) > rankOf(file)));
		expect(early.map(name)).toEqual([]);
	});

	const PAINT = /^(?:session-\w+\/)?index\.ts$/;

	/** The modules that entry points load at once, directly or through other modules. */
	function loadedWith(entries: RegExp): Set<string> {
		const loaded = new Set(files.filter((file) => entries.test(name(file))));
		for (const file of loaded) for (const target of importsOf(file, TYPES_OR_LATER)) loaded.add(target);
		return loaded;
	}

	test("at most eleven modules are loaded before the host's first paint, and thirteen by all entry points together", () => {
		expect([...loadedWith(/^index\.ts$/)].map(name).slice(11)).toEqual([]);
		expect([...loadedWith(PAINT)].map(name).slice(13)).toEqual([]);
	});

	test("only the first paint and the shell import past the index.ts of a folder in session-core", () => {
		const isDoor = (file: string) => /^session-core\/.*\bindex\.ts$/.test(name(file));
		const doors = inCore.filter(isDoor).map(dirname);
		expect(doors).not.toEqual([]);
		const early = new Set([...loadedWith(PAINT), ...loadedWith(/^bin\/main\.ts$/)]);
		const around = files
			.filter((file) => /^session-(?!.*\.test(?:-support)?\.ts$)/.test(name(file)))
			.filter((file) => !early.has(file) && !isDoor(file))
			.flatMap((file) =>
				toCore(file)
					.filter((to) => !isDoor(to) && doors.includes(dirname(to)) && dirname(to) !== dirname(file))
					.map((to) => `${name(file)} imports ${name(to)}`),
			);
		expect(around).toEqual([]);
	});

	test("pi and the server survive an exception in work that is not awaited, because the work is started with background.ts", () => {
		const timer =
			/(?<!\.)\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)\((?!resolve\b|\(\) =>\s+background\()/;
		/** These functions return no promise, except for `tell`, whose promise never rejects. */
		const ignored =
			/\bvoid (?!setImmediate|(?:[\w#]+\??\.)*(?:add|broadcast|call|end|push|reportBug|say|set|setHeader|tell|write)\()[\w#.?]+\(/;
		const code = files.filter((file) =>
			/^(?:index\.ts|bin\/(?!page\/)|session-)(?!.*\.test(?:-support)?\.ts$)(?!core\/text\/background\.ts$)/.test(
				name(file),
			),
		);
		const found = code.flatMap((file) =>
			[timer, ignored].flatMap(
				(rule) =>
					rule
						.exec(readFileSync(file, "utf8"))
						?.slice(0, 1)
						.map((it) => `${name(file)}: ${it}`) ?? [],
			),
		);
		expect(found).toEqual([]);
	});

	const imported = /^import (?!type\b)([^;]*?) from "@mariozechner\/|\bimport\("@mariozechner\//gm;
	const usesHost = (file: string) =>
		[...readFileSync(join(PROJECT_ROOT, file), "utf8").matchAll(imported)].some(
			([, names = "*"]) => !/^\{(?:\s*type [^,}]+,?)*\s*\}$/.test(names),
		);

	test("only session-core/pi/host imports the host, except for its types", () => {
		const loaded = /^session-(?!core\/pi\/host\/)(?!.*\.test(?:-support)?\.ts$)/;
		expect(files.map(name).filter((file) => loaded.test(file) && usesHost(file))).toEqual([]);
	});

	test("nothing that the shell command loads imports the host", () => {
		const loaded = new Set(files.filter((file) => /^bin\/(?!.*\.test(?:-support)?\.ts$)/.test(name(file))));
		for (const file of loaded) for (const target of importsOf(file, TYPES_ONLY)) loaded.add(target);
		expect([...loaded].map(name)).toContain("session-core/sessions/listing.ts");
		expect([...loaded].map(name).filter(usesHost)).toEqual([]);
	});

	/** Every measurement in `bench/` exports its `rows`. */
	const SHARED_NAMES = ["rows"];

	test("no command of the shell except serve loads TypeBox, which would take a third of a second", () => {
		const loaded = [...loadedWith(/^bin\/(?!serve\/|.*\.test(?:-support)?\.ts$)/)];
		const usesTypeBox = (file: string) => /\bfrom "typebox\b/.test(readFileSync(file, "utf8"));
		expect(loaded.filter(usesTypeBox).map(name)).toEqual([]);
	});

	test("no two files export the same name, except for an index.ts that re-exports its folder", () => {
		const declared =
			/^export (?:abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (?:\{([^}]*)\}(?! from)|([\w$]+))/gm;
		const exporters = new Map<string, string[]>();
		for (const file of files.filter((file) =>
			/^(?:session-|bin|bench|demo|scripts)(?!.*\.test(?:-support)?\.ts$)/.test(name(file)),
		))
			for (const [, several, one = ""] of readFileSync(file, "utf8").matchAll(declared))
				for (const exported of (several ?? one).split(",").map((it) => it.trim()))
					exporters.set(exported, [...(exporters.get(exported) ?? []), name(file)]);
		const shared = [...exporters].filter(([exported, by]) => exported !== "" && new Set(by).size > 1);
		expect(shared.filter(([exported]) => !SHARED_NAMES.includes(exported))).toEqual([]);
	});

	test("only the readers of other agents' logs know which agent wrote a session", () => {
		const word = /\b[Cc]laude[- ][Cc]ode|\b[Cc]odex\b|\b[Qq]wen[- ][Cc]ode/;
		/** These files name an agent in an option or a filter. */
		const named = ["bin/commands.ts", "session-core/sessions/session-list.mjs"];
		const readers = /^session-core\/log\/(?:claude-code|codex|foreign-\w+|format|log-file|qwen-code)\.ts$/;
		const code = files.filter((file) =>
			/^(?:index\.ts|bin|session-)(?!.*\.test(?:-support)?\.ts$)/.test(name(file)),
		);
		const found = code.filter((file) => word.test(readFileSync(file, "utf8"))).map(name);
		expect(found.filter((file) => !readers.test(file) && !named.includes(file))).toEqual([]);
	});

	test("nothing that pi loads leads to the shell command or the server", () => {
		expect(between(/^session-(?!.*\.test(?:-support)?\.ts$)/, /^bin\//)).toEqual([]);
	});
});

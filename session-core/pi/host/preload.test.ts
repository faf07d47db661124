import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../../log/session.test-support.ts";
import { preload } from "./start-work.ts";

const folder = useTemporaryFolder();

/**
 * Writes modules that record when they are loaded. Returns the list of loaded modules, and a function
 * that returns a module's URL.
 */
function modules(files: Readonly<Record<string, string>>) {
	const loaded: string[] = [];
	Reflect.set(globalThis, "preloaded", loaded);
	for (const [name, imports] of Object.entries(files)) {
		mkdirSync(join(folder(), name, ".."), { recursive: true });
		writeFileSync(join(folder(), name), `${imports}\nglobalThis.preloaded.push("${name}");\n`);
	}
	return { loaded, url: (name: string) => pathToFileURL(join(folder(), name)) };
}

test("a module is loaded after what it imports, one module in each turn of the event loop", async () => {
	const { loaded, url } = modules({
		"board.mjs": 'import { a } from "./parts/a.mjs";',
		"parts/a.mjs": "export {\n\tb,\n} from './b.mjs'\nexport const a = 1",
		"parts/b.mjs": 'import"./c.mjs";// import { d } from "./d.mjs"\nexport const b = 1;',
		"parts/c.mjs": "",
	});
	let isDone = false;
	let before = 0;
	let most = 0;
	const turn = (): void => {
		most = Math.max(most, loaded.length - before);
		before = loaded.length;
		if (!isDone) setImmediate(turn);
	};
	setImmediate(turn);
	await preload(url("board.mjs"), () => false);
	isDone = true;
	expect(loaded).toEqual(["parts/c.mjs", "parts/b.mjs", "parts/a.mjs", "board.mjs"]);
	expect(most).toBe(1);
});

test("nothing more is loaded once the session is over, and a module that cannot be loaded harms nothing", async () => {
	const { loaded, url } = modules({ "one.mjs": 'import "./two.mjs";', "two.mjs": "throw new Error('no');" });
	await preload(url("one.mjs"), () => true);
	expect(loaded).toEqual([]);
	await preload(url("missing.mjs"), () => false);
	await preload(url("two.mjs"), () => false);
	expect(loaded).toEqual([]);
});

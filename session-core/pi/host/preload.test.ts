import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../log/session.test-support.ts";
import { preload } from "./start-work.ts";

const folder = useTemporaryFolder();

/** Writes modules that record when they are loaded. Returns the list of loaded modules. */
function modules(...names: readonly string[]): string[] {
	const loaded: string[] = [];
	Reflect.set(globalThis, "preloaded", loaded);
	for (const name of names) put(join(folder(), name), `globalThis.preloaded.push("${name}");\n`);
	return loaded;
}

const urls = (...names: readonly string[]) => names.map((name) => pathToFileURL(join(folder(), `${name}/`)));

test("the modules of folders are loaded in the given order, one module in each turn of the event loop", async () => {
	const loaded = modules("parts/b.mjs", "parts/a.mjs", "board.mjs", "board.test.ts", "notes.md");
	let isDone = false;
	let before = 0;
	let most = 0;
	const turn = (): void => {
		most = Math.max(most, loaded.length - before);
		before = loaded.length;
		if (!isDone) setImmediate(turn);
	};
	setImmediate(turn);
	await preload(urls("parts", "."), () => false);
	isDone = true;
	expect(loaded).toEqual(["parts/a.mjs", "parts/b.mjs", "board.mjs"]);
	expect(most).toBe(1);
});

test("nothing more is loaded once the session is over, and a module that cannot be loaded harms nothing", async () => {
	const loaded = modules("one.mjs");
	await preload(urls("."), () => true);
	expect(loaded).toEqual([]);
	put(join(folder(), "broken.mjs"), "throw new Error('no');");
	await preload(urls("missing", "."), () => false);
	expect(loaded).toEqual(["one.mjs"]);
});

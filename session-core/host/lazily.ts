import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Loads the library that calls models on hosts before 0.86. Loading takes time, so it is loaded at the first call. */
export const modelLibrary = () => import("@mariozechner/pi-ai");

let last: Promise<unknown> = Promise.resolve();

/**
 * Imports modules when they are needed, one at a time. Newer hosts may return a module that is still being evaluated (seen on 0.87.1: an
 * imported binding was undefined), so two lazy imports with common dependencies must not run at once. `load` is a plain `import()`; it must
 * not wait for another call of `lazily`.
 */
export function lazily<T>(load: () => Promise<T>): Promise<T> {
	const next = last
		.then(load)
		.catch((error: unknown) => (recreateCache(error) ? load() : Promise.reject(error)));
	// A module that cannot be loaded does not prevent other modules from being loaded. Only its own importer receives the error.
	last = next.catch(() => undefined);
	return next;
}

/**
 * Recreates the loader's cache folder. The host keeps compiled code in `<temp>/jiti`, which it creates only when it starts. If the
 * temporary folder is cleaned while pi is open for days, no further module can be loaded (seen on 0.73.1). Returns true if the folder
 * exists again.
 */
function recreateCache(error: unknown): boolean {
	if (!(error instanceof Error && "code" in error && "path" in error)) return false;
	if (error.code !== "ENOENT" || typeof error.path !== "string") return false;
	const folder = dirname(error.path);
	if (basename(folder) !== "jiti") return false;
	try {
		mkdirSync(folder, { recursive: true });
		return true;
	} catch {
		return false;
	}
}

/** The imports of a module that are not type-only, in the form that the formatter gives them. */
const IMPORT = /^(?:import|export) (?!type\b)[^;]*?\bfrom "(\.[^"]+)"/gm;

/**
 * Loads a module and everything that it imports in idle time, one module at a time, so that the host never waits for more than one of them.
 * Later, the module is imported without delay. A package whose modules are bundled has nothing to load.
 */
export async function preload(module: URL, isOver: () => boolean): Promise<void> {
	const seen = new Set<string>();

	async function visit(url: URL): Promise<void> {
		if (isOver() || seen.has(url.href)) return;
		seen.add(url.href);
		const path = fileURLToPath(url);
		for (const [, name] of readFileSync(path, "utf8").matchAll(IMPORT))
			if (name) await visit(new URL(name, url));
		await new Promise((resolve) => setImmediate(resolve));
		if (!isOver()) await lazily(() => import(path));
	}

	try {
		await visit(module);
	} catch {
		// What cannot be loaded now is loaded, or reported, when it is needed.
	}
}

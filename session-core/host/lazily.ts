import { mkdirSync } from "node:fs";
import { basename, dirname } from "node:path";

let last: Promise<unknown> = Promise.resolve();

/**
 * Imports a module when it is needed, one at a time. The loader of newer hosts hands out a module that is still being evaluated (seen on
 * 0.87.1: an imported binding was undefined), so two lazy imports with common dependencies must not run at once. `load` is a plain
 * `import()`; it must not wait for another `lazily`.
 */
export function lazily<T>(load: () => Promise<T>): Promise<T> {
	const next = last
		.then(load)
		.catch((error: unknown) => (bringCacheBack(error) ? load() : Promise.reject(error)));
	// A module that cannot be loaded must not prevent others from loading; its importer gets the error.
	last = next.catch(() => undefined);
	return next;
}

/**
 * The host's loader keeps compiled code in `<temp>/jiti`, which it creates when it starts. If the temporary folder is
 * cleaned while pi is open for days, no module can be loaded any more (seen on 0.73.1). True if the folder exists
 * again.
 */
function bringCacheBack(error: unknown): boolean {
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

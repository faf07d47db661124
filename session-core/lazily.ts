let last: Promise<unknown> = Promise.resolve();

/**
 * Import a module when it is needed, one at a time. The newer hosts' loader hands out a module that is still being
 * evaluated to whoever imports it meanwhile (seen on 0.87.1: an imported binding was undefined), so two lazy imports
 * whose graphs overlap must not run at once. `load` is a plain `import()`; it must not wait for another `lazily`.
 */
export function lazily<T>(load: () => Promise<T>): Promise<T> {
	const next = last.then(load);
	// A module that cannot be loaded must not keep the others from loading; who asked for it gets the error.
	last = next.catch(() => undefined);
	return next;
}

import { isObject } from "../json.ts";

/** The value at a path, or undefined. Own properties only: `__proto__` in a file must not stand in for settings. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
	let value = root;
	for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
	return value;
}

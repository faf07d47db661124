import { isObject, type JsonObject } from "../json.ts";
import { isValid, SETTING_KEYS, type SettingKey } from "./keys.ts";
import { valueAt } from "./object.ts";

/** A value that cannot be used. */
export interface Unusable {
	/** The key, or the group that is none. */
	name: string;
	key: SettingKey | undefined;
	found: unknown;
	/** The file said something usable there before, and that holds. */
	kept: boolean;
}

export interface Values {
	/** Known and valid values, in groups as in a file. */
	values: JsonObject;
	unusable: Unusable[];
}

/** What can be used of a settings file; where it went wrong, what it said `before`. */
export function usableValues(root: JsonObject, before: JsonObject = {}): Values {
	const values: JsonObject = {};
	const unusable: Unusable[] = [];
	for (const key of SETTING_KEYS) {
		const { path } = key;
		const found = valueAt(root, path);
		if (found === undefined && !isInNoGroup(root, path)) continue;
		if (found !== undefined && isValid(key, found)) {
			putDeep(values, path, found);
			continue;
		}
		const last = valueAt(before, path);
		const kept = isValid(key, last) && last !== undefined;
		if (kept) putDeep(values, path, last);
		note(unusable, root, { key, found, kept });
	}
	return { values, unusable };
}

/** One line for a group that is none, not one for each of its keys. */
function note(
	unusable: Unusable[],
	root: JsonObject,
	{ key, found, kept }: Omit<Unusable, "name"> & { key: SettingKey },
) {
	const { path } = key;
	if (found !== undefined) {
		unusable.push({ name: path.join("."), key, found, kept });
		return;
	}
	const name = path[0] ?? "";
	const known = unusable.find((one) => one.name === name);
	if (known) known.kept ||= kept;
	else unusable.push({ name, key: undefined, found: root[name], kept });
}

/** The key's group is there and is none. */
function isInNoGroup(root: JsonObject, path: readonly string[]): boolean {
	if (path.length < 2) return false;
	const group = valueAt(root, path.slice(0, 1));
	return group !== undefined && !isObject(group);
}

/** Puts a known key's value in place, with the groups on its way. */
export function putDeep(root: JsonObject, path: readonly string[], value: unknown): void {
	const [name, ...rest] = path;
	if (name === undefined) return;
	if (rest.length === 0) {
		root[name] = value;
		return;
	}
	const group = valueAt(root, [name]);
	const inner: JsonObject = isObject(group) ? group : {};
	root[name] = inner;
	putDeep(inner, rest, value);
}

import { join } from "node:path";
import { Value } from "typebox/value";
import { readSettingsFile, shownPath } from "./file.ts";
import { expectation, isValid, keyName, SETTING_KEYS, shownValue } from "./keys.ts";
import { misspellings } from "./misspelling.ts";
import { isObject, type JsonObject, valueAt } from "./object.ts";
import { SETTINGS_FILE } from "./open.ts";
import { isQuieter } from "./quieter.ts";
import { type Settings, SettingsSchema } from "./schema.ts";

export interface LoadedSettings {
	settings: Settings;
	/** One line for each thing that could not be used; safe to show. */
	problems: string[];
	/** Names of the settings (`recap.enabled`) that the project has its way with. */
	quieted: string[];
}

/**
 * The user's settings, with a project's `.pi/session-suite.json` over them where it makes things quieter.
 * Never throws: what is invalid is said, and its default is used. Asynchronous only for the parser of comments, which
 * is loaded where a file has them.
 */
export async function loadSettings({
	agentDir,
	cwd,
}: {
	agentDir: string;
	cwd: string;
}): Promise<LoadedSettings> {
	const settings = Value.Create(SettingsSchema);
	const problems: string[] = [];
	const quieted: string[] = [];
	const layers = [
		{ file: join(agentDir, SETTINGS_FILE), apply: applyUser },
		{
			file: join(cwd, ".pi", SETTINGS_FILE),
			apply: (into: Settings, root: JsonObject) => applyProject(into, root, quieted),
		},
	];
	for (const { file, apply } of layers) {
		const found = await readSettingsFile(file);
		if (found.status === "broken") problems.push(found.problem);
		if (found.status !== "read") continue;
		problems.push(...apply(settings, found.root).map((problem) => `${shownPath(file)}: ${problem}`));
	}
	return { settings, problems, quieted };
}

function applyUser(settings: Settings, root: JsonObject): string[] {
	const problems = misspellings(root, SETTING_KEYS.map(keyName));
	for (const key of SETTING_KEYS) {
		const value = valueAt(root, key.path);
		if (value === undefined) continue;
		if (isValid(key, value)) put(settings, key.path, value);
		else
			problems.push(
				`${keyName(key)}: found ${shownValue(value)}, expected ${expectation(key)}; using the default`,
			);
	}
	for (const [name, group] of Object.entries(settings)) {
		const value = valueAt(root, [name]);
		if (isObject(group) && value !== undefined && !isObject(value))
			problems.push(`${name}: found ${shownValue(value)}, expected an object in braces; using the defaults`);
	}
	return problems;
}

function applyProject(settings: Settings, root: JsonObject, quieted: string[]): string[] {
	const ignored: string[] = [];
	for (const key of SETTING_KEYS) {
		const value = valueAt(root, key.path);
		if (value === undefined) continue;
		const current = valueAt(settings, key.path);
		if (isValid(key, value) && isQuieter(keyName(key), value, current)) {
			put(settings, key.path, value);
			quieted.push(keyName(key));
		} else if (value !== current) ignored.push(keyName(key));
	}
	return ignored.length === 0
		? []
		: [`ignored ${ignored.join(", ")}: a project may only make things quieter`];
}

/** Set the value at a path whose groups exist: the schema's own, so nothing but known keys is ever written. */
function put(settings: Settings, path: readonly string[], value: unknown): void {
	const group = valueAt(settings, path.slice(0, -1));
	const name = path.at(-1);
	if (isObject(group) && name !== undefined) group[name] = value;
}

import { join } from "node:path";
import { Value } from "typebox/value";
import type { JsonObject } from "../json.ts";
import { lazily } from "../lazily.ts";
import { readSettingsFile, type SettingsFile, shownPath } from "./file.ts";
import { expectation, isValid, keyName, SETTING_KEYS, shownValue } from "./keys.ts";
import { isSaid, readLastGood } from "./last-good.ts";
import { misspellings } from "./misspelling.ts";
import { valueAt } from "./object.ts";
import { isQuieter, quietestValues } from "./quieter.ts";
import { SETTINGS_FILE, type Settings, SettingsSchema } from "./schema.ts";
import { putDeep, type Unusable, usableValues } from "./values.ts";

export interface LoadedSettings {
	settings: Settings;
	/** One line for each thing that could not be used; safe to show. */
	problems: string[];
	/** Names of the settings (`recap.enabled`) that the project has its way with. */
	quieted: string[];
}

export interface SettingsFolders {
	agentDir: string;
	cwd: string;
}

/**
 * The user's settings, with a project's `.pi/session-suite.json` over them where it makes things quieter. Never throws: what is
 * broken is said, and keeps what it said before; a file of which nothing is known turns off what happens by itself.
 */
export async function loadSettings({ agentDir, cwd }: SettingsFolders): Promise<LoadedSettings> {
	const settings = Value.Create(SettingsSchema);
	const problems: string[] = [];
	const quieted: string[] = [];
	const layers = [
		{ file: join(agentDir, SETTINGS_FILE), apply: applyUser },
		{
			file: join(cwd, ".pi", SETTINGS_FILE),
			apply: (into: Settings, root: JsonObject, before: JsonObject | undefined) =>
				applyProject(into, root, before, quieted),
		},
	];
	for (const { file, apply } of layers) {
		const found = readSettingsFile(file);
		if (found.status === "absent") continue;
		const before = readLastGood(agentDir, file);
		const fault = faultOf(found, file, before);
		if (fault !== undefined) {
			const held = before ? "keeping what it last said" : "nothing happens by itself until it is mended";
			problems.push(`${fault}; ${held}`);
			apply(settings, before ?? quietestValues(), undefined);
		} else if (found.status === "read") {
			const { root, text } = found;
			problems.push(...apply(settings, root, before).map((problem) => `${shownPath(file)}: ${problem}`));
			const { values } = usableValues(root, before);
			if (isSaid(values, before)) continue;
			// Seldom: what it takes is loaded only then.
			const { remember } = await lazily(() => import("./remember.ts"));
			await remember(agentDir, { file, text, values });
		}
	}
	return { settings, problems, quieted };
}

/** What is wrong with a file as a whole. An empty one that had something to say is what a full disk or a power failure leaves. */
function faultOf(found: SettingsFile, file: string, before: JsonObject | undefined): string | undefined {
	if (found.status === "broken") return found.problem;
	const isEmpty = found.status === "read" && found.text.trim() === "";
	return isEmpty && Object.keys(before ?? {}).length > 0 ? `${shownPath(file)}: is empty` : undefined;
}

function applyUser(settings: Settings, root: JsonObject, before: JsonObject | undefined): string[] {
	const { values, unusable } = usableValues(root, before);
	for (const { path } of SETTING_KEYS) {
		const value = valueAt(values, path);
		if (value !== undefined) putDeep(settings, path, value);
	}
	return [...misspellings(root, SETTING_KEYS.map(keyName)), ...unusable.map(inWords)];
}

function inWords({ name, key, found, kept }: Unusable): string {
	const expected = key ? expectation(key) : "an object in braces";
	const otherwise = key ? "using the default" : "using the defaults";
	return `${name}: found ${shownValue(found)}, expected ${expected}; ${kept ? "keeping what it last said" : otherwise}`;
}

/** `quieted` takes the names of the settings that the project has its way with. */
function applyProject(
	settings: Settings,
	root: JsonObject,
	before: JsonObject | undefined,
	quieted: string[],
): string[] {
	const { values } = usableValues(root, before);
	const ignored: string[] = [];
	for (const key of SETTING_KEYS) {
		const [wanted, value] = [valueAt(root, key.path), valueAt(values, key.path)];
		const current = valueAt(settings, key.path);
		const isUsed = value !== undefined && isQuieter(keyName(key), value, current);
		if (isUsed) {
			putDeep(settings, key.path, value);
			quieted.push(keyName(key));
		}
		const isDone = wanted === undefined || wanted === current || (isUsed && isValid(key, wanted));
		if (!isDone) ignored.push(keyName(key));
	}
	return ignored.length === 0
		? []
		: [`ignored ${ignored.join(", ")}: a project may only make things quieter`];
}

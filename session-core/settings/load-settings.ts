import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
	cleanLine,
	clipColumns,
	isObject,
	type JsonObject,
	nearest,
	readSettingsFile,
	redact,
	replaceFile,
	type WriteOutcome,
} from "../text/index.ts";
import {
	defaultSettings,
	isQuieter,
	offValue,
	SETTING_KEYS,
	type SettingKey,
	type Settings,
	setSetting,
	settingIn,
} from "./settings.ts";

export const SETTINGS_FILE = "session-suite.json";

interface SettingsFolders {
	agentDir: string;
	/**
	 * The project's configuration folder, such as `.pi`. By default, only the user's settings are read.
	 */
	project?: string;
}

/**
 * `command` means that the user typed `/recap on` or `/recap off`. `unreadable` means that a settings
 * file cannot be read.
 */
export type Origin = "file" | "command" | "project" | "unreadable";

export interface LoadedSettings {
	settings: Settings;
	picked: string | undefined;
	/** Maps each changed setting, such as `recap.enabled`, to the origin of its value. */
	origins: ReadonlyMap<string, Origin>;
	/**
	 * Messages about invalid settings and unreadable settings files. The messages are sanitized and
	 * redacted.
	 */
	problems: readonly string[];
}

export function openSettings(folders: SettingsFolders, warn: (problem: string) => void = () => undefined) {
	const { user, command, project } = pathsOf(folders);
	let known: { stamps: string; loaded: LoadedSettings } | undefined;
	return {
		current(): LoadedSettings {
			// The files' timestamps are read before their contents, so the next call notices later changes.
			const stamps = [fileStamp(user), fileStamp(command), project && fileStamp(project, lstatSync)].join();
			if (known?.stamps === stamps) return known.loaded;
			known = { stamps, loaded: loadSettings(folders) };
			known.loaded.problems.forEach(warn);
			return known.loaded;
		},
		rows: () => settingRows(folders),
	};
}

function pathsOf({ agentDir, project }: SettingsFolders) {
	return {
		user: join(agentDir, SETTINGS_FILE),
		command: recapSwitchPath(agentDir),
		project: project && join(project, SETTINGS_FILE),
	};
}

function fileStamp(path: string, look: typeof statSync | typeof lstatSync = statSync): string {
	try {
		const { ino, size, mtimeMs, ctimeMs } = look(path);
		return [ino, size, mtimeMs, ctimeMs].join(":");
	} catch (error) {
		return String(error);
	}
}

/**
 * Never throws. If a settings file exists but cannot be read, all automatic features are off, because the
 * file may have disabled them.
 */
export function loadSettings(folders: SettingsFolders): LoadedSettings {
	const { user, command, project } = pathsOf(folders);
	const loading = new Loading();
	loading.takeUser(user);
	loading.takeCommand(command);
	if (project) loading.takeProject(project);
	loading.turnOff();
	return loading;
}

class Loading implements LoadedSettings {
	readonly settings = defaultSettings();
	readonly origins = new Map<string, Origin>();
	readonly problems: string[] = [];
	picked: string | undefined;
	#isUnreadable = false;

	takeUser(path: string): void {
		const user = this.#read(path, "user");
		for (const problem of groupProblems(user)) this.#report(path, problem);
		for (const key of SETTING_KEYS) {
			const found = settingIn(user, key);
			if (found === undefined) continue;
			if (key.check(found)) this.#set(key, found, "file");
			else {
				const [shown, expected] = [shownValue(found), key.expected];
				this.#report(path, `${key.name}: found ${shown}, expected ${expected}; using the default`);
			}
		}
		for (const problem of unknownKeys(user)) this.#report(path, problem);
	}

	takeCommand(path: string): void {
		const { recap, model } = this.#read(path, "user");
		if (typeof model === "string") this.picked = model;
		for (const key of SETTING_KEYS.filter(({ name }) => name === "recap.enabled")) {
			const found = settingIn({ recap }, key);
			if (key.check(found)) this.#set(key, found, "command");
		}
	}

	takeProject(path: string): void {
		const project = this.#read(path, "project");
		const ignored = SETTING_KEYS.filter((key) => {
			const wanted = settingIn(project, key);
			const current = settingIn(this.settings, key);
			if (wanted === undefined || wanted === current) return false;
			const isAllowed = key.check(wanted) && isQuieter(key, wanted, current);
			if (isAllowed) this.#set(key, wanted, "project");
			return !isAllowed;
		});
		if (ignored.length === 0) return;
		const names = ignored.map(({ name }) => name).join(", ");
		this.#report(path, `ignored ${names}: a project's settings can only make the suite quieter`);
	}

	turnOff(): void {
		const { enabled } = this.settings.resume;
		const resumeOrigin = enabled ? undefined : (this.origins.get("resume.enabled") ?? "file");
		for (const key of SETTING_KEYS) {
			const off = offValue(key);
			const why = this.#isUnreadable ? "unreadable" : key.group === "resume" && resumeOrigin;
			if (why && off !== undefined) this.#set(key, off, why);
		}
	}

	#read(path: string, owner: "user" | "project"): JsonObject {
		const file = readSettingsFile(path, owner);
		if (file.ok) return file.root;
		if (file.reason === "ignored") this.problems.push(file.detail);
		if (file.reason === "broken") {
			this.#isUnreadable = true;
			this.problems.push(`${file.detail}; automatic features are off until it is fixed`);
		}
		return {};
	}

	#set(key: SettingKey, value: unknown, origin: Origin): void {
		setSetting(this.settings, key, value);
		this.origins.set(key.name, origin);
	}

	#report(path: string, problem: string): void {
		this.problems.push(`${cleanLine(path)}: ${problem}`);
	}
}

const FIRST_IN_GROUP: Readonly<Record<string, string>> = Object.fromEntries(
	SETTING_KEYS.toReversed().flatMap(({ group, leaf }) => (group === undefined ? [] : [[group, leaf]])),
);

function groupProblems(root: JsonObject): string[] {
	const wrong = Object.keys(FIRST_IN_GROUP).filter(
		(group) => Object.hasOwn(root, group) && !isObject(root[group]),
	);
	return wrong.map((group) => {
		const found = root[group];
		const example = `{ "${FIRST_IN_GROUP[group]}": ${typeof found === "boolean" ? found : true} }`;
		return `${group}: found ${shownValue(found)}, expected an object such as ${example}; using the defaults`;
	});
}

const MAX_UNKNOWN = 5;

function unknownKeys(root: JsonObject): string[] {
	const known = SETTING_KEYS.map(({ name }) => name);
	const names = Object.entries(root).flatMap(([name, value]) => {
		if (!Object.hasOwn(FIRST_IN_GROUP, name)) return [name];
		return isObject(value) ? Object.keys(value).map((leaf) => `${name}.${leaf}`) : [];
	});
	const unknown = names.filter((name) => !known.includes(name) && name !== "$schema");
	return unknown.slice(0, MAX_UNKNOWN).map((name) => {
		const [near] = nearest(name.slice(0, 60), known, (text) => text, 1);
		return `unknown setting ${shownValue(name)} is ignored${near === undefined ? "" : `. Did you mean "${near}"?`}`;
	});
}

function shownValue(value: unknown): string {
	if (Array.isArray(value)) return "a list";
	if (typeof value === "object" && value !== null) return "an object";
	if (typeof value === "string")
		return JSON.stringify(clipColumns(cleanLine(redact(value)).slice(0, 200), 40));
	return String(value);
}

/**
 * The choices made with `/recap on`, `/recap off` and `/recap model` are stored in a separate file,
 * because the extensions never write to the user's settings file.
 */
export function recapSwitchPath(agentDir: string): string {
	return join(agentDir, "session-suite", "state.json");
}

export function switchRecaps(agentDir: string, enabled: boolean): WriteOutcome {
	return saveState(agentDir, { recap: { enabled } });
}

/** If `model` is undefined, the session's active model is used. */
export function pickModel(agentDir: string, model: string | undefined): WriteOutcome {
	return saveState(agentDir, { model });
}

function saveState(agentDir: string, change: JsonObject): WriteOutcome {
	const path = recapSwitchPath(agentDir);
	const file = readSettingsFile(path, "user");
	return replaceFile(path, `${JSON.stringify({ ...(file.ok && file.root), ...change })}\n`);
}

function settingRows(folders: SettingsFolders): [label: string, text: string][] {
	const { user } = pathsOf(folders);
	const { settings, origins, problems } = loadSettings(folders);
	const texts: Readonly<Record<Origin, string>> = {
		file: "set in the settings file",
		command: "set by /recap on or off",
		project: `set in the project's ${join(basename(folders.project ?? ""), SETTINGS_FILE)}`,
		unreadable: "off until every settings file can be read",
	};
	const rows = SETTING_KEYS.flatMap((key): [string, string][] => {
		const origin = origins.get(key.name);
		return origin ? [[key.name, `${shownValue(settingIn(settings, key))} (${texts[origin]})`]] : [];
	});
	return [
		["file", existsSync(user) ? user : `${user} (none)`],
		...rows,
		["all others", "default values"],
		...problems.map((problem): [string, string] => ["problem", problem]),
	];
}

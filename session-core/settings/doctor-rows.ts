import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DoctorSection } from "../command/doctor.ts";
import { loadSettings, type Origin, type SettingsFolders, shownValue } from "./load.ts";
import { SETTING_KEYS, SETTINGS_FILE, settingIn } from "./schema.ts";

const ORIGINS: Readonly<Record<Origin, string>> = {
	file: "the settings file",
	command: "/recap on or off",
	project: `the project's .pi/${SETTINGS_FILE}`,
	unreadable: "off until every settings file can be read",
};

/** The settings that differ from their default, with the source of each, and problems with the files. */
export function settingRows(folders: SettingsFolders): DoctorSection["rows"] {
	const file = join(folders.agentDir, SETTINGS_FILE);
	const { settings, origins, problems } = loadSettings(folders);
	const rows = SETTING_KEYS.flatMap((key): DoctorSection["rows"] => {
		const origin = origins.get(key.name);
		return origin ? [[key.name, `${shownValue(settingIn(settings, key))} (${ORIGINS[origin]})`]] : [];
	});
	return [
		["file", existsSync(file) ? file : `${file} (none)`],
		...rows,
		["others", "defaults"],
		...problems.map((problem) => ["problem", problem] as const),
	];
}

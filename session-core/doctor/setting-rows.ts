import { join } from "node:path";
import { Value } from "typebox/value";
import { readSettingsFile } from "../settings/file.ts";
import { keyName, SETTING_KEYS, shownValue } from "../settings/keys.ts";
import { loadSettings } from "../settings/load.ts";
import { valueAt } from "../settings/object.ts";
import { SETTINGS_FILE, SettingsSchema } from "../settings/schema.ts";
import type { DoctorSection } from "./section.ts";

/** The settings in force that are not the defaults, each with where it comes from; and what is wrong with the files. */
export async function settingRows(folders: {
	agentDir: string;
	cwd: string;
}): Promise<DoctorSection["rows"]> {
	const defaults = Value.Create(SettingsSchema);
	const file = join(folders.agentDir, SETTINGS_FILE);
	const { settings, problems, quieted } = await loadSettings(folders);
	const found = readSettingsFile(file);
	const own = found.status === "read" ? found.root : undefined;
	const rows = SETTING_KEYS.flatMap((key): DoctorSection["rows"] => {
		const name = keyName(key);
		const value = valueAt(settings, key.path);
		const isDefault = JSON.stringify(value) === JSON.stringify(valueAt(defaults, key.path));
		if (quieted.includes(name)) return [[name, `${shownValue(value)} (the project's .pi/${SETTINGS_FILE})`]];
		if (isDefault) return [];
		const isOwn = valueAt(own, key.path) !== undefined;
		return [
			[
				name,
				`${shownValue(value)} (${isOwn ? "the file" : "what the file last said, or nothing by itself"})`,
			],
		];
	});
	return [
		["file", `${file} (${found.status})`],
		...rows,
		["others", "defaults"],
		...problems.map((problem) => ["problem", problem] as const),
	];
}

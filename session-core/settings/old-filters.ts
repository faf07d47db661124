import { join } from "node:path";
import { cleanLine } from "../text/sanitize.ts";
import { SETTINGS_FILE } from "./defaults.ts";
import { readSettingsFile } from "./file.ts";
import type { SettingsFolders } from "./load.ts";

/** An entry point of the package before it had only one. */
const OLD_ENTRY = /\bsession-(recap|title|resume|recall)\b/;

/**
 * Returns one line for each filter in pi's settings that excludes an extension of this package by its former entry point. Such a filter
 * has no effect anymore. A filter that selects former entry points cannot be found, because pi then loads nothing of this package.
 */
export function oldFilters({ agentDir, cwd }: SettingsFolders): string[] {
	const files = [join(agentDir, "settings.json"), join(cwd, ".pi", "settings.json")].map(readSettingsFile);
	return files.flatMap((file) => filtersIn(file.status === "read" ? file.root["packages"] : undefined));
}

function filtersIn(packages: unknown): string[] {
	const listed: unknown[] = Array.isArray(packages) ? packages : [];
	const patterns = listed.flatMap((one) => {
		const filter: unknown = typeof one === "object" && one !== null && Reflect.get(one, "extensions");
		return Array.isArray(filter) ? filter.map(String) : [];
	});
	return patterns.flatMap((pattern) => {
		const key = /^[!-]/.test(pattern) ? OLD_ENTRY.exec(pattern)?.[1] : undefined;
		return key === undefined
			? []
			: `pi-session-suite: the filter "${cleanLine(pattern).slice(0, 60)}" in pi's settings has no effect anymore. Set "${key}": { "enabled": false } in ${SETTINGS_FILE} instead.`;
	});
}

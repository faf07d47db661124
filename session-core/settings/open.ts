import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import { lazily } from "../lazily.ts";
import type { LoadedSettings } from "./load.ts";
import { SETTINGS_FILE, SettingsSchema } from "./schema.ts";

/** {@link loadSettings}, without loading the code that reads files where there is none: most users have none. */
export async function openSettings(folders: { agentDir: string; cwd: string }): Promise<LoadedSettings> {
	const files = [join(folders.agentDir, SETTINGS_FILE), join(folders.cwd, ".pi", SETTINGS_FILE)];
	if (!files.some(isThere)) return { settings: Value.Create(SettingsSchema), problems: [], quieted: [] };
	const { loadSettings } = await lazily(() => import("./load.ts"));
	return loadSettings(folders);
}

/** Something stands there, be it a link that leads nowhere: what is broken is told from what is not there. */
function isThere(file: string): boolean {
	try {
		return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
	} catch {
		// Not even that can be told: whoever reads it says why.
		return true;
	}
}

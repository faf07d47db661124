import { join, resolve } from "node:path";
import { readSettingsFile } from "../../session-core/settings/file.ts";
import { withHome } from "../place.mjs";

interface Place {
	env: Readonly<Record<string, string | undefined>>;
	agentDir: string;
	cwd: string;
}

/** The one folder of all sessions, as pi finds it: by its variable, else by `sessionDir` in its settings, the project's first. */
export async function sessionDirOf({ env, agentDir, cwd }: Place): Promise<string | undefined> {
	const named = env["PI_CODING_AGENT_SESSION_DIR"];
	if (named) return resolve(cwd, withHome(named));
	for (const file of [join(cwd, ".pi", "settings.json"), join(agentDir, "settings.json")]) {
		const settings = await readSettingsFile(file);
		const folder = settings.status === "read" ? settings.root["sessionDir"] : undefined;
		if (typeof folder === "string" && folder !== "") return resolve(cwd, withHome(folder));
	}
	return undefined;
}

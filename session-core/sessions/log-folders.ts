/** Where other agents keep their logs. The logs are only ever read. */
import { join } from "node:path";
import { type Env, FOREIGN, FORMATS_SETTING, type Format } from "../log/index.ts";
import { readSettingsFile } from "../text/index.ts";
import { projectFolders, type UnreadFolder } from "./folders.ts";

export interface LogFolder {
	format: Format;
	folder: string;
	isArchive: boolean;
}

/**
 * Returns the formats that the user's own settings name. A project's settings are ignored, because a repository must not decide which
 * sessions are found and sent.
 */
export function wantedFormats(agentDir: string): Format[] {
	const file = readSettingsFile(join(agentDir, "session-suite.json"), "user");
	const named = file.status === "read" ? file.root[FORMATS_SETTING] : undefined;
	return Array.isArray(named) ? FOREIGN.filter(({ name }) => named.includes(name)) : [];
}

/** Returns the folders that may contain logs of these formats, including each format's root folder. */
export function logFolders(
	formats: readonly Format[],
	env: Env,
	unread?: (folder: UnreadFolder) => void,
): LogFolder[] {
	const found: LogFolder[] = [];
	for (const format of formats) {
		for (const { root, depth, isArchive = false } of format.roots(env)) {
			let level = [root];
			// A watcher of the root notices new folders.
			found.push({ format, folder: root, isArchive });
			for (let below = 0; below < depth; below++) {
				level = level.flatMap((folder) => projectFolders(folder, unread));
				found.push(...level.map((folder) => ({ format, folder, isArchive })));
			}
		}
	}
	return found;
}

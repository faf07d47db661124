/** Where other agents keep their logs. The logs are only ever read. */
import { join } from "node:path";
import {
	canDecompress,
	nameIndex,
	newerRollout,
	readNames,
	withoutOlderRollouts,
} from "../log/codex-files.ts";
import { CODEX, type Env, FOREIGN, type Format } from "../log/format.ts";
import { readSettingsFile } from "../text/index.ts";
import { projectFolders, type UnreadFolder } from "./folders.ts";

export interface LogFolder {
	format: Format;
	folder: string;
	isArchive: boolean;
}

/**
 * Returns the other programs whose sessions the user wants to see, according to the user's own settings. A project's settings are not read, because
 * a repository must not decide what is found and sent.
 */
export function wantedFormats(agentDir: string): Format[] {
	const file = readSettingsFile(join(agentDir, "session-suite.json"), "user");
	const named = file.status === "read" ? file.root["agents"] : undefined;
	return Array.isArray(named) ? FOREIGN.filter(({ name }) => named.includes(name)) : [];
}

/** Returns the folders that may contain logs of these formats, including the folder above all others. */
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

/**
 * Returns a function that adds to a session the name that its own program keeps in an index outside the log, unless the log itself names it. The
 * index is read when it is first needed.
 */
export function outsideNames(): <Row extends Named>(row: Row) => Row {
	const known = new Map<string, ReadonlyMap<string, string>>();
	return (row) => {
		const index = row.format === CODEX && row.name === undefined ? nameIndex(row.path) : undefined;
		if (index === undefined) return row;
		const names = known.get(index) ?? readNames(index);
		known.set(index, names);
		const name = names.get(row.id);
		return name === undefined ? row : { ...row, name, nameSource: "manual" };
	};
}

interface Named {
	path: string;
	id: string;
	format: Format;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
}

/** Returns the files without those that a newer file of the same session replaces. */
export const currentLogs = withoutOlderRollouts;

/** Returns the file with the newest state of the session in a file if it is another one. */
export const newerLog = newerRollout;

/** Whether a log is compressed in a way that this version of Node cannot read. */
export function isUnreadable(name: string): boolean {
	return name.endsWith(".zst") && !canDecompress();
}

/** Finds the folders with sessions: the host's folders, and those of other agents' logs, which are only read. */
import { readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { type Env, FOREIGN, FORMATS_SETTING, type Format, foldersIn } from "../log/index.ts";
import { errorCode, isFolder, isSameFolder } from "../text/files/index.ts";
import { readSettingsFile } from "../text/index.ts";

export function sessionsRoot(agentDir: string): string {
	return join(agentDir, "sessions");
}

/** Returns the folder that contains a project's sessions. The folder's name follows the host's rule. */
export function projectFolder(root: string, cwd: string): string {
	return join(root, `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`);
}

/** Returns a function that reports whether a session was started in a folder. Different spellings of the same path are equal. */
export function startedIn(folder: string): (session: { cwd: string }) => boolean {
	const known = new Map<string, boolean>();
	return ({ cwd }) => {
		const isHere = known.get(cwd) ?? isSameFolder(cwd, folder);
		known.set(cwd, isHere);
		return isHere;
	};
}

/** Joins a folder and a file name. `join` is too slow: for ten thousand files, joining takes a third of the time of the `lstat` calls. */
export function pathIn(folder: string, name: string): string {
	return folder + sep + name;
}

/** A folder that exists but cannot be read. `code` is the system's error code. */
export interface UnreadFolder {
	folder: string;
	code: string;
}

type Unread = (folder: UnreadFolder) => void;

/** Returns the project folders in the sessions root. As in the host, a folder may be a symlink unless its target is also listed. */
export function projectFolders(root: string, unread?: Unread): string[] {
	const entries = listed(root, () => readdirSync(root, { withFileTypes: true }), unread);
	const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
	const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(root, name));
	if (links.length === 0) return folders;
	const seen = new Set(folders.map(targetOf));
	for (const link of links.filter(isFolder)) {
		const target = targetOf(link);
		if (!seen.has(target)) folders.push(link);
		seen.add(target);
	}
	return folders;
}

function targetOf(folder: string): string {
	try {
		return realpathSync(folder);
	} catch {
		// The folder has been removed since it was listed.
		return folder;
	}
}

/**
 * Returns the names of the session files in a folder, in no particular order. The list is empty if the folder cannot be read. `ending`
 * matches the end of a session file's name.
 */
export function sessionNames(folder: string, unread?: Unread, ending = /\.jsonl$/): string[] {
	return listed(folder, () => readdirSync(folder), unread).filter((name) => ending.test(name));
}

/** Reads a folder. A folder that does not exist counts as empty. */
function listed<T>(folder: string, read: () => T[], unread?: Unread): T[] {
	try {
		return read();
	} catch (error) {
		const code = errorCode(error) || "unknown";
		if (code !== "ENOENT" && code !== "ENOTDIR") unread?.({ folder, code });
		return [];
	}
}

/**
 * Returns the session formats that the user's own settings include. A project's settings are ignored, because a repository must not decide
 * which sessions are found and sent to a model.
 */
export function wantedFormats(agentDir: string): Format[] {
	const file = readSettingsFile(join(agentDir, "session-suite.json"), "user");
	const named = file.status === "read" ? file.root[FORMATS_SETTING] : undefined;
	return Array.isArray(named) ? FOREIGN.filter(({ name }) => named.includes(name)) : [];
}

interface LogFolder {
	format: Format;
	folder: string;
	isArchive: boolean;
}

/** Returns the folders that may contain logs in these formats, with each format's root folder, whose watcher notices new folders. */
export function logFolders(formats: readonly Format[], env: Env, unread?: Unread): LogFolder[] {
	const found: LogFolder[] = [];
	for (const format of formats) {
		for (const { root, depth, isArchive = false } of foldersIn(format, env).roots) {
			let level = [root];
			for (let below = 0; below <= depth; below++) {
				if (below > 0) level = level.flatMap((folder) => projectFolders(folder, unread));
				found.push(...level.map((folder) => ({ format, folder, isArchive })));
			}
		}
	}
	return found;
}

import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { errorCode } from "../regular-file.ts";

/** Returns the folder below the agent folder in which the host keeps sessions. */
export function sessionsRoot(agentDir: string): string {
	return join(agentDir, "sessions");
}

/** Returns the folder of a project's sessions. It is named by the same rule as in the host. */
export function projectFolder(root: string, cwd: string): string {
	return join(root, `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`);
}

/** Returns a file's path. `join` would be too slow: for ten thousand files, it takes a third as long as their `lstat` calls. */
export function pathIn(folder: string, name: string): string {
	return folder + sep + name;
}

/** A folder that exists but cannot be read, with the system's error code. */
export interface UnreadFolder {
	folder: string;
	code: string;
}

type Unread = (folder: UnreadFolder) => void;

/** Returns the folders of the projects below the sessions root. Symlinks are not followed. */
export function projectFolders(root: string, unread?: Unread): string[] {
	const entries = listed(root, () => readdirSync(root, { withFileTypes: true }), unread);
	return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
}

/** Returns the names in a folder that may be session files, in no particular order. Returns an empty list if the folder cannot be read. */
export function sessionNames(folder: string, unread?: Unread): string[] {
	return listed(folder, () => readdirSync(folder), unread).filter((name) => name.endsWith(".jsonl"));
}

/** A missing folder counts as empty. */
function listed<T>(folder: string, read: () => T[], unread?: Unread): T[] {
	try {
		return read();
	} catch (error) {
		const code = errorCode(error) || "unknown";
		if (code !== "ENOENT" && code !== "ENOTDIR") unread?.({ folder, code });
		return [];
	}
}

import { type Dirent, opendirSync } from "node:fs";
import { join, sep } from "node:path";
import type { Steps } from "../pace.ts";
import { errorCode } from "../regular-file.ts";

/** Returns the folder below the agent folder in which the host keeps sessions. */
export function sessionsRoot(agentDir: string): string {
	return join(agentDir, "sessions");
}

/**
 * Returns the folder below the sessions root that contains a project's sessions. The folder name is derived by the same rule as in the
 * host.
 */
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

/**
 * Returns the folders of the projects below the sessions root. Symlinks are not followed. Returns an empty list if the root cannot be read.
 */
export function* projectFolders(root: string, unread?: Unread): Steps<never, string[]> {
	const names = yield* listNames(root, (entry) => entry.isDirectory(), unread);
	return names.map((name) => join(root, name));
}

/** Returns the names in a folder that may be session files, in no particular order. Returns an empty list if the folder cannot be read. */
export function sessionNames(folder: string, unread?: Unread): Steps<never, string[]> {
	return listNames(folder, (entry) => entry.name.endsWith(".jsonl"), unread);
}

/** File names are read one by one, because a folder can contain more files than can be listed in one slice. */
function* listNames(
	folder: string,
	accepts: (entry: Dirent) => boolean,
	unread?: Unread,
): Steps<never, string[]> {
	const names: string[] = [];
	try {
		const directory = opendirSync(folder, { bufferSize: 256 });
		try {
			for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
				if (accepts(entry)) names.push(entry.name);
				if (names.length % 512 === 511) yield;
			}
		} finally {
			directory.closeSync();
		}
	} catch (error) {
		// A listing treats a missing folder like an empty one.
		const code = errorCode(error) || "unknown";
		if (code !== "ENOENT" && code !== "ENOTDIR") unread?.({ folder, code });
	}
	return names;
}

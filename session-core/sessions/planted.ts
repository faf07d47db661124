import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { sessionsRoot } from "./folders.ts";

interface Origin {
	path: string;
	cwd: string;
	parentSession?: string | undefined;
}

/** `cwd` is the current folder, or undefined if that folder is not a project. */
export interface Place {
	agentDir: string;
	cwd?: string | undefined;
}

/**
 * Whether a repository could have written a session's file or its parent's file, because the file is in a working tree, in the current
 * folder or in the session's own folder. A repository can make pi use such a folder with `sessionDir` in its settings. Sessions in the
 * agent folder are the user's own, even if a folder above it, such as the home folder, is under version control.
 */
export function couldBePlanted({ path, parentSession, cwd }: Origin, place: Place): boolean {
	const own = real(place.agentDir);
	const projects = [cwd, place.cwd].flatMap((folder) => (folder ? [real(folder)] : []));
	const isProject = (folder: string) => projects.includes(folder) || existsSync(join(folder, ".git"));
	const sessions = sessionsRoot(own);
	return [path, parentSession].some((file) => {
		const folder = file && real(dirname(file));
		return folder && !isIn(folder, sessions) && foldersAbove(folder, own).some(isProject);
	});
}

function foldersAbove(folder: string, own: string): string[] {
	if (isIn(own, folder)) return [];
	const above = dirname(folder);
	return above === folder ? [folder] : [folder, ...foldersAbove(above, own)];
}

function isIn(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function real(path: string): string {
	const absolute = resolve(path);
	try {
		return realpathSync(absolute);
	} catch {
		// A folder that does not exist has no real path, so the path is used as it is.
		return absolute;
	}
}

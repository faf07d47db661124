import { readdirSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Env, FOREIGN, type Format, foldersIn } from "../log/index.ts";
import { loadSettings } from "../settings/index.ts";
import { errorCode, isFolder, isSameFolder } from "../text/index.ts";

export function sessionsRoot(agentDir: string): string {
	return join(agentDir, "sessions");
}

/** Names a project's session folder as pi does, such as `--home-me-app--` for `/home/me/app`. */
export function projectFolder(root: string, cwd: string): string {
	return join(root, `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`);
}

/** Different paths to the same folder, for example through a symlink, are considered equal. */
export function startedIn(folder: string): (session: { cwd: string }) => boolean {
	const known = new Map<string, boolean>();
	return ({ cwd }) => {
		const isHere = known.get(cwd) ?? isSameFolder(cwd, folder);
		known.set(cwd, isHere);
		return isHere;
	};
}

/**
 * Returns a function that determines whether a session belongs to the project in `cwd`. pi stores that
 * project's sessions in `folder`.
 */
export function inProject({
	agentDir,
	folder,
	cwd: here,
}: {
	agentDir: string;
	folder: string;
	cwd: string;
}) {
	const root = sessionsRoot(agentDir);
	// A folder that the user has chosen may contain the sessions of several projects.
	if (dirname(folder) !== root) return startedIn(here);
	return ({ format, path, cwd }: { format: Format; path: string; cwd: string }) =>
		(format.canOpen ? dirname(path) : projectFolder(root, cwd)) === folder;
}

/** `path.join` is too slow for listing thousands of files. */
export function pathIn(folder: string, name: string): string {
	return folder + sep + name;
}

export interface UnreadFolder {
	folder: string;
	code: string;
}

type Unread = (folder: UnreadFolder) => void;

/** Follows symlinks to folders, as pi does, but lists each folder only once. */
export function projectFolders(root: string, unread?: Unread): string[] {
	const entries = listFolder(root, () => readdirSync(root, { withFileTypes: true }), unread);
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
		return folder;
	}
}

export function sessionNames(folder: string, unread?: Unread, ending = /\.jsonl$/): string[] {
	return listFolder(folder, () => readdirSync(folder), unread).filter((name) => ending.test(name));
}

function listFolder<T>(folder: string, read: () => T[], unread?: Unread): T[] {
	try {
		return read();
	} catch (error) {
		const code = errorCode(error) || "unknown";
		if (code !== "ENOENT" && code !== "ENOTDIR") unread?.({ folder, code });
		return [];
	}
}

/**
 * A project's settings are ignored, because a repository must not decide which sessions are found and
 * sent to a model.
 */
export function wantedFormats(agentDir: string): Format[] {
	const { agents } = loadSettings({ agentDir }).settings;
	return FOREIGN.filter(({ name }) => agents.includes(name));
}

export function countLogs(agentDir: string, env: Env) {
	const wanted = wantedFormats(agentDir);
	return FOREIGN.map((format) => {
		const names = logFolders([format], env).flatMap(({ folder }) =>
			sessionNames(folder, undefined, format.ending),
		);
		return { format, files: names.length, isIncluded: wanted.includes(format) };
	});
}

interface LogFolder {
	format: Format;
	folder: string;
	isArchive: boolean;
}

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

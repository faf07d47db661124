import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { readSettingsFile } from "../text/index.ts";
import { sessionsRoot } from "./folders.ts";

interface Origin {
	path: string;
	cwd: string;
	parentSession?: string | undefined;
}

export interface Place {
	agentDir: string;
	cwd?: string | undefined;
}

/**
 * A file may come from a repository if it is in a working tree, in the current folder, or in a folder
 * specified as `sessionDir` in a project's settings. Files in the agent folder are always considered
 * the user's own.
 */
export function couldBePlanted({ path, parentSession, cwd }: Origin, place: Place): boolean {
	const own = real(place.agentDir);
	const projects = [cwd, place.cwd].flatMap((folder) => (folder ? [real(folder)] : []));
	const isProject = (folder: string) => projects.includes(folder) || existsSync(join(folder, ".git"));
	const sessions = sessionsRoot(own);
	return [path, parentSession].some((file) => {
		const folder = file && real(dirname(file));
		if (!folder || isIn(folder, sessions)) return false;
		const isNamed = projects.some((project) => namesFolder(project, folder, own));
		return isNamed || foldersAbove(folder, own).some(isProject);
	});
}

/**
 * Returns true if `folder` is inside the `sessionDir` from the project's settings, or if the settings
 * file exists but is a symlink or cannot be read.
 */
function namesFolder(project: string, folder: string, agentDir: string): boolean {
	return [...new Set([".pi", basename(dirname(agentDir))])].some((name) => {
		const settings = readSettingsFile(join(project, name, "settings.json"), "project");
		if (!settings.ok) return settings.reason !== "missing";
		const chosen = settings.root["sessionDir"];
		if (typeof chosen !== "string" || chosen === "") return false;
		return isIn(folder, real(resolve(project, chosen.replace(/^~(?=$|\/)/, homedir()))));
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
		return absolute;
	}
}

export function planter(place: Place) {
	const known = new Map<string, boolean>();
	return <Row extends Origin & { format: { canOpen: boolean } }>(row: Row): Row => {
		const key = JSON.stringify([dirname(row.path), row.parentSession, row.cwd]);
		const planted = known.get(key) ?? couldBePlanted(row, place);
		known.set(key, planted);
		return planted && row.format.canOpen ? { ...row, planted } : row;
	};
}

import { realpathSync } from "node:fs";
import { listSessions } from "../../session-core/find/list-sessions.ts";
import { projectFolder, sessionsRoot } from "../../session-core/store/folders.ts";
import type { ScanReport } from "../../session-core/store/scan.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import type { World } from "../shell/world.ts";

/** Where sessions are looked for, and whether what is learned is kept. */
export type Here = Pick<World, "agentDir" | "sessionDir" | "cwd" | "readOnly">;

type Told = (report: ScanReport) => void;

/** The folders that hold the sessions of this folder's project; undefined: those of all projects. */
export function projectFolders({ agentDir, sessionDir, cwd }: Here, all: boolean): string[] | undefined {
	if (sessionDir !== undefined) return [sessionDir];
	return all ? undefined : [projectFolder(sessionsRoot(agentDir), cwd)];
}

/** The sessions of this folder's project, newest first. */
export async function sessionsHere(here: Here, told?: Told): Promise<SessionSummary[]> {
	const { agentDir, sessionDir, cwd, readOnly } = here;
	const rows = await listSessions({ agentDir, readOnly, folders: projectFolders(here, false) }, told);
	// A folder of the user's choice holds the sessions of all projects.
	return sessionDir === undefined ? rows : rows.filter((row) => isSamePlace(row.cwd, cwd));
}

/** The sessions of all projects, newest first. */
export function allSessions(here: Here, told?: Told): Promise<SessionSummary[]> {
	const { agentDir, readOnly } = here;
	return listSessions({ agentDir, readOnly, folders: projectFolders(here, true) }, told);
}

/** Whether two paths lead to one folder. */
export function isSamePlace(one: string, other: string): boolean {
	return one === other || (one !== "" && real(one) === real(other));
}

function real(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// It is gone: then its name is all there is.
		return path;
	}
}

import { realpathSync } from "node:fs";
import { listSessions } from "../../session-core/find/list-sessions.ts";
import { projectFolder, sessionsRoot } from "../../session-core/store/folders.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import type { World } from "../shell/world.ts";

type Here = Pick<World, "agentDir" | "sessionDir" | "cwd">;

/** The sessions of this folder's project, newest first. */
export async function sessionsHere({ agentDir, sessionDir, cwd }: Here): Promise<SessionSummary[]> {
	const folders = [sessionDir ?? projectFolder(sessionsRoot(agentDir), cwd)];
	const rows = await listSessions({ agentDir, folders });
	// A folder of the user's choice holds the sessions of all projects.
	return sessionDir === undefined ? rows : rows.filter((row) => isSamePlace(row.cwd, cwd));
}

/** The sessions of all projects, newest first. */
export function allSessions({ agentDir, sessionDir }: Here): Promise<SessionSummary[]> {
	return listSessions({ agentDir, ...(sessionDir !== undefined && { folders: [sessionDir] }) });
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

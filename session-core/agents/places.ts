/** Where other agents keep their logs. The logs are only ever read. */
import { join } from "node:path";
import { projectFolders, type UnreadFolder } from "../catalog/folders.ts";
import { readSettingsFile } from "../settings/file.ts";
import { AGENTS, type AgentId, type Env, READERS } from "./agents.ts";
import { canDecompress, nameIndex, newerRollout, readNames, withoutOlderRollouts } from "./codex-files.ts";

export interface AgentFolder {
	agent: AgentId;
	folder: string;
	isArchive: boolean;
}

/**
 * Returns the agents whose sessions the user wants to see, according to the user's own settings. A project's settings are not read, because
 * a repository must not decide what is found and sent.
 */
export function wantedAgents(agentDir: string): AgentId[] {
	const file = readSettingsFile(join(agentDir, "session-suite.json"), "user");
	const named = file.status === "read" ? file.root["agents"] : undefined;
	return Array.isArray(named) ? AGENTS.filter((agent) => named.includes(agent)) : [];
}

/** Returns the folders that may contain logs of these agents, including the folder above all others. */
export function agentFolders(
	agents: readonly AgentId[],
	env: Env,
	unread?: (folder: UnreadFolder) => void,
): AgentFolder[] {
	const found: AgentFolder[] = [];
	for (const agent of agents) {
		for (const { root, depth, isArchive = false } of READERS[agent].roots(env)) {
			let level = [root];
			// A watcher of the root notices new folders.
			found.push({ agent, folder: root, isArchive });
			for (let below = 0; below < depth; below++) {
				level = level.flatMap((folder) => projectFolders(folder, unread));
				found.push(...level.map((folder) => ({ agent, folder, isArchive })));
			}
		}
	}
	return found;
}

/**
 * Returns a function that adds to a session the name that its agent keeps in an index outside the log, unless the log itself names it. The
 * index is read when it is first needed.
 */
export function outsideNames(): <Row extends Named>(row: Row) => Row {
	const known = new Map<string, ReadonlyMap<string, string>>();
	return (row) => {
		const index = row.agent === "codex" && row.name === undefined ? nameIndex(row.path) : undefined;
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
	agent?: AgentId;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
}

/** Returns the end of a log's name, for the host's own sessions if no agent is given. */
export function logEnding(agent: AgentId | undefined): RegExp | undefined {
	return agent && READERS[agent].ending;
}

/** Returns the files without those that a newer file of the same session replaces. */
export const currentLogs = withoutOlderRollouts;

/** Returns the file with the newest state of the session in a file if it is another one. */
export const newerLog = newerRollout;

/** Whether a log is compressed in a way that this version of Node cannot read. */
export function isUnreadable(name: string): boolean {
	return name.endsWith(".zst") && !canDecompress();
}

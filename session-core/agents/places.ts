/** Where other agents keep their logs. The logs are only ever read. */
import { join } from "node:path";
import { projectFolders, type UnreadFolder } from "../catalog/folders.ts";
import { readSettingsFile } from "../settings/file.ts";
import { AGENTS, type AgentId, type Env, READERS } from "./agents.ts";

export interface AgentFolder {
	agent: AgentId;
	folder: string;
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
		const { root, depth } = READERS[agent].root(env);
		let level = [root];
		// A watcher of the root notices new folders.
		found.push({ agent, folder: root });
		for (let below = 0; below < depth; below++) {
			const next = level.flatMap((folder) => projectFolders(folder, unread));
			found.push(...next.map((folder) => ({ agent, folder })));
			level = next;
		}
	}
	return found;
}

// Finds the agent folder in the same way as pi does in its `config.js`.
import { homedir } from "node:os";
import { join } from "node:path";

/** @param {Readonly<Record<string, string | undefined>>} env */
export function agentDirIn(env) {
	const named = env.PI_CODING_AGENT_DIR;
	return named ? withHome(named) : join(homedir(), ".pi", "agent");
}

/** @param {string} path */
export function withHome(path) {
	if (path === "~") return homedir();
	return path.startsWith("~/") ? homedir() + path.slice(1) : path;
}

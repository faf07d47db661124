// Finds the agent folder by the same rules as pi's own `config.js`.
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Returns the host's folder for settings and sessions.
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function agentDirIn(env) {
	const named = env.PI_CODING_AGENT_DIR;
	return named ? withHome(named) : join(homedir(), ".pi", "agent");
}

/**
 * Replaces a leading `~` with the path of the home folder.
 * @param {string} path
 */
export function withHome(path) {
	if (path === "~") return homedir();
	return path.startsWith("~/") ? homedir() + path.slice(1) : path;
}

// Finds the host and its agent folder by the same rules as the host's own `config.js`.
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

/**
 * Matches the environment variable for the agent folder. In a rebranded host (`piConfig` in its package.json), the variables begin with the
 * host's own name.
 */
const AGENT_DIR = /^([A-Z0-9_]+)_CODING_AGENT_DIR$/;
/** Matches the path of a file in a package that the host has installed. */
const INSTALLED = /^.*[\\/](\.[^\\/]+)[\\/]agent(?=[\\/](?:npm|git)[\\/])/;

/**
 * Returns the host whose sessions this program uses: the host's program, the prefix of its environment variables, the name of its folders,
 * and its agent folder. If the variable for an agent folder is set, its prefix determines the host. Otherwise, the host is the one that has
 * installed this program or, if there is none, pi.
 * @param {Environment} env
 * @param {string} [here] The path of this file
 */
export function hostIn(env, here = fileURLToPath(import.meta.url)) {
	const names = Object.keys(env).flatMap((name) => (env[name] && AGENT_DIR.exec(name)?.[1]) || []);
	const prefix = names.includes("PI") ? "PI" : names[0];
	if (prefix !== undefined) {
		const agentDir = withHome(env[`${prefix}_CODING_AGENT_DIR`] ?? "");
		const program = prefix.toLowerCase();
		const parent = basename(dirname(agentDir));
		return { program, prefix, configDir: parent.startsWith(".") ? parent : `.${program}`, agentDir };
	}
	const [agentDir = join(homedir(), ".pi", "agent"), configDir = ".pi"] = INSTALLED.exec(here) ?? [];
	const program = configDir.slice(1);
	return { program, prefix: program.toUpperCase(), configDir, agentDir };
}

/**
 * Replaces a leading `~` with the path of the home folder.
 * @param {string} path
 */
export function withHome(path) {
	if (path === "~") return homedir();
	return path.startsWith("~/") ? homedir() + path.slice(1) : path;
}

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The environment variables of a process.
 * @typedef {Readonly<Record<string, string | undefined>>} Environment
 */

/** A rebranded pi has its own prefix for environment variables, such as `ACME_CODING_AGENT_DIR`. */
const AGENT_DIR = /^([A-Z0-9_]+)_CODING_AGENT_DIR$/;
const INSTALLED = /^.*[\\/](\.[^\\/]+)[\\/]agent(?=[\\/](?:npm|git)[\\/])/;

/**
 * Returns the name and the folders of pi or of a rebranded pi. The `…_CODING_AGENT_DIR` variable takes
 * precedence over the folder in which this package is installed.
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

/** @param {string} path */
export function withHome(path) {
	if (path === "~") return homedir();
	return path.startsWith("~/") ? homedir() + path.slice(1) : path;
}

/** @returns {string} */
export function packageVersion() {
	return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

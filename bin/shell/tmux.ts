import { homedir } from "node:os";
import { resolve } from "node:path";
import { isFolder } from "../../session-core/text/files/index.ts";
import { hostIn, withHome } from "../place.mjs";
import { outputOf } from "./programs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type NotOpenedReason = "no_tmux" | "no_folder" | "failed";
export type OpenOutcome = { ok: true; log?: string } | { ok: false; reason: NotOpenedReason; detail: string };

function notOpened(reason: NotOpenedReason, detail: string): OpenOutcome {
	return { ok: false, reason, detail };
}

/**
 * The folder and the command are passed as arguments, so that session text never becomes part of the
 * shell script.
 */
const IN_FOLDER = 'cd -- "$1" || exit; shift; exec "$@"';

/**
 * A new tmux window inherits the tmux server's environment, so pi's variables are passed with the
 * command.
 */
export async function openWindow(
	command: readonly string[],
	cwd = homedir(),
	{ env, agentDir, isBehind = false }: { env: Environment; agentDir: string; isBehind?: boolean },
): Promise<OpenOutcome> {
	if (!env["TMUX"]) return notOpened("no_tmux", "The server is not running inside tmux.");
	if (!isFolder(cwd)) return notOpened("no_folder", "The session's folder no longer exists.");
	// tmux expands `#(…)` in a window's name and folder, so neither may contain text from a session.
	const words = ["sh", "-c", IN_FOLDER, "sh", cwd, "env", ...piVariables(env, agentDir), ...command];
	// A semicolon at the end of an argument would begin another tmux command.
	const escaped = words.map((word) => word.replace(/;$/, "\\;"));
	const args = ["new-window", ...(isBehind ? ["-d"] : []), "--", ...escaped];
	const opened = await outputOf(["tmux", ...args], { env, timeout: 5_000 });
	return opened.ok ? { ok: true } : notOpened("failed", opened.detail.trim().slice(0, 200));
}

/** A new pi process must not inherit environment variables that describe the current pi process. */
const OF_A_SESSION = /^PI_(?:SESSION_(?:ID|FILE)|SESSION_SUITE_RESUME\w*|CODING_AGENT)$/;

/** Folders are converted to absolute paths, because the new window starts in a different folder. */
function piVariables(env: Environment, agentDir: string): string[] {
	const { prefix } = hostIn(env);
	const isOurs = (name: string) => name.startsWith("PI_") || name.startsWith(`${prefix}_CODING_AGENT_`);
	return Object.entries({ ...env, [`${prefix}_CODING_AGENT_DIR`]: agentDir }).flatMap(([name, value]) => {
		if (!isOurs(name) || value === undefined || OF_A_SESSION.test(name)) return [];
		return [`${name}=${name.endsWith("_DIR") ? resolve(withHome(value)) : value}`];
	});
}

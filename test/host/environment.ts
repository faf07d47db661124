import { delimiter } from "node:path";

/** Variables that describe the user's terminal and language. They hold no secrets. */
const TERMINAL = [
	"COLORTERM",
	"COLORFGBG",
	"TERM_PROGRAM",
	"TERM_PROGRAM_VERSION",
	"TMUX",
	"STY",
	"SSH_TTY",
	"SSH_CONNECTION",
	"KITTY_WINDOW_ID",
	"WEZTERM_PANE",
	"ITERM_SESSION_ID",
	"GHOSTTY_RESOURCES_DIR",
	"WT_SESSION",
	"LANG",
	"LC_ALL",
	"LC_CTYPE",
] as const;

/** Variables that every program needs; the last ones are Windows'. */
const SYSTEM = ["PATH", "SystemRoot", "ComSpec", "PATHEXT", "windir", "ProgramFiles"] as const;

/** Variables that set the clock: the time zone and those of `faketime`. */
const CLOCK = ["TZ", "LD_PRELOAD", "FAKETIME", "FAKETIME_SHARED"] as const;

/** Folders that the host must use instead of the user's own. */
export interface PrivateFolders {
	home: string;
	agentDir: string;
	temp: string;
}

/** The host's environment, without the user's keys and settings. `nodeFolder` comes first in `PATH`, for the agent's commands. */
export function hostEnvironment(
	folders: PrivateFolders,
	nodeFolder: string,
	extra: Record<string, string> = {},
): Record<string, string> {
	return {
		...pick([...SYSTEM, ...CLOCK]),
		PATH: [nodeFolder, process.env.PATH].filter(Boolean).join(delimiter),
		HOME: folders.home,
		USERPROFILE: folders.home,
		TMPDIR: folders.temp,
		TEMP: folders.temp,
		TMP: folders.temp,
		PI_CODING_AGENT_DIR: folders.agentDir,
		PI_OFFLINE: "1",
		PI_SKIP_VERSION_CHECK: "1",
		TERM: "xterm-256color",
		LANG: "C.UTF-8",
		...extra,
	};
}

/** The variables of this process that describe its terminal. */
export function terminalEnvironment(): Record<string, string> {
	return { TERM: process.env.TERM ?? "xterm-256color", ...pick(TERMINAL) };
}

function pick(names: readonly string[]): Record<string, string> {
	const found: Record<string, string> = {};
	for (const name of names) {
		const value = process.env[name];
		if (value !== undefined) found[name] = value;
	}
	return found;
}

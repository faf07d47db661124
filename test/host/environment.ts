import { delimiter } from "node:path";

/** Variables that describe the user's terminal and language. They hold no secrets. */
const TERMINAL =
	/^(?:TERM|TERM_PROGRAM(?:_VERSION)?|COLOR(?:TERM|FGBG)|TMUX|STY|SSH_(?:TTY|CONNECTION)|KITTY_WINDOW_ID|WEZTERM_PANE|ITERM_SESSION_ID|GHOSTTY_RESOURCES_DIR|WT_SESSION|LANG|LC_(?:ALL|CTYPE))$/;

const SYSTEM = /^(?:SystemRoot|ComSpec|PATHEXT|windir|ProgramFiles)$/i;

/** Variables that set the clock: the time zone and those of `faketime`. */
const CLOCK = /^(?:TZ|LD_PRELOAD|FAKETIME|FAKETIME_SHARED)$/;

export interface PrivateFolders {
	home: string;
	agentDir: string;
	temp: string;
}

/** The host's environment, without the user's keys and settings. `nodeFolder` is first in `PATH`. */
export function hostEnvironment(
	folders: PrivateFolders,
	nodeFolder: string,
	extra: Record<string, string> = {},
): Record<string, string> {
	return {
		...pick(SYSTEM),
		...pick(CLOCK),
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

export function terminalEnvironment(): Record<string, string> {
	return pick(TERMINAL);
}

function pick(names: RegExp): Record<string, string> {
	const entries = Object.entries(process.env);
	return Object.fromEntries(
		entries.flatMap(([name, value]) => (value !== undefined && names.test(name) ? [[name, value]] : [])),
	);
}

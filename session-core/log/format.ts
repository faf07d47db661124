/** The formats of session files. Other code checks what a format can do, not which format it is. */
import { homedir } from "node:os";
import { basename, join } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

interface LogRoot {
	root: string;
	/** The number of folder levels between this folder and the files. */
	depth: number;
	/** Whether the format's own program no longer lists the sessions in this folder. */
	isArchive?: boolean;
}

export interface Format {
	/** The format's name in the settings, in filters and in JSON. */
	readonly name: string;
	readonly mark: string;
	/**
	 * Whether the files are the host's own: it opens and changes them, and announces which ones are open. Otherwise, a session can be
	 * handed over to a new session of the host, and only its log suggests that it is running.
	 */
	readonly canOpen: boolean;
	/** Whether each entry follows the previous one in the file, unless the user went back, and many lines state the session's facts. */
	readonly isInOrder: boolean;
	/** Whether a session's id is taken from the file's name, because lines copied from another session still contain that session's id. */
	readonly isNamedByFile: boolean;
	/** The command with which the format's own program resumes a session. */
	readonly command: readonly string[];
	/** The variable that names the folder of the format's own program, and the default folder below the user's home. */
	readonly home: readonly [variable: string, folder: string];
	/** The folders in the program's folder below which it keeps logs. Empty for the host, whose folders the catalog knows. */
	readonly logs: readonly LogRoot[];
	readonly ending: RegExp;
	/** The folder in which each of the program's processes names its open session in `<pid>.json`; undefined if there is none. */
	readonly open: string | undefined;
	/** Strings that occur on lines with a title and on lines that say where the session continues. */
	readonly titles: readonly string[];
	readonly places: readonly string[];
	readonly toJSON: () => string;
}

function format(name: string, facts: Partial<Format>): Format {
	return {
		name,
		mark: "",
		canOpen: false,
		isInOrder: true,
		isNamedByFile: false,
		command: [],
		home: ["", ""],
		logs: [],
		ending: /\.jsonl$/,
		open: undefined,
		titles: [],
		places: [],
		toJSON: () => name,
		...facts,
	};
}

export const PI = format("pi", { canOpen: true, isInOrder: false });

export const CLAUDE_CODE = format("claude-code", {
	mark: "Claude Code",
	isNamedByFile: true,
	command: ["claude", "--resume"],
	home: ["CLAUDE_CONFIG_DIR", ".claude"],
	logs: [{ root: "projects", depth: 1 }],
	open: "sessions",
	titles: ['"custom-title"', '"agent-name"', '"ai-title"'],
	places: ['"relocated"', '"worktree-state"', '"continued-in"'],
});

export const CODEX = format("codex", {
	mark: "Codex",
	command: ["codex", "resume"],
	home: ["CODEX_HOME", ".codex"],
	logs: [
		{ root: "sessions", depth: 3 },
		{ root: "archived_sessions", depth: 0, isArchive: true },
	],
	ending: /\.jsonl(?:\.zst)?$/,
	titles: ['"thread_name_updated"'],
});

export const QWEN_CODE = format("qwen-code", {
	mark: "Qwen Code",
	command: ["qwen", "--resume"],
	home: ["QWEN_HOME", ".qwen"],
	// Earlier versions kept the chats of a project in `tmp`.
	logs: ["projects", "tmp"].map((root) => ({ root, depth: 2 })),
	titles: ['"custom_title"'],
});

export const FOREIGN: readonly Format[] = [CLAUDE_CODE, CODEX, QWEN_CODE];
const FORMATS = [PI, ...FOREIGN];

/** The key of the setting that lists the formats whose sessions are included. */
export const FORMATS_SETTING = "agents";

/** Returns the format with a name, as in the settings or a cache; the host's format for any other value. */
export function formatNamed(name: unknown): Format {
	return FORMATS.find((one) => one.name === name) ?? PI;
}

/** Returns the format in which a line was read. Only readers put a format into a header, so a line cannot claim another one. */
export function formatIn(header: Readonly<Record<string, unknown>>): Format {
	return FORMATS.find((one) => one === header["format"]) ?? PI;
}

/** Returns the folders in which a format's own program keeps logs, and the one that shows which sessions are open. */
export function foldersIn({ home: [variable, folder], logs, open }: Format, env: Env) {
	const home = env[variable] || join(homedir(), folder);
	const roots = logs.map((log) => ({ ...log, root: join(home, log.root) }));
	return { roots, open: open === undefined ? undefined : join(home, open) };
}

/** Returns the command with which a session's own program resumes it, and the environment variables that it needs to find the session. */
export function ownCommand({ command, home: [variable] }: Format, id: string, env: Env) {
	const folder = env[variable];
	return { command: [...command, id], env: folder ? { [variable]: folder } : {} };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

interface FileHeader {
	id: string;
	format: Format;
	isChild: boolean;
	parentSession: string | undefined;
}

export function headerAt<Header extends FileHeader>(path: string, header: Header): Header {
	const id = basename(path, ".jsonl");
	if (!header.format.isNamedByFile || header.isChild || id === header.id || !UUID.test(id)) return header;
	return { ...header, id, parentSession: header.parentSession ?? header.id };
}

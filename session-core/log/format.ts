/** The formats of session files. Other code checks what a format can do, not which format it is. */
import { homedir } from "node:os";
import { basename, join } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

interface LogRoot {
	root: string;
	depth: number;
	/** Whether the format's own program no longer lists the sessions in this folder. */
	isArchive?: boolean;
}

export interface Format {
	/** The format's name in the settings, in filters and in JSON. */
	readonly name: string;
	readonly mark: string;
	/** Whether the host can open the files. Otherwise, a session can be handed over to a new session of the host. */
	readonly canOpen: boolean;
	/** Whether the files may be changed: named, repaired, deleted, or given a recap. */
	readonly canChange: boolean;
	/** Whether every process announces that it has a file open. Otherwise, only the log suggests that a session is running. */
	readonly isLeased: boolean;
	/** Whether each entry follows the previous one in the file, unless the user went back, and many lines state the session's facts. */
	readonly isInOrder: boolean;
	/** Whether a session's id is taken from the file's name, because lines copied from another session still contain that session's id. */
	readonly isNamedByFile: boolean;
	/** The command with which the format's own program resumes a session, and the variable that names that program's folder. */
	readonly command: readonly string[];
	readonly home: string;
	/** The folders below which the format's own program keeps logs. Empty for the host, whose folders the catalog knows. */
	readonly roots: (env: Env) => readonly LogRoot[];
	readonly ending: RegExp;
	/** The folder in which each of the program's processes names its open session in `<pid>.json`; undefined if there is no such folder. */
	readonly openIn: ((env: Env) => string) | undefined;
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
		canChange: false,
		isLeased: false,
		isInOrder: true,
		isNamedByFile: false,
		command: [],
		home: "",
		roots: () => [],
		ending: /\.jsonl$/,
		openIn: undefined,
		titles: [],
		places: [],
		toJSON: () => name,
		...facts,
	};
}

export const PI = format("pi", { canOpen: true, canChange: true, isLeased: true, isInOrder: false });

export const CLAUDE_CODE = format("claude-code", {
	mark: "Claude Code",
	isNamedByFile: true,
	command: ["claude", "--resume"],
	home: "CLAUDE_CONFIG_DIR",
	roots: (env) => [{ root: join(claudeHome(env), "projects"), depth: 1 }],
	openIn: (env) => join(claudeHome(env), "sessions"),
	titles: ['"custom-title"', '"agent-name"', '"ai-title"'],
	places: ['"relocated"', '"worktree-state"', '"continued-in"'],
});

function claudeHome(env: Env): string {
	return env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude");
}

export const CODEX = format("codex", {
	mark: "Codex",
	command: ["codex", "resume"],
	home: "CODEX_HOME",
	roots: (env) => {
		const home = env["CODEX_HOME"] || join(homedir(), ".codex");
		return [
			{ root: join(home, "sessions"), depth: 3 },
			{ root: join(home, "archived_sessions"), depth: 0, isArchive: true },
		];
	},
	ending: /\.jsonl(?:\.zst)?$/,
	titles: ['"thread_name_updated"'],
});

export const QWEN_CODE = format("qwen-code", {
	mark: "Qwen Code",
	command: ["qwen", "--resume"],
	home: "QWEN_HOME",
	// Earlier versions kept the chats of a project in `tmp`.
	roots: (env) =>
		["projects", "tmp"].map((name) => ({
			root: join(env["QWEN_HOME"] || join(homedir(), ".qwen"), name),
			depth: 2,
		})),
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

/** Returns the command with which a session's own program resumes it, and the environment variables that it needs to find the session. */
export function ownCommand({ command, home }: Format, id: string, env: Env) {
	const folder = env[home];
	return { command: [...command, id], env: folder ? { [home]: folder } : {} };
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

/** Code outside this file should check what a log format supports, not which format it is. */
import { homedir } from "node:os";
import { basename, join } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

interface LogRoot {
	root: string;
	depth: number;
	/** True if the folder contains only sessions that the user has archived in the agent. */
	isArchive?: boolean;
}

export interface Format {
	readonly name: string;
	readonly mark: string;
	/**
	 * True if pi can open and change the session file. A session in any other format must be continued in a
	 * new pi session.
	 */
	readonly canOpen: boolean;
	/**
	 * True if an entry's parent is the preceding entry, unless the user went back to an earlier point.
	 */
	readonly isInOrder: boolean;
	/**
	 * True if a log may contain copied lines with another session's id, so that only the file name
	 * identifies the session.
	 */
	readonly isNamedByFile: boolean;
	readonly command: readonly string[];
	/**
	 * The environment variable that overrides the agent's folder, and the default name of that folder in
	 * the user's home folder.
	 */
	readonly home: readonly [variable: string, folder: string];
	readonly logs: readonly LogRoot[];
	readonly ending: RegExp;
	readonly open: string | undefined;
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
	logs: ["projects", "tmp"].map((root) => ({ root, depth: 2 })),
	titles: ['"custom_title"'],
});

export const FOREIGN: readonly Format[] = [CLAUDE_CODE, CODEX, QWEN_CODE];
const FORMATS = [PI, ...FOREIGN];

export function formatNamed(name: unknown): Format {
	return FORMATS.find((one) => one.name === name) ?? PI;
}

/** A `format` field that was parsed from JSON is ignored, because it cannot be a `Format` object. */
export function formatIn(header: Readonly<Record<string, unknown>>): Format {
	return FORMATS.find((one) => one === header["format"]) ?? PI;
}

export function foldersIn({ home: [variable, folder], logs, open }: Format, env: Env) {
	const home = env[variable] || join(homedir(), folder);
	const roots = logs.map((log) => ({ ...log, root: join(home, log.root) }));
	return { roots, open: open === undefined ? undefined : join(home, open) };
}

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

/**
 * The time, in milliseconds, for which another agent's session is considered live after its log has
 * changed.
 */
export const AGENT_LIVE_MS = 10 * 60_000;

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createColors } from "picocolors";
import type { ScanOptions, StateColor } from "../../session-core/sessions/index.ts";
import {
	cleanText,
	openLog,
	outgoing,
	readSettingsFile,
	wrapColumns,
} from "../../session-core/text/index.ts";
import { hostIn, withHome } from "../place.mjs";

/** The name of an argument that specifies a session. */
export const SESSION = "title|id";

export const DONE = 0;
/** Exit code: the command was understood but failed. */
export const FAILED = 1;
/** Exit code: the session or the command does not exist or is ambiguous, or the arguments are wrong. */
export const NOT_FOUND = 2;

export interface Sink {
	write(text: string): unknown;
	isTTY?: boolean | undefined;
	columns?: number | undefined;
	rows?: number | undefined;
	on?(event: "resize", listener: () => void): unknown;
	off?(event: "resize", listener: () => void): unknown;
}

type Keyboard = NodeJS.ReadableStream & { setRawMode?(isOn: boolean): unknown };
type Environment = Readonly<Record<string, string | undefined>>;

export interface Surroundings {
	env: Environment;
	cwd: string;
	now(): number;
	/** The stream to which results are written. */
	out: Sink;
	/** The stream to which messages and errors are written. */
	err: Sink;
	agentDir: string;
	/** The folder that the user chose for all sessions; undefined if each project has its own. */
	sessionDir: string | undefined;
	/** The user's keyboard; undefined unless both input and output are terminals. */
	keyboard?: Keyboard | undefined;
	/** The formats other than pi's whose sessions are included. Default: the user's setting. */
	formats?: ScanOptions["formats"];
}

export type World = ReturnType<typeof worldFor>;

/** Adds to a command's surroundings the functions with which it reports its result. */
export function worldFor(command: string, around: Surroundings) {
	const { agentDir, env, err, out } = around;
	const columns = columnsOf(out);
	let session: string | undefined;
	// Messages quote the names of files, folders and sessions, so everything that is written to stderr is sanitized.
	const note = (text: string) => void err.write(cleanText(text));
	const say = (message: string) => note(`pi-sessions ${command}: ${message}\n`);
	return {
		...around,
		/** The name of the program that starts the host, such as `pi`. */
		program: hostIn(env).program,
		log: openLog({ agentDir, enabled: false, env, session: () => session }),
		/** Stores the id of the session that the command has found, for the debug log. */
		concerns: (id: string) => {
			session = id;
		},
		note,
		/** Writes a message to stderr, preceded by the command's name. */
		say,
		/** Writes a message like `say`, and returns the exit code. */
		fail: (message: string, code = FAILED): number => {
			say(message);
			return code;
		},
		print: (...lines: readonly string[]) => void out.write(`${lines.join("\n")}\n`),
		/** Prints a value as JSON, after sanitizing and redacting its strings once more. */
		printJson: (value: unknown) => void out.write(`${JSON.stringify(outgoing(value), null, 2)}\n`),
		paint: painterFor(out, env),
		/** The terminal's number of columns; undefined if the output is not a terminal, so that lines may have any length. */
		columns,
		/** Breaks sanitized text into lines that fit the terminal, at spaces if possible. */
		fold: (text: string, indent = "", margin = 0): string[] =>
			columns === undefined ? [text] : wrapColumns(text, { columns: columns - margin, indent }),
	};
}

export function surroundings({ env, cwd: folder, stdin, stdout, stderr }: NodeJS.Process): Surroundings {
	const cwd = folderIn(folder, env);
	const agentDir = resolve(cwd, hostIn(env).agentDir);
	const warn = (problem: string) => void stderr.write(`pi-sessions: ${problem}.\n`);
	const sessionDir = sessionDirOf({ env, agentDir, cwd }, warn);
	const keyboard = stdin.isTTY && stdout.isTTY ? stdin : undefined;
	return { env, cwd, now: Date.now, out: stdout, err: stderr, agentDir, sessionDir, keyboard };
}

/** Returns the current folder. If it has been removed, returns the path in `PWD`, which still identifies the project. */
function folderIn(cwd: () => string, { PWD: name }: Environment): string {
	try {
		return cwd();
	} catch {
		return name?.startsWith("/") ? name : "/";
	}
}

/**
 * Returns the folder for all sessions from pi's environment variable, the project's settings or the user's settings, in the same order as
 * pi. `warn` receives a message if the project's settings are ignored.
 */
export function sessionDirOf(
	{ env, agentDir, cwd }: Pick<Surroundings, "env" | "agentDir" | "cwd">,
	warn: (problem: string) => void = () => undefined,
): string | undefined {
	const { prefix, configDir } = hostIn(env);
	const named = env[`${prefix}_CODING_AGENT_SESSION_DIR`];
	if (named) return resolve(cwd, withHome(named));
	for (const [folder, owner] of [
		[join(cwd, configDir), "project"],
		[agentDir, "user"],
	] as const) {
		const settings = readSettingsFile(join(folder, "settings.json"), owner);
		if (settings.status === "ignored") warn(settings.problem);
		const chosen = settings.status === "read" ? settings.root["sessionDir"] : undefined;
		if (typeof chosen === "string" && chosen !== "") return resolve(cwd, withHome(chosen));
	}
	return undefined;
}

export function versionOf(): string {
	const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
	const found: { version?: unknown } = JSON.parse(text);
	return String(found.version);
}

/**
 * Returns a function that selects the language of labels and outcomes in recaps and cards, based on the user's `language` setting, the
 * session's own language, or the locale.
 */
export async function wordsFor({ agentDir, env }: Pick<World, "agentDir" | "env">) {
	const { cardWords } = await import("../../session-core/recap/index.ts");
	// Only the user's file is read, because a project cannot set the language. pi itself reports an invalid language.
	const file = readSettingsFile(join(agentDir, "session-suite.json"), "user");
	const named = file.status === "read" ? file.root["language"] : undefined;
	return cardWords(typeof named === "string" ? named : undefined, env);
}

/** Adds colors and emphasis to text if the output is a terminal and the user has not turned colors off. */
type Painter = ReturnType<typeof createColors>;

/** Returns text in the color of a state. The terminal's theme determines how the color looks. */
export function paintState(color: StateColor, text: string, paint: Painter): string {
	const { yellow, red, cyan, green, dim } = paint;
	return { warning: yellow, error: red, accent: cyan, success: green, dim, plain: String }[color](text);
}

/** Follows no-color.org: `NO_COLOR` has an effect if it is not empty. As in Node, `FORCE_COLOR` set to `0` or `false` turns colors off. */
function painterFor({ isTTY }: Sink, env: Environment): Painter {
	const forced = env["FORCE_COLOR"];
	const isWanted = forced ? !/^(?:0|false)$/.test(forced) : isTTY === true && env["TERM"] !== "dumb";
	return createColors(isWanted && !env["NO_COLOR"]);
}

export function columnsOf({ isTTY, columns }: Sink): number | undefined {
	return isTTY ? Math.max(20, columns ?? 80) : undefined;
}

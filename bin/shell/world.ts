import { join, resolve } from "node:path";
import { createColors } from "picocolors";
import type { ScanOptions } from "../../session-core/sessions/index.ts";
import { loadSettings } from "../../session-core/settings/index.ts";
import {
	cleanText,
	openLog,
	outgoing,
	readSettingsFile,
	shortAge,
	shownLine,
	shownName,
	shownPath,
	wrapColumns,
} from "../../session-core/text/index.ts";
import { hostIn, withHome } from "../place.mjs";

export const SESSION = "title|id";

export const DONE = 0;
export const FAILED = 1;
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
	out: Sink;
	err: Sink;
	agentDir: string;
	/** `sessionDir` is undefined unless the user has set one folder for the sessions of all projects. */
	sessionDir: string | undefined;
	/** `keyboard` is undefined unless both the input and the output are terminals. */
	keyboard?: Keyboard | undefined;
	/**
	 * The log formats of the other agents whose sessions are listed. By default, the user's settings
	 * decide.
	 */
	formats?: ScanOptions["formats"];
}

export type World = ReturnType<typeof worldFor>;

export function worldFor(command: string, around: Surroundings) {
	const { agentDir, env, err, out } = around;
	const columns = columnsOf(out);
	let session: string | undefined;
	// File, folder and session names may contain control characters, so all text for stderr is sanitized.
	const note = (text: string) => void err.write(cleanText(text));
	const say = (message: string) => note(`pi-sessions ${command}: ${afterColon(message)}\n`);
	return {
		...around,
		program: hostIn(env).program,
		log: openLog({ agentDir, enabled: false, env, session: () => session }),
		concerns: (id: string) => {
			session = id;
		},
		note,
		say,
		fail: (message: string, code = FAILED): number => {
			say(message);
			return code;
		},
		print: (...lines: readonly string[]) => void out.write(`${lines.join("\n")}\n`),
		/** Returns one line of text from a session, sanitized, redacted and clipped. */
		line: shownLine,
		name: shownName,
		path: shownPath,
		age: (then: number) => shortAge(then, around.now()),
		/** Sanitizes and redacts every string in `value`, in case the caller has not done so. */
		printJson: (value: unknown) => void out.write(`${JSON.stringify(outgoing(value), null, 2)}\n`),
		paint: painterFor(out, env),
		/**
		 * `columns` is undefined if the output is not a terminal. In that case, lines may have any
		 * length.
		 */
		columns,
		fold: (text: string, indent = "", margin = 0): string[] =>
			columns === undefined ? [text] : wrapColumns(text, { columns: columns - margin, indent }),
	};
}

/**
 * Changes a message's first letter to lower case, unless the first word is an acronym. A message must
 * not begin with a name such as `Node`, because the name would be changed as well.
 */
function afterColon(message: string): string {
	return message.replace(/^[A-Z](?=[a-z]* ["a-z\d(])/, (letter) => letter.toLowerCase());
}

export function surroundings({ env, cwd: folder, stdin, stdout, stderr }: NodeJS.Process): Surroundings {
	const cwd = folderIn(folder, env);
	const agentDir = resolve(cwd, hostIn(env).agentDir);
	const warn = (problem: string) => void stderr.write(`pi-sessions: ${problem}.\n`);
	const sessionDir = sessionDirOf({ env, agentDir, cwd }, warn);
	const keyboard = stdin.isTTY && stdout.isTTY ? stdin : undefined;
	return { env, cwd, now: Date.now, out: stdout, err: stderr, agentDir, sessionDir, keyboard };
}

/** If the current folder was removed, `PWD` still identifies the project. */
function folderIn(cwd: () => string, { PWD: name }: Environment): string {
	try {
		return cwd();
	} catch {
		return name?.startsWith("/") ? name : "/";
	}
}

/**
 * As in pi, the environment variable takes precedence over the project's settings, which take
 * precedence over the user's settings.
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
		if (!settings.ok && settings.reason === "ignored") warn(settings.detail);
		const chosen = settings.ok ? settings.root["sessionDir"] : undefined;
		if (typeof chosen === "string" && chosen !== "") return resolve(cwd, withHome(chosen));
	}
	return undefined;
}

export async function wordsFor({ agentDir, env }: Pick<World, "agentDir" | "env">) {
	const { cardWords } = await import("../../session-core/recap/index.ts");
	// A project cannot set the language, so only the user's settings are read.
	return cardWords(loadSettings({ agentDir }).settings.language, env);
}

export type Painter = ReturnType<typeof createColors>;

/**
 * An empty `NO_COLOR` has no effect (see no-color.org). As in Node, `FORCE_COLOR=0` turns colors off.
 */
function painterFor({ isTTY }: Sink, env: Environment): Painter {
	const forced = env["FORCE_COLOR"];
	const isWanted = forced ? !/^(?:0|false)$/.test(forced) : isTTY === true && env["TERM"] !== "dumb";
	return createColors(isWanted && !env["NO_COLOR"]);
}

export function columnsOf({ isTTY, columns }: Sink): number | undefined {
	return isTTY ? Math.max(20, columns ?? 80) : undefined;
}

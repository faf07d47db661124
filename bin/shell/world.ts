import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readSettingsFile } from "../../session-core/settings/file.ts";
import { outgoing } from "../../session-core/text/outgoing.ts";
import { agentDirIn, withHome } from "../place.mjs";

/** Exit codes: what a script can tell apart. */
export const DONE = 0;
/** Understood, but it could not be done. */
export const FAILED = 1;
/** What was meant is missing or ambiguous, or is no command. */
export const NOT_FOUND = 2;

/** Where text goes. */
export interface Sink {
	write(text: string): unknown;
	/** A terminal shows it. */
	isTTY?: boolean | undefined;
	columns?: number | undefined;
}

/** What a command knows of the world outside. */
export interface World {
	env: Readonly<Record<string, string | undefined>>;
	cwd: string;
	now(): number;
	out: Sink;
	/** Messages about the work; the results go to `out`. */
	err: Sink;
	/** Where pi keeps its things. */
	agentDir: string;
	/** The user's one folder of all sessions; undefined: each project has its own. */
	sessionDir: string | undefined;
	/** Nothing is written or swept, the index of sessions included. Default: false. */
	readOnly?: boolean | undefined;
}

export async function worldOf({ env, cwd: folder, stdout, stderr }: NodeJS.Process): Promise<World> {
	const cwd = folderIn(folder, env);
	const agentDir = resolve(cwd, agentDirIn(env));
	const sessionDir = await sessionDirOf({ env, agentDir, cwd });
	return { env, cwd, now: Date.now, out: stdout, err: stderr, agentDir, sessionDir };
}

/** The shell's folder may have been removed: its name still says which project is meant. */
function folderIn(cwd: () => string, { PWD: name }: World["env"]): string {
	try {
		return cwd();
	} catch {
		return name?.startsWith("/") ? name : "/";
	}
}

/** The one folder of all sessions, as pi finds it: in its variable, else in `sessionDir` of its settings, the project's first. */
export async function sessionDirOf({
	env,
	agentDir,
	cwd,
}: Pick<World, "env" | "agentDir" | "cwd">): Promise<string | undefined> {
	const named = env["PI_CODING_AGENT_SESSION_DIR"];
	if (named) return resolve(cwd, withHome(named));
	for (const file of [join(cwd, ".pi", "settings.json"), join(agentDir, "settings.json")]) {
		const settings = await readSettingsFile(file);
		const folder = settings.status === "read" ? settings.root["sessionDir"] : undefined;
		if (typeof folder === "string" && folder !== "") return resolve(cwd, withHome(folder));
	}
	return undefined;
}

/** Prints a value for programs, sanitized and redacted whatever a session's file says. */
export function printJson(value: unknown, out: Sink): void {
	out.write(`${JSON.stringify(outgoing(value), null, 2)}\n`);
}

/** The package's version. */
export function versionOf(): string {
	const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
	const found: { version?: unknown } = JSON.parse(text);
	return String(found.version);
}

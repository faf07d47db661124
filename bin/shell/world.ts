import { resolve } from "node:path";
import { agentDirIn } from "../place.mjs";
import { sessionDirOf } from "./session-dir.ts";

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
	/** What is said about the work; what was asked for goes to `out`. */
	err: Sink;
	/** Where pi keeps its things. */
	agentDir: string;
	/** The one folder of all sessions, where the user has such; undefined: a folder for each project. */
	sessionDir: string | undefined;
	/** Nothing is written, the index of sessions included, and nothing is swept. Default: false. */
	readOnly?: boolean | undefined;
}

export async function worldOf({ env, cwd: folder, stdout, stderr }: NodeJS.Process): Promise<World> {
	const cwd = folderIn(folder, env);
	const agentDir = resolve(cwd, agentDirIn(env));
	const sessionDir = await sessionDirOf({ env, agentDir, cwd });
	return { env, cwd, now: Date.now, out: stdout, err: stderr, agentDir, sessionDir };
}

/** The folder that a shell stands in may have been removed under it: its name still says which project is meant. */
function folderIn(cwd: () => string, { PWD: name }: World["env"]): string {
	try {
		return cwd();
	} catch {
		return name?.startsWith("/") ? name : "/";
	}
}

import { resolve } from "node:path";
import { agentDirIn, withHome } from "../place.mjs";

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
}

export function worldOf({ env, cwd, stdout, stderr }: NodeJS.Process): World {
	const named = env["PI_CODING_AGENT_SESSION_DIR"];
	return {
		env,
		cwd: cwd(),
		now: Date.now,
		out: stdout,
		err: stderr,
		agentDir: resolve(agentDirIn(env)),
		sessionDir: named ? resolve(withHome(named)) : undefined,
	};
}

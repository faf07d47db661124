import { win32 } from "node:path";
import { cmdLine } from "./cmd-line.ts";

/** What `spawn` takes. `verbatim`: its `windowsVerbatimArguments`. */
export interface Startable {
	file: string;
	args: string[];
	verbatim: boolean;
}

/** `missing`: there is none in the PATH. `not_passable`: what stands there cannot be given these arguments; `file` is that. */
export type ProgramOutcome =
	| ({ ok: true } & Startable)
	| { ok: false; reason: "missing" }
	| { ok: false; reason: "not_passable"; file: string };

export interface ProgramDeps {
	platform: NodeJS.Platform;
	env: Readonly<Record<string, string | undefined>>;
	/** The Node.js that this runs in. */
	execPath: string;
	isFile(path: string): boolean;
	/** Undefined where it cannot be read. */
	read(path: string): string | undefined;
}

/**
 * How a program of the PATH is started with these arguments. On Windows npm puts a batch file there: `spawn` does not find it by
 * its bare name, and since CVE-2024-27980 refuses it by its full one. The script that it would run is run instead, without a
 * shell that could read something else into the arguments; a batch file of another making goes to cmd.exe.
 */
export function programFor(name: string, args: readonly string[], deps: ProgramDeps): ProgramOutcome {
	if (deps.platform !== "win32") return started(name, [...args]);
	const file = inPath(name, deps);
	if (file === undefined) return { ok: false, reason: "missing" };
	if (!/\.(?:cmd|bat)$/i.test(file)) return started(file, [...args]);
	const script = scriptOf(file, deps);
	if (script !== undefined) {
		const node = win32.join(win32.dirname(file), "node.exe");
		return started(deps.isFile(node) ? node : deps.execPath, [script, ...args]);
	}
	const line = cmdLine(file, args);
	if (line === undefined) return { ok: false, reason: "not_passable", file };
	const shell = variable(deps.env, "ComSpec") || "cmd.exe";
	return { ok: true, file: shell, args: ["/d", "/s", "/v:off", "/c", `"${line}"`], verbatim: true };
}

function started(file: string, args: string[]): ProgramOutcome {
	return { ok: true, file, args, verbatim: false };
}

/** Not in the current folder, where cmd.exe looks first: a repository must not bring its own. */
function inPath(name: string, { env, isFile }: ProgramDeps): string | undefined {
	const folders = (variable(env, "PATH") ?? "").split(";").map((folder) => folder.replace(/^"(.*)"$/, "$1"));
	const endings = (variable(env, "PATHEXT") || ".COM;.EXE;.BAT;.CMD").split(";").filter(isStartable);
	return folders
		.filter((folder) => win32.isAbsolute(folder))
		.flatMap((folder) => endings.map((ending) => win32.join(folder, name + ending.toLowerCase())))
		.find(isFile);
}

/** What Windows would give to another program (`.JS`, `.PY`) cannot be spawned. */
function isStartable(ending: string): boolean {
	return /^\.(?:com|exe|bat|cmd)$/i.test(ending);
}

/** In a copy of the environment, names of variables have the letter case that Windows gave them. */
function variable(env: ProgramDeps["env"], name: string): string | undefined {
	const found = Object.keys(env).find((key) => key.toLowerCase() === name.toLowerCase());
	return found === undefined ? undefined : env[found];
}

/** The last line of a batch file that npm, pnpm or yarn made: `… "%dp0%\node_modules\…\cli.js" %*`. */
const SHIM = /"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"[ \t]+%\*/;

function scriptOf(file: string, { read, isFile }: ProgramDeps): string | undefined {
	const [, script] = SHIM.exec(read(file) ?? "") ?? [];
	if (script === undefined) return undefined;
	const path = win32.resolve(win32.dirname(file), script);
	return isFile(path) ? path : undefined;
}

import { execFile } from "node:child_process";
import { accessSync, constants, lstatSync, unlinkSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { errorCode } from "../../session-core/regular-file.ts";
import type { Row } from "./row.ts";

/** `gone`: it no longer existed. `no_trash`: the trash refused it. `kept`: it was not tried, or it cannot be deleted. */
export type DeleteOutcome =
	| { ok: true; how: "trash" | "for_good" | "gone" }
	| { ok: false; reason: "no_trash" | "kept"; detail: string };

export interface DeletePorts {
	/** A description of another process that has it open. */
	writer(row: Row): string | undefined;
	trash: TrashSystem;
	dropMarks(row: Row): void;
}

/** Deletes a session's file. Checks again first: another pi may have continued the session since the question. */
export async function deleteSession(
	row: Row,
	how: "trash" | "for_good",
	deps: DeletePorts,
): Promise<DeleteOutcome> {
	const why = deps.writer(row);
	if (why !== undefined) return kept(`it is open in ${why}.`);
	const stat = lstatSync(row.path, { throwIfNoEntry: false });
	if (stat && (!stat.isFile() || stat.size !== row.size)) return kept("it has changed just now.");
	const outcome = stat === undefined ? GONE : await take(row.path, how, deps.trash);
	if (outcome.ok) deps.dropMarks(row);
	return outcome;
}

/** It disappeared between the question and the answer. */
const GONE: DeleteOutcome = { ok: true, how: "gone" };

function kept(detail: string): DeleteOutcome {
	return { ok: false, reason: "kept", detail };
}

async function take(path: string, how: "trash" | "for_good", system: TrashSystem): Promise<DeleteOutcome> {
	if (how === "trash") {
		const moved = await moveToTrash(path, system);
		return moved.ok ? { ok: true, how } : { ok: false, reason: "no_trash", detail: moved.detail };
	}
	try {
		unlinkSync(path);
		return { ok: true, how };
	} catch (error) {
		if (errorCode(error) === "ENOENT") return GONE;
		return kept(error instanceof Error ? error.message : String(error));
	}
}

/** A program that moves files to the system's trash. */
interface TrashCommand {
	program: string;
	/** Whether the program interprets this path as exactly this file. */
	takes(path: string): boolean;
	args(path: string): string[];
}

/**
 * `trash` is several programs. macOS's and Python's take a path literally, npm's `trash-cli` takes it as a glob: the folder
 * `[ab]` also matches `a` and `b`, and an escaped path is unknown to the others. So it runs in the file's folder and gets the
 * bare file name, and only a name in which nothing can be expanded or taken for an option.
 */
const TRASH: TrashCommand = {
	program: "trash",
	takes: (path) => /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(basename(path)),
	args: (path) => [basename(path)],
};
/** Takes an absolute path literally. */
const GIO: TrashCommand = { program: "gio", takes: isAbsolute, args: (path) => ["trash", path] };
/** The path is an argument of the script, where nothing is expanded. */
const FINDER: TrashCommand = {
	program: "osascript",
	takes: isAbsolute,
	args: (path) => [
		"-e",
		"on run argv",
		"-e",
		'tell application "Finder" to delete (POSIX file (item 1 of argv))',
		"-e",
		"end run",
		path,
	],
};

/** A trash program that hangs is stopped after this time. In milliseconds. */
const DEADLINE_MS = 15_000;
const DETAIL = 160;

export interface TrashSystem {
	platform: NodeJS.Platform;
	/** The environment's PATH. */
	path: string;
}

export const TRASH_SYSTEM: TrashSystem = {
	platform: process.platform,
	get path() {
		return process.env["PATH"] ?? "";
	},
};

/** The installed programs, in the order in which they are tried. Empty if this system has no known trash. */
export function trashCommands({ platform, path }: TrashSystem): TrashCommand[] {
	const wanted = platform === "darwin" ? [TRASH, FINDER] : [TRASH, GIO];
	return wanted.filter(({ program }) => path.split(delimiter).some((folder) => isProgram(folder, program)));
}

type TrashOutcome = { ok: true } | { ok: false; detail: string };

/** Moves a file to the trash. It counts as moved if it is no longer in its folder, whatever the program reports. */
async function moveToTrash(path: string, system: TrashSystem): Promise<TrashOutcome> {
	let detail = "no trash program takes this file name";
	for (const { program, takes, args } of trashCommands(system)) {
		if (!takes(path)) continue;
		const error = await run(program, args(path), dirname(path));
		if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { ok: true };
		detail = `${program}: ${error || "it left the file in place"}`;
	}
	return { ok: false, detail };
}

/** Runs a program; resolves to the first line of its error output. */
function run(program: string, args: string[], cwd: string): Promise<string> {
	return new Promise((resolve) => {
		execFile(program, args, { cwd, timeout: DEADLINE_MS, windowsHide: true }, (error, _stdout, stderr) => {
			const line = stderr.trim().split("\n")[0] ?? "";
			resolve((line || (error?.message ?? "")).slice(0, DETAIL));
		});
	});
}

function isProgram(folder: string, program: string): boolean {
	try {
		accessSync(join(folder, program), constants.X_OK);
		return folder !== "";
	} catch {
		// Missing, or not executable.
		return false;
	}
}

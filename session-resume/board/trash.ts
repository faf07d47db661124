import { execFile } from "node:child_process";
import { accessSync, constants, lstatSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that moves a file to the system's trash. */
interface TrashCommand {
	program: string;
	args(path: string): string[];
}

/** The host asks `trash` alone; where that is missing, the desktop's own way does the same. */
const TRASH: TrashCommand = { program: "trash", args: (path) => [path] };
const GIO: TrashCommand = { program: "gio", args: (path) => ["trash", path] };
const FINDER: TrashCommand = {
	program: "osascript",
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

/** An external program that hangs must not keep the board waiting for ever, in milliseconds. */
const DEADLINE_MS = 15_000;
const DETAIL = 160;

export interface TrashSystem {
	platform: NodeJS.Platform;
	/** The environment's PATH. */
	path: string;
}

/** The system that this runs on. */
export const TRASH_SYSTEM: TrashSystem = {
	platform: process.platform,
	get path() {
		return process.env["PATH"] ?? "";
	},
};

/** The programs that are there, the first to be tried first. Empty: this system has no trash that we know of. */
export function trashCommands({ platform, path }: TrashSystem): TrashCommand[] {
	const wanted = platform === "darwin" ? [TRASH, FINDER] : [TRASH, GIO];
	return wanted.filter(({ program }) => path.split(delimiter).some((folder) => isProgram(folder, program)));
}

export type TrashOutcome = { ok: true } | { ok: false; detail: string };

/** Moves a file to the trash. It counts as moved when it is gone from its place, whatever the program says of itself. */
export async function moveToTrash(path: string, system: TrashSystem): Promise<TrashOutcome> {
	let detail = "there is no trash here";
	for (const { program, args } of trashCommands(system)) {
		const said = await run(program, args(path));
		if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { ok: true };
		detail = `${program}: ${said || "it is still there"}`;
	}
	return { ok: false, detail };
}

/** Runs a program; gives the first line that it complains with. */
function run(program: string, args: string[]): Promise<string> {
	return new Promise((resolve) => {
		execFile(program, args, { timeout: DEADLINE_MS, windowsHide: true }, (error, _stdout, stderr) => {
			const said = stderr.trim().split("\n")[0] ?? "";
			resolve((said || (error?.message ?? "")).slice(0, DETAIL));
		});
	});
}

function isProgram(folder: string, program: string): boolean {
	try {
		accessSync(join(folder, program), constants.X_OK);
		return folder !== "";
	} catch {
		// Not there, or not ours to run.
		return false;
	}
}

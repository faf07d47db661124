import { execFile } from "node:child_process";
import { accessSync, constants, lstatSync, rmSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { identityOf } from "../text/files/index.ts";

export type DeleteHow = "trash" | "for_good";

/**
 * `no_trash` means that no program could move the file to the trash. `kept` means that the file has
 * changed and must not be deleted.
 */
export type DeleteOutcome =
	| { ok: true; how: "trash" | "for_good" | "gone" }
	| { ok: false; reason: "no_trash" | "kept"; detail: string };

export function obstacleToDelete(path: string): "missing" | "not_regular" | undefined {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat) return "missing";
	return stat.isFile() ? undefined : "not_regular";
}

/**
 * Deletes a session file and its subagents' folder. Nothing is deleted if the file's size differs from
 * `size`, because the session may have continued since the size was read.
 */
export async function deleteSession(
	{ path: file, size }: { path: string; size: number },
	how: DeleteHow,
): Promise<DeleteOutcome> {
	const stat = lstatSync(file, { throwIfNoEntry: false });
	if (stat && (!stat.isFile() || stat.size !== size))
		return { ok: false, reason: "kept", detail: "its file was changed a moment ago." };
	// The subagents' folder is deleted before the session file, so the user can try again after a failure.
	for (const path of [subagentFolder(file), ...(stat ? [file] : [])]) {
		if (path === undefined) continue;
		const detail = how === "trash" ? await moveToTrash(path) : undefined;
		if (detail !== undefined) return { ok: false, reason: "no_trash", detail };
		if (how === "for_good") rmSync(path, { recursive: true, force: true });
	}
	return { ok: true, how: stat ? how : "gone" };
}

/** A subagent's sessions are in a folder that has the same name as the parent's session file. */
function subagentFolder(path: string): string | undefined {
	const name = basename(path, ".jsonl");
	const folder = join(dirname(path), name);
	const isOwn = name !== "." && name !== ".." && folder !== path;
	return isOwn && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

interface TrashCommand {
	program: string;
	takes(path: string): boolean;
	args(path: string): string[];
}

/**
 * Several programs are called `trash`. npm's `trash-cli` treats a path as a glob, and the other programs
 * do not understand an escaped path. Therefore, `trash` runs in the file's folder and is used only for
 * plain file names.
 */
const TRASH: TrashCommand = {
	program: "trash",
	takes: (path) => /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(basename(path)),
	args: (path) => [basename(path)],
};
const GIO: TrashCommand = { program: "gio", takes: isAbsolute, args: (path) => ["trash", path] };
/**
 * The path is passed to AppleScript as an argument, so the path is never interpreted as script text.
 */
const FINDER: TrashCommand = {
	program: "osascript",
	takes: isAbsolute,
	args: (path) => [...FINDER_SCRIPT.flatMap((line) => ["-e", line]), path],
};
const FINDER_SCRIPT = [
	"on run argv",
	'tell application "Finder" to delete (POSIX file (item 1 of argv))',
	"end run",
];

const DEADLINE_MS = 15_000;
const DETAIL = 160;

function trashCommands(): TrashCommand[] {
	const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
	return [TRASH, FINDER, GIO].filter(({ program }) =>
		folders.some((folder) => isExecutable(join(folder, program))),
	);
}

export function hasTrash(): boolean {
	return trashCommands().length > 0;
}

/**
 * A move to the trash is considered successful if the original file is gone, even if another pi process
 * has since created a new file at the same path.
 */
async function moveToTrash(path: string): Promise<string | undefined> {
	const before = identityOf(path);
	let detail = "no trash program takes this file name";
	for (const { program, takes, args } of trashCommands()) {
		if (!takes(path)) continue;
		const error = await run(program, args(path), dirname(path));
		if (identityOf(path) !== before) return undefined;
		detail = `${program}: ${error || "it left the file in place"}`;
	}
	return detail;
}

function run(program: string, args: string[], cwd: string): Promise<string> {
	return new Promise((resolve) => {
		execFile(program, args, { cwd, timeout: DEADLINE_MS, windowsHide: true }, (error, _stdout, stderr) => {
			const line = stderr.trim().split("\n")[0] ?? "";
			resolve((line || (error?.message ?? "")).slice(0, DETAIL));
		});
	});
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

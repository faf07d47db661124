import { lstatSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveToTrash } from "./trash.ts";

export type DeleteHow = "trash" | "for_good";

/**
 * The result of deleting a session. `no_trash`: the session could not be moved to the trash. `kept`: nothing was deleted, because the
 * session must not be deleted.
 */
export type DeleteOutcome =
	| { ok: true; how: "trash" | "for_good" | "gone" }
	| { ok: false; reason: "no_trash" | "kept"; detail: string };

/** Returns why there is nothing to delete at this path; undefined if there is a file. */
export function obstacleToDelete(path: string): "missing" | "not_regular" | undefined {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat) return "missing";
	return stat.isFile() ? undefined : "not_regular";
}

/**
 * Deletes a session's file and the folder of its subagents, unless the file no longer has the given size. Throws if a file cannot be
 * deleted permanently.
 */
export async function deleteSession(
	{ path: file, size }: { path: string; size: number },
	how: DeleteHow,
): Promise<DeleteOutcome> {
	const stat = lstatSync(file, { throwIfNoEntry: false });
	if (stat && (!stat.isFile() || stat.size !== size))
		return { ok: false, reason: "kept", detail: "it has changed just now." };
	// If the sessions of the subagents cannot be moved, the session itself remains, so that the user can try again.
	for (const path of [subagentFolder(file), ...(stat ? [file] : [])]) {
		if (path === undefined) continue;
		const detail = how === "trash" ? await moveToTrash(path) : undefined;
		if (detail !== undefined) return { ok: false, reason: "no_trash", detail };
		// Another process may delete it at the same time, which is not an error.
		if (how === "for_good") rmSync(path, { recursive: true, force: true });
	}
	return { ok: true, how: stat ? how : "gone" };
}

/**
 * Returns the folder in which an extension for subagents keeps the sessions that a session started: beside its file, with the same name.
 * Undefined if there is none.
 */
function subagentFolder(path: string): string | undefined {
	const name = basename(path, ".jsonl");
	const folder = join(dirname(path), name);
	const isOwn = name !== "." && name !== ".." && folder !== path;
	return isOwn && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

import { lstatSync, unlinkSync } from "node:fs";
import { errorCode } from "../../session-core/store/regular-file.ts";
import { moveToTrash, type TrashSystem } from "./trash.ts";
import type { DeleteOutcome, Row } from "./types.ts";

export interface RemoveDeps {
	/** Another process has it open: in words. */
	writer(row: Row): string | undefined;
	trash: TrashSystem;
	dropMarks(row: Row): void;
}

/** Deletes a session's file. What the user was told before the answer is looked at again: meanwhile somebody may have gone on with it. */
export async function removeSession(
	row: Row,
	how: "trash" | "for_good",
	deps: RemoveDeps,
): Promise<DeleteOutcome> {
	const why = deps.writer(row);
	if (why !== undefined) return kept(`it is open in ${why}.`);
	const stat = lstatSync(row.path, { throwIfNoEntry: false });
	if (stat && (!stat.isFile() || stat.size !== row.size)) return kept("it has changed just now.");
	const outcome = stat === undefined ? GONE : await take(row.path, how, deps.trash);
	if (outcome.ok) deps.dropMarks(row);
	return outcome;
}

/** It vanished between the question and the answer. */
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

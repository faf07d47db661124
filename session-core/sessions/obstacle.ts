import {
	beginsWithTitle,
	checkSession,
	EVERY_HOST_OPENS,
	isCopyable,
	type SessionFileFailure,
	tooLargeText,
} from "../log/index.ts";
import { fileErrorText, isWritable, readRegular, writeObstacle } from "../text/files/index.ts";

export interface Obstacle {
	reason: SessionFileFailure | "damaged" | "titled" | "read_only" | "unwritable";
	detail: string;
}

interface Opening {
	/**
	 * Returns pi's version. The version is needed only if a session file is too large for older versions
	 * of pi.
	 */
	version: () => string | Promise<string>;
	/**
	 * What pi will write to: the session's `file`, a fork in the same `folder`, or a `copy`. For a copy,
	 * write access is not checked.
	 */
	writes: "file" | "folder" | "copy";
	accepted?: readonly Obstacle["reason"][];
}

/**
 * Returns the reason why pi cannot safely open a session file: pi would exit, lose entries, or replace the
 * file with an empty session. Returns undefined if pi can open the file safely.
 */
export async function obstacleToOpening(
	path: string,
	{ version, writes, accepted = [] }: Opening,
): Promise<Obstacle | undefined> {
	const read = readRegular(path, ({ stamp }) => ({ ok: true, size: stamp.size }), "follow");
	const isLarge = read.ok && read.size > EVERY_HOST_OPENS;
	const tooLarge = isLarge ? tooLargeText(read.size, await version()) : undefined;
	if (tooLarge !== undefined) return { reason: "too_large", detail: tooLarge };
	const check = await checkSession(path);
	if (!check.ok && !accepted.includes(check.reason)) return check;
	if (check.ok && !check.sound) {
		if (beginsWithTitle(path)) return { reason: "titled", detail: "" };
		// A large file is assumed to contain intact entries, because checking would require reading the file.
		if (isLarge || (await isCopyable(path))) return { reason: "damaged", detail: "" };
		return { reason: "not_session", detail: `nothing in ${path} can be read` };
	}
	if (writes === "copy") return undefined;
	if (writes === "file" && check.ok && !isWritable(path)) return { reason: "read_only", detail: "" };
	const detail = writeObstacle(path);
	return detail === undefined ? undefined : { reason: "unwritable", detail };
}

export function isRepairable(obstacle: { reason: string }): obstacle is { reason: "damaged" | "titled" } {
	return obstacle.reason === "damaged" || obstacle.reason === "titled";
}

const TEXTS: Readonly<Record<Obstacle["reason"], string>> = {
	missing: "This session's file no longer exists.",
	symlink: "This session's file is a symlink, which pi never creates for a session.",
	not_regular: "This session's file is not a regular file.",
	no_permission: "You do not have permission to read this session's file.",
	too_large: "This session's file is too large to be read.",
	failed: "This session's file cannot be read.",
	empty: "This session's file is empty.",
	not_session: "This session's file is damaged, and nothing in it can be read.",
	damaged: "This session's file is damaged, so pi could lose part of it.",
	titled: "This session was written by oh-my-pi, whose files pi cannot open.",
	read_only: "This session's file is read-only, so pi can continue it only in a fork.",
	unwritable: "This session's folder is not writable, so pi would exit.",
};

export function explainObstacle({ reason, detail }: Obstacle): string {
	if (reason === "too_large" && detail !== "") return detail;
	const why = reason === "failed" || reason === "unwritable" ? ` ${fileErrorText(detail)}` : "";
	return TEXTS[reason] + why;
}

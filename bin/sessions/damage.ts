import { beginsWithTitle, checkSession, NEWLINE } from "../../session-core/log/index.ts";
import type { SessionView } from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, partOf } from "../../session-core/text/index.ts";

/** Larger files are not checked for damage, because the check reads the whole file. */
const MOST_CHECKED = 64 * 1024 * 1024;

export async function isDamaged({ path, size, format, lease }: SessionView): Promise<boolean> {
	if (!format.canOpen || lease || size > MOST_CHECKED) return false;
	const check = await checkSession(path);
	return check.ok && !check.sound && !beginsWithTitle(path);
}

/**
 * For speed, only the last byte of the file is read, so damage in the middle of the file is not
 * detected.
 */
export function isTorn({ path, size, hostReads, format }: SessionView): boolean {
	if (!format.canOpen) return false;
	const [last = NEWLINE] = partOf(path, size - 1, 1);
	return (!hostReads && !beginsWithTitle(path)) || last !== NEWLINE;
}

export function unreadableText(detail: string): string {
	const reason = clipColumns(cleanLine(detail), 200);
	return `The session cannot be read (${reason}).`;
}

import { beginsWithTitle, checkSession, NEWLINE } from "../../session-core/log/index.ts";
import type { AddFailure, SessionView } from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, partOf } from "../../session-core/text/index.ts";

/** Files above this size are not checked for damage, because the check reads the whole file. */
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

export const RECAP_PROBLEMS: Readonly<
	Record<AddFailure, [status: 404 | 409 | 422 | 423, message: string, remedy: string]>
> = {
	exists: [409, "This session's recap is already up to date.", 'Send "force": true to write a new recap.'],
	edited: [
		409,
		"This session's recap was edited by a person and is already up to date.",
		'Send "force": true to write a new recap.',
	],
	nothing: [422, "This session has no prompt yet.", "Send a prompt in the session, then try again."],
	live: [
		423,
		"This session is open in another process, and only that process can write to the session's file.",
		"Type /recap-card in the process that has the session open, or close the session and try again.",
	],
	not_ours: [
		422,
		"This session belongs to another agent, so pi-sessions cannot save a recap in the session's file.",
		"Use /resume-from in pi to continue the session, then save a recap in the new session.",
	],
	damaged: [
		422,
		"This session's file is damaged, so nothing was written.",
		"Run pi-sessions resume <id> --repair to open a repaired copy.",
	],
	old_format: [
		422,
		"This session's file is in an older format, so nothing was written.",
		"Open the session in pi to convert the file, then try again.",
	],
	moved_on: [409, "The session changed while its recap was being generated.", "Try again."],
	unreadable: [
		404,
		"This session's file cannot be read.",
		"Check that the file still exists and that you have permission to read it.",
	],
	unwritable: [
		422,
		"pi-sessions cannot write to this session's file.",
		"Check the file's permissions and the free space on the disk.",
	],
};

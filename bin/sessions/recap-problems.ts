import type { AddFailure } from "../../session-core/sessions/index.ts";

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

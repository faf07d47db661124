import type { AddFailure } from "../../session-core/sessions/index.ts";

/** Why a recap was not written, and what the user can do about it, for the shell command and the HTTP server. */
export const RECAP_PROBLEMS: Readonly<
	Record<AddFailure, [status: 404 | 409 | 422 | 423, message: string, remedy: string]>
> = {
	exists: [409, "The last message already has a recap.", 'Send "force": true to write another one.'],
	edited: [
		409,
		"The last message already has a recap that a person wrote.",
		'Send "force": true to write another one.',
	],
	nothing: [422, "This session has no prompt yet.", "Write a recap after the first prompt."],
	live: [
		423,
		"This session is open in another process, and only that process may write to the session's file.",
		"Type /recap-card there, or close the session and try again.",
	],
	not_ours: [
		422,
		"This session belongs to another agent, and its file is never written.",
		"Continue it in pi with /resume-from; the new session can have a recap.",
	],
	damaged: [
		422,
		"This session's file is damaged, so nothing was written.",
		"Run pi-sessions resume <id> --repair to open a repaired copy.",
	],
	old_format: [
		422,
		"The file of this session has an older format, so nothing was written.",
		"Open the session in pi once, which converts the file, and try again.",
	],
	moved_on: [409, "The session changed while its recap was being generated.", "Try again."],
	unreadable: [
		404,
		"The file of this session cannot be read.",
		"Check that it still exists and that you have permission to read it.",
	],
	unwritable: [
		422,
		"pi-sessions cannot write to this session's file.",
		"Check its permissions and the free space on the disk.",
	],
};

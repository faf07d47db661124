import { describeFailure, type Failure } from "../../session-core/model/failure.ts";
import { fileErrorText } from "../../session-core/session-file/append.ts";
import type { NameRefusal } from "../../session-core/session-file/name-precedence.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { Words } from "../../session-core/words/en.ts";
import type { TitleFailure } from "../ask.ts";

export type RenameFailure = TitleFailure | NameRefusal | "empty_history" | "empty_name" | "nothing_to_undo";

/** Returns the status in the footer during a request to a model. */
export function asking(model: string, { answer }: Words): string {
	return `rename: ${answer.asking(model)}`;
}

/** Returns why a typed `/rename` changed nothing, and what the user can do. */
export function explainFailure(
	reason: RenameFailure,
	model: string,
	failure: Omit<Failure, "reason"> = {},
): string {
	switch (reason) {
		case "no_model":
			return 'rename: no model is available. Choose one with /model, --title-model provider/id or "fastModel" in session-suite.json, or type /rename <name>.';
		case "empty_history":
			return "rename: this session has no topic yet. Try again after giving the agent a task, or type /rename <name>.";
		case "empty_result":
			return `rename: ${model} gave no usable title, so the name is unchanged. Try again, choose another model with --title-model, or type /rename <name>.`;
		case "named_meanwhile":
			return "rename: the session was named in the meantime, and that name was kept. Type /rename --auto to replace it.";
		case "moved_on":
			return "rename: another process is continuing this session. Name it there, or type /rename <name> here.";
		case "unreadable":
			return "rename: the session's file cannot be read, so the name is unchanged. Check its permissions and that it is not a symlink.";
		case "not_written":
			return `rename: the session's file could not be written${failure.detail ? ` (${fileErrorText(failure.detail)})` : ""}. Check the disk space and the file's permissions, then try again.`;
		case "empty_name":
			return "rename: that name has no visible characters. Type /rename <name>.";
		case "nothing_to_undo":
			return "rename: this session has no previous name. Type /rename <name> to name it.";
		case "asked":
			return "rename: a model has already been called at this point in the session, so the name is unchanged. Type /rename --auto to call it again.";
		default:
			return `rename: ${describeFailure({ ...failure, reason }, model || "The model")} The name is unchanged.`;
	}
}

export function explainUnknownFlag(text: string): string {
	const shown = clipColumns(cleanLine(text), 60);
	const [flag] = shown.split(" ");
	return `rename: unknown option "${flag}". To use it as the name, type /rename -- ${shown}. /rename --help lists the options.`;
}

export function explainFlagWithName(flag: string): string {
	return `rename: ${flag} takes no name. For a name that begins with it, type /rename -- ${flag} …`;
}

export const CANCELLED = "rename: the request was canceled; the name is unchanged.";
export const MISSING_NAME = "rename: type a name after --, for example /rename -- --force";
export const NO_NAME_AGAIN =
	"rename: the name was removed, and the session will not be named automatically again. Type /rename <name> to name it.";

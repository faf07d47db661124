import { describeFailure, type Failure } from "../../session-core/model/failure.ts";
import type { NameRefusal } from "../../session-core/session-file/name-session.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { TitleFailure } from "../ask.ts";

/** The sentences with which a typed command answers: what is the case, and what to do about it. */

export type RenameFailure = TitleFailure | NameRefusal | "empty_history" | "empty_name" | "nothing_to_undo";

/** Footer status while a typed command waits. */
export function asking(model: string, { answer }: Words): string {
	return `title: ${answer.asking(model)}`;
}

/** Why a typed `/rename` did not do what it was asked for; `failure` is what a provider said of it. */
export function explainFailure(
	reason: RenameFailure,
	model: string,
	failure: Omit<Failure, "reason"> = {},
): string {
	switch (reason) {
		case "no_model":
			return 'title: no model can be asked. Choose one with /model, --title-model provider/id or "fastModel" in session-suite.json, or type /rename <name>.';
		case "empty_history":
			return "title: there is nothing to name this session after yet. Ask again once it has a task, or type /rename <name>.";
		case "empty_result":
			return `title: the answer of ${model} was no usable title, so the name stays. Ask again, choose another model with --title-model, or type /rename <name>.`;
		case "named_meanwhile":
			return "title: the session was named meanwhile, and that name stays. /rename --auto replaces it.";
		case "moved_on":
			return "title: the session goes on in another process. Name it there, or type /rename <name> here.";
		case "unreadable":
			return "title: the session's file cannot be read, so nothing was changed. Check its permissions, or that it is no link.";
		case "not_written":
			return "title: the session's file could not be written. Check the disk's space and the file's permissions, then try again.";
		case "empty_name":
			return "title: that name has no visible characters. Type /rename <name>.";
		case "nothing_to_undo":
			return "title: this session has had no other name. /rename <name> gives it one.";
		case "asked":
			return "title: this state has had its call, so the name stays. /rename --auto asks again.";
		default:
			return `title: ${describeFailure({ ...failure, reason }, model || "The model")} The name stays.`;
	}
}

export function explainUnknownFlag(text: string): string {
	const shown = clipColumns(cleanLine(text), 60);
	const [flag] = shown.split(" ");
	return `title: unknown flag "${flag}". If that is the name, type /rename -- ${shown}; /rename --help lists what there is.`;
}

export function explainFlagWithName(flag: string): string {
	return `title: ${flag} takes no name. For a name that begins so, type /rename -- ${flag} …`;
}

export const CANCELLED = "title: the request is cancelled; the name stays.";
export const MISSING_NAME =
	"title: a name belongs behind --. For example: /rename -- --verbose flag is ignored";
export const NO_NAME_AGAIN =
	"title: the name is gone, and the session will not name itself again. /rename <name> gives it one.";

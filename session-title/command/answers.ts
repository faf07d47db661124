import { describeFailure, type Failure } from "../../session-core/model/failure.ts";
import { fileErrorText } from "../../session-core/session-file/append.ts";
import type { NameRefusal } from "../../session-core/session-file/name-precedence.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { FailedTitle, TitleFailure } from "../ask.ts";
import type { Flaw } from "../model-answer/check-title.ts";

export type RenameFailure = TitleFailure | NameRefusal | "empty_history" | "empty_name" | "nothing_to_undo";

/** Returns the status in the footer during a request to a model. */
export function asking(model: string): string {
	return `rename: asking ${model} …`;
}

/** Returns why a typed `/rename` changed nothing, and what the user can do. */
export function explainFailure(
	reason: RenameFailure,
	model: string,
	{ flaw, ...failure }: Omit<Failure, "reason"> & { flaw?: Flaw } = {},
): string {
	switch (reason) {
		case "no_model":
			return 'rename: no model is available. Choose one with /model, --title-model provider/id or "fastModel" in session-suite.json, or type /rename <name>.';
		case "empty_history":
			return "rename: this session has no topic yet. Try again after giving the agent a task, or type /rename <name>.";
		case "empty_result":
			return `rename: ${model} gave no usable title (${FLAWS[flaw ?? "none"]}), so the name is unchanged. Try again, choose another model with --title-model, or type /rename <name>.`;
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

/** What is wrong with an answer. `none`: it contains no title. */
const FLAWS: Readonly<Record<Flaw | "none", string>> = {
	none: "the answer contained none",
	blank: "the answer was empty",
	secret: "the answer contained a secret",
	too_long: "the answer was too long",
	prose: "the answer was a text",
	copy: "the answer was a copy of your prompt",
	echo: "the answer was an example or a placeholder",
	refusal: "the model refused",
	thought: "the answer was a thought",
	made_up: "the answer named something that is not in the session",
	wrong_language: "the answer was in another language",
};

/** Returns why a request gave no title, without a remedy. */
export function describeFailed({ reason, flaw, model, status, detail }: FailedTitle): string {
	const name = model || "the model";
	if (reason === "empty_result") return `${name} gave no usable title: ${FLAWS[flaw ?? "none"]}`;
	if (reason === "no_model") return "no model was available";
	return describeFailure({ reason, status, detail }, name);
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

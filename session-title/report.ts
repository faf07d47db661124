import type { NameRefusal, TitleData, TitleSource } from "../session-core/log/index.ts";
import {
	type Candidate,
	type DoctorSection,
	describeFailure,
	formatSpec,
	type OffReason,
	offText,
	type Painted,
} from "../session-core/pi/index.ts";
import { NO_TITLE } from "../session-core/recap/index.ts";
import type { FailedTitle } from "./ask.ts";
import { type GuardReason, MAX_ATTEMPTS, WHY_UNNAMED } from "./guard.ts";

export type RenameFailure =
	| FailedTitle
	| {
			reason: NameRefusal | "empty_history" | "empty_name" | "nothing_to_undo" | "no_model";
			detail?: string;
	  };

export function renameFailureText(failure: RenameFailure): string {
	const { model, flaw } = { model: "", flaw: undefined, ...failure };
	switch (failure.reason) {
		case "no_model":
			return 'rename: no model is available. Choose one with /model, --title-model provider/id or "fastModel" in session-suite.json, or type /rename <name>.';
		case "empty_history":
		case "no_topic":
			return "rename: this session has no topic yet. Try again after giving the agent a task, or type /rename <name>.";
		case "empty_result":
			return `rename: ${model} gave no usable title (${flaw ?? NO_TITLE}), so the name is unchanged. Try again, choose another model with --title-model, or type /rename <name>.`;
		case "named_meanwhile":
			return "rename: the session was named in the meantime, and that name was kept. Type /rename --auto to replace it.";
		case "unreadable":
			return "rename: the session's file cannot be read, so the name is unchanged. Check its permissions and that it is not a symlink.";
		case "not_written": {
			const why = failure.detail ? ` (${failure.detail})` : "";
			return `rename: the session's file could not be written${why}. Check the disk space and the file's permissions, then try again.`;
		}
		case "empty_name":
			return "rename: that name has no visible characters. Type /rename <name>.";
		case "nothing_to_undo":
			return "rename: this session has no previous name. Type /rename <name> to name it.";
		default:
			return `rename: ${describeFailure({ ...failure, reason: failure.reason }, model || "The model")} The name is unchanged.`;
	}
}

function describeFailed({ reason, flaw, model, ...failure }: FailedTitle): string {
	const name = model || "the model";
	if (reason === "empty_result") return `${name} gave no usable title: ${flaw ?? NO_TITLE}`;
	if (reason === "no_model") return "no model was available";
	if (reason === "no_topic") return `${name} found no topic in the session yet`;
	return describeFailure({ ...failure, reason }, name);
}

/** Users share the output of `/recap doctor`, so the session's name must not appear in the output. */
export interface TitleFacts {
	name: { source: TitleSource; model: string | undefined } | undefined;
	whyNot: GuardReason | undefined;
	attempts: number;
	failed: FailedTitle | undefined;
	off: OffReason | undefined;
	candidates: readonly Candidate[];
}

export function whyNamed(facts: TitleFacts): string {
	const { name, whyNot, off } = facts;
	if (name?.source === "manual") return "you chose this name; type /rename --auto to ask a model for one";
	if (name) return "a model chose this name; type /rename --auto to ask for a new one";
	const last = facts.failed ? `. Last request: ${describeFailed(facts.failed)}` : "";
	if (whyNot === undefined)
		return `no name yet: a title will be requested when the agent has finished${last}`;
	if (whyNot === "off") return `no name: automatic titles are ${offText(off ?? "setting", "title")}${last}`;
	return `no name: ${WHY_UNNAMED[whyNot]}${last}`;
}

export function titleSection(facts: TitleFacts): DoctorSection {
	const models = facts.candidates.map(({ model, source }) => `${formatSpec(model)} (${source})`);
	// The provider's error message may quote the session, so the message is not shown in `/recap doctor`.
	const failed = facts.failed && { ...facts.failed, detail: undefined, tried: undefined };
	return {
		title: "title",
		rows: [
			["automatic", facts.off === undefined ? "on" : offText(facts.off, "title")],
			["name", whyNamed({ ...facts, failed })],
			["model", models.join(", then ") || "no model may be called automatically"],
			["attempts", `${facts.attempts} of ${MAX_ATTEMPTS} in this session`],
		],
	};
}

const TITLE_GLYPH = "✎";

/** Without `paint`, the result is plain text, which RPC clients can also show. */
export function titleLines({ title, source }: Pick<TitleData, "title" | "source">): Painted {
	const line = `${TITLE_GLYPH} ${title}${source === "auto" ? "  ·  type /rename <name> to change it" : ""}`;
	return (paint) => {
		if (!paint) return [line];
		return source === "auto" ? [paint.dim(line)] : [`${paint.accent(TITLE_GLYPH)} ${title}`];
	};
}

import type { NoAnswer, NoAnswerReason } from "../../session-core/model/ask.ts";

export type DraftFailure = NoAnswerReason | "unusable";

/** Why a model gave no answer, which model was asked (`provider/model`; may be empty), and the provider's message. */
export interface FailedDraft extends Omit<NoAnswer, "ok" | "reason"> {
	reason: DraftFailure;
}

/** The recap of one state of the conversation: first the offline text, then a model's answer. */
export interface Draft {
	stamp: string;
	/** The offline text. It is shown immediately, and kept if no model answers. */
	lines: readonly string[];
	/** The line that is shown below a model's answer. It says what the latest work created or changed. */
	artifacts: string;
	/** A model's answer, which replaces the offline text. */
	answer: { text: string; model: string } | undefined;
	status: "offline" | "drafting" | "answered" | "failed";
	failure: FailedDraft | undefined;
}

/** Returns what is currently shown for a draft. */
export function viewOf(draft: Draft): { lines: readonly string[]; offline: boolean } {
	return draft.answer
		? { lines: [draft.answer.text, draft.artifacts].filter((line) => line !== ""), offline: false }
		: { lines: draft.lines, offline: true };
}

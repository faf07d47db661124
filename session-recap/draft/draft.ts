import type { SideCallFailure } from "../../session-core/model/failure.ts";

export type DraftFailure = SideCallFailure | "no_model" | "daily_limit" | "unusable";

/** The recap of one state of the conversation, from the offline text to a model's answer. */
export interface Draft {
	stamp: string;
	/** The offline text: there at once, and what stays if no model answers. */
	lines: readonly string[];
	/** What the last work made or changed, in one line; stands below a model's answer. */
	artifacts: string;
	/** A model's answer; replaces the offline text in place. */
	answer: { text: string; model: string } | undefined;
	status: "offline" | "drafting" | "answered" | "failed";
	failure: { reason: DraftFailure; model: string } | undefined;
}

/** What is on screen for a draft right now. */
export function viewOf(draft: Draft): { lines: readonly string[]; offline: boolean } {
	return draft.answer
		? { lines: [draft.answer.text, draft.artifacts].filter((line) => line !== ""), offline: false }
		: { lines: draft.lines, offline: true };
}

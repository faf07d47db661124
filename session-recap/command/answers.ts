import { describeFailure } from "../../session-core/model/failure.ts";
import type { OffReason } from "../../session-core/settings/flags.ts";
import { OFF_VARIABLE } from "../config.ts";
import type { DraftFailure, FailedDraft } from "../draft/draft.ts";

/** Replies to typed commands: what happened, and what the user can do. */

export const CANCELLED = "recap: the request was canceled. Type /recap to try again.";

/** The most frequent answers. */
export const ANSWERS = {
	working: "recap: the agent is still working; try again when it is done.",
	tooLittle: "recap: nothing to recap yet.",
	drafting: "recap: asking the model …",
	nothingShown: "recap: nothing to clear.",
};

/**
 * Returns why a typed `/recap` produced no new result. `hasAnswer`: whether a model's recap is already shown; if so, that recap remains
 * unchanged.
 */
export function explainFailure(failure: FailedDraft, { hasAnswer }: { hasAnswer: boolean }): string {
	const { reason, model } = failure;
	const stays = hasAnswer ? "the recap is unchanged" : "the recap was generated without a model";
	switch (reason) {
		case "no_model":
			return `recap: no model is available, so ${stays}. Choose one with /model or --recap-model.`;
		case "daily_limit":
			return `recap: today's limit for automatic calls has been reached; ${stays}. /recap --force calls the model anyway.`;
		case "asked":
			return `recap: the model was already called for this state; ${stays}. /recap --force calls it again.`;
		case "unusable":
			return `recap: the answer of ${model} could not be used; ${stays}. /recap --force calls the model again.`;
		default:
			return `recap: ${describeFailure({ ...failure, reason }, model || "The model")} ${hasAnswer ? "The recap" : "The recap without a model"} is unchanged.`;
	}
}

/** Whether the budget refused the call. Only automatic calls are refused, never typed commands. */
export function isRefusal(reason: DraftFailure): boolean {
	return reason === "asked" || reason === "daily_limit" || reason === "uncounted";
}

/** Returns why automatic recaps are off, and how to turn them on. */
export function explainOff(reason: OffReason): string {
	switch (reason) {
		case "flag":
			return "off for this run (--recap-disable)";
		case "environment":
			return `off (${OFF_VARIABLE}=1)`;
		case "setting":
			return "off; type /recap on to turn them on";
		case "project":
			return "off in this project (.pi/session-suite.json)";
		case "unreadable":
			return "off until all settings files can be read; type /recap doctor to see which one cannot";
	}
}

import { describeFailure } from "../../session-core/model/failure.ts";
import type { OffReason } from "../../session-core/settings/flags.ts";
import type { Words } from "../../session-core/words/words.ts";
import { OFF_VARIABLE } from "../config.ts";
import type { DraftFailure, FailedDraft } from "../draft/draft.ts";

/** The sentences with which a typed command answers: what is the case, and what to do about it. */

export const CANCELLED = "recap: the request is cancelled. /recap asks again.";

/** The answers of every day. */
export function dailyAnswers({ answer }: Words) {
	return {
		working: `recap: ${answer.stillWorking}`,
		tooLittle: `recap: ${answer.tooLittle}`,
		drafting: `recap: ${answer.askingModel}`,
		nothingShown: `recap: ${answer.nothingShown}`,
	} as const;
}

/** Why a typed `/recap` brought nothing new. `hasAnswer`: a model's words are on screen, and stay there. */
export function explainFailure(failure: FailedDraft, { hasAnswer }: { hasAnswer: boolean }): string {
	const { reason, model } = failure;
	const stays = hasAnswer ? "the recap stays as it was" : "this is the offline recap";
	switch (reason) {
		case "no_model":
			return `recap: no model is available, so ${stays}. Choose one with /model or --recap-model.`;
		case "daily_limit":
			return `recap: today's limit for automatic calls is reached; ${stays}. /recap --force asks anyway.`;
		case "asked":
			return `recap: this state has had its call; ${stays}. /recap --force asks anyway.`;
		case "unusable":
			return `recap: the answer of ${model} could not be used; ${stays}. /recap --force asks again.`;
		default:
			return `recap: ${describeFailure({ ...failure, reason }, model || "The model")} ${hasAnswer ? "The" : "The offline"} recap stays.`;
	}
}

/** Nobody was asked, because nobody had typed it: what is typed is not refused so. */
export function isRefusal(reason: DraftFailure): boolean {
	return reason === "asked" || reason === "daily_limit" || reason === "uncounted";
}

/** Why recaps do not come by themselves, and how to change that. */
export function explainOff(reason: OffReason): string {
	switch (reason) {
		case "flag":
			return "off for this run (--recap-disable)";
		case "environment":
			return `off (${OFF_VARIABLE}=1)`;
		case "setting":
			return "off (/recap on switches them on)";
		case "project":
			return "off in this project (by its .pi/session-suite.json)";
		case "unreadable":
			return "off until every settings file can be read (/recap doctor names the broken one)";
	}
}

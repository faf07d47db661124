import { describeFailure } from "../../session-core/model/failure.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { fileErrorText } from "../../session-core/session-file/append.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { AskOutcome } from "../record/ask.ts";
import type { Refused } from "../record/keeper.ts";

/** The sentences with which a typed command answers: what is the case, and what to do about it. */

/** The answers of every day. */
export function dailyAnswers({ answer }: Words) {
	return {
		working: `resume: ${answer.stillWorking}`,
		tooLittle: `resume: ${answer.tooLittle}`,
		asking: `recap-card: ${answer.askingModel}`,
		written: `recap-card: ${answer.recordWritten}`,
		noCard: `recap-card: ${answer.noCardShown}`,
	} as const;
}

export const NOT_EDITED = "recap-card: nothing changed.";
export const NO_HEADLINE = "recap-card: not stored, it has no headline.";

/** Heads the editor that opens again with what could not be stored. */
export function notStored(obstacle: string): string {
	return `${obstacle} What you typed is below: Esc gives it up.`;
}

/** Why no record was written. */
export function explainRefusal({ reason, existing, detail }: Refused, words: Words): string {
	switch (reason) {
		case "edited":
			return "recap-card: you edited this record, so it stays. /recap-card --force writes a new one.";
		case "exists":
			return `recap-card: this is recorded already${writer(existing)}. /recap-card --force writes it again.`;
		case "moved_on":
			return "recap-card: not written, because another pi went on with this session. Open it again to see what it did.";
		case "aside":
			return "recap-card: not written, because you stand at an earlier point of this session. /recap-card writes it there.";
		case "stale":
			return "recap-card: not written, because the session went on meanwhile. /recap-card asks again.";
		case "not_saved":
			return "recap-card: not written, because pi has not saved this session yet.";
		case "unreadable":
			return "recap-card: not written, because the session's file is damaged.";
		case "unwritable":
			return `recap-card: not written, nothing else is lost: ${fileErrorText(detail)}`;
		case "nothing":
		case "off":
		case "short":
		case "inherited":
			return dailyAnswers(words).tooLittle;
	}
}

function writer(recap: SessionRecord | undefined): string {
	const generator = recap?.generator;
	return generator?.type === "llm" ? `, by ${cleanLine(`${generator.provider}/${generator.model}`)}` : "";
}

type FailedAsking = Extract<AskOutcome, { ok: false }>;

interface Fallback {
	/** A record stood there before. */
	hasRecord: boolean;
}

function instead({ hasRecord }: Fallback): string {
	return hasRecord ? "The record stays as it was." : "The record is the offline one.";
}

/** Escape while a model was asked. */
export function explainCancelled(fallback: Fallback): string {
	return `recap-card: the request is cancelled. ${instead(fallback)}`;
}

/** Why a record was not written by a model. */
export function explainAsking(failure: FailedAsking, fallback: Fallback): string {
	const { reason, model } = failure;
	const rest = instead(fallback);
	switch (reason) {
		case "no_model":
			return `recap-card: no model is available. ${rest} Choose one with /model.`;
		case "unusable":
			return `recap-card: the answer of ${model} could not be used. ${rest} /recap-card --llm asks again.`;
		case "asked":
			return `recap-card: this state has had its call. ${rest} /recap-card --llm asks again.`;
		default:
			return `recap-card: ${describeFailure({ ...failure, reason }, model || "The model")} ${rest}`;
	}
}

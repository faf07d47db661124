import { describeFailure } from "../../session-core/model/index.ts";
import type { SessionRecord } from "../../session-core/recap/index.ts";
import { fileErrorText } from "../../session-core/session-file/index.ts";
import { cleanLine } from "../../session-core/text/index.ts";
import type { AskOutcome } from "../record/ask.ts";
import type { NotKept } from "../record/keeper.ts";

/** The answers to typed commands: what happened, and what to type next. */

export function workingText(command: string): string {
	return `${command}: the agent is still working; try again when it is done.`;
}

export function tooLittleText(command: string): string {
	return `${command}: nothing to recap yet.`;
}

/** Why no record was written. */
export function explainRefusal({ reason, existing, detail }: NotKept): string {
	switch (reason) {
		case "edited":
			return "recap-card: you edited this recap, so it was kept. Type /recap-card --force to replace it.";
		case "exists":
			return `recap-card: this state already has a recap${writer(existing)}. /recap-card --force replaces it.`;
		case "moved_on":
			return "recap-card: not saved, because another pi has continued this session. Open it again to see the new messages.";
		case "earlier_point":
			return "recap-card: not saved, because you are at an earlier point in this session. Type /recap-card to save a recap at this point.";
		case "stale":
			return "recap-card: not saved, because there are new messages. Type /recap-card again.";
		case "not_saved":
			return "recap-card: not saved, because pi has not saved this session yet.";
		case "unreadable":
			return "recap-card: not saved, because the session's file is damaged.";
		case "unwritable":
			return `recap-card: not saved: ${fileErrorText(detail)}`;
		case "nothing":
		case "off":
		case "short":
		case "inherited":
			return tooLittleText("recap-card");
	}
}

function writer(recap: SessionRecord | undefined): string {
	const generator = recap?.generator;
	return generator?.type === "llm" ? `, by ${cleanLine(`${generator.provider}/${generator.model}`)}` : "";
}

/** Returns a message that explains why a model did not write the record, and which record is used instead. */
export function explainAskFailure(
	failure: Extract<AskOutcome, { ok: false }> | "cancelled",
	{ hasRecord }: { hasRecord: boolean },
): string {
	const rest = hasRecord ? "The existing recap was kept." : "The recap was generated without a model.";
	if (failure === "cancelled") return `recap-card: the request was canceled. ${rest}`;
	const { reason, model } = failure;
	switch (reason) {
		case "no_model":
			return `recap-card: no model is available. ${rest} Choose one with /model.`;
		case "unusable":
			return `recap-card: the answer of ${model} could not be used. ${rest} /recap-card --llm calls it again.`;
		case "asked":
			return `recap-card: the model was already called for this state. ${rest} /recap-card --llm calls it again.`;
		default:
			return `recap-card: ${describeFailure({ ...failure, reason }, model || "The model")} ${rest}`;
	}
}

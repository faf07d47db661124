import { randomUUID } from "node:crypto";
import { type Candidate, formatSpec } from "./choose-model.ts";
import { type CallFailure, mayTryNext, type Refusal } from "./failure.ts";
import type { Budget, Trigger } from "./reserve-cost.ts";
import {
	leastEffort,
	SIDE_CALL_DEADLINE_MS,
	type SideCallRequest,
	type SideCallResult,
} from "./side-call.ts";

/** A request to a model about one state of the conversation. */
export interface ModelQuestion {
	/** The id of the last message. */
	state: string | undefined;
	by: Trigger;
	/** Models to try in this order. */
	candidates: readonly Candidate[];
	request: Pick<SideCallRequest, "systemPrompt" | "prompt" | "tool" | "maxTokens">;
	signal: AbortSignal;
}

/** Why there is no answer. */
export type NoAnswerReason = CallFailure | Refusal | "no_model" | "internal_error";

export interface NoAnswer {
	ok: false;
	reason: NoAnswerReason;
	/** The model as `provider/model`; empty if none was called. */
	model: string;
	/** HTTP status, if there was one. */
	status?: number | undefined;
	/** The provider's message; see `Failure`. */
	detail?: string | undefined;
}

export type ModelAnswer = Pick<Extract<SideCallResult, { ok: true }>, "ok" | "text" | "toolArguments"> & {
	model: string;
};

export interface AskPorts {
	call(request: Omit<SideCallRequest, "sessionId">): Promise<SideCallResult>;
	budget: Pick<Budget, "reserve">;
	/** Returns the time of a monotonic clock, in milliseconds. Default: `performance.now`. */
	now?(): number;
}

/**
 * Calls a model if the budget allows it. The next candidate is tried only if the previous one has no credentials or does not support the
 * request. All candidates share one deadline, which limits how long the user waits.
 */
export async function askModel(
	{ state, by, candidates, request, signal }: ModelQuestion,
	{ call, budget, now = () => performance.now() }: AskPorts,
): Promise<ModelAnswer | NoAnswer> {
	const question = randomUUID();
	const end = now() + SIDE_CALL_DEADLINE_MS;
	let last: NoAnswer = { ok: false, reason: "no_model", model: "" };
	for (const { model } of candidates) {
		const deadlineMs = Math.ceil(end - now());
		if (signal.aborted && last.reason === "no_model") return { ...last, reason: "aborted" };
		if (deadlineMs <= 0 || signal.aborted) break;
		const { maxTokens } = leastEffort(model, request.maxTokens);
		const characters = charactersOf(request);
		const reserved = budget.reserve({ question, state, by, model, characters, maxTokens, deadlineMs });
		if (!reserved.ok) return last.reason === "no_model" ? { ...last, reason: reserved.reason } : last;
		const result = await call({ ...request, model, by, signal, deadlineMs });
		reserved.settle(result);
		const name = formatSpec(model);
		if (result.ok) {
			const { text, toolArguments } = result;
			return { ok: true, text, model: name, ...(toolArguments && { toolArguments }) };
		}
		const { reason, status, detail } = result;
		last = { ok: false, reason, model: name, status, detail };
		if (!mayTryNext(reason)) break;
	}
	return last;
}

function charactersOf({ systemPrompt, prompt, tool }: ModelQuestion["request"]): number {
	return systemPrompt.length + prompt.length + (tool ? JSON.stringify(tool).length : 0);
}

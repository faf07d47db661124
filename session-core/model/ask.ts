import type { Api, Model } from "@mariozechner/pi-ai";
import { type Failure, mayTryNext } from "./failure.ts";
import type { Candidate } from "./policy.ts";
import {
	leastEffort,
	SIDE_CALL_DEADLINE_MS,
	type SideCallRequest,
	type SideCallResult,
} from "./side-call.ts";
import { formatSpec } from "./spec.ts";

/** A call as it is booked before it is made. */
export interface CallPlan {
	model: Model<Api>;
	/** `provider/model`. */
	name: string;
	/** Characters that are sent. */
	characters: number;
	/** Tokens of the longest answer. */
	maxTokens: number;
	deadlineMs: number;
}

/** Leave to make a call, with the duty to say what it came to; or why it must not be made. */
export type Booked =
	| { ok: true; settle(result: SideCallResult): void }
	| { ok: false; reason: "daily_limit" | "uncounted" };

export interface AskPorts {
	call(request: SideCallRequest): Promise<SideCallResult>;
	/** Called before each call. */
	book(plan: CallPlan): Booked;
	/** Milliseconds, monotonic. Default: the platform's clock. */
	now?(): number;
}

/** The call that decided, and the model (`provider/id`) that was asked. */
export interface Asked {
	model: string;
	result: Extract<SideCallResult, { ok: true }> | ({ ok: false } & Failure);
}

/**
 * Ask the candidates in order; undefined where there is none. The next one is tried only where the one before has no
 * credentials or cannot do it, and all of them share one deadline: whoever waits, waits once.
 */
export async function askInOrder(
	candidates: readonly Candidate[],
	request: Omit<SideCallRequest, "model">,
	ports: AskPorts,
): Promise<Asked | undefined> {
	const now = ports.now ?? (() => performance.now());
	const end = now() + (request.deadlineMs ?? SIDE_CALL_DEADLINE_MS);
	let last: Asked | undefined;
	for (const { model } of candidates) {
		const deadlineMs = Math.ceil(end - now());
		if (deadlineMs <= 0) break;
		const plan = planOf(model, request, deadlineMs);
		const booked = ports.book(plan);
		if (!booked.ok) return last ?? { model: plan.name, result: booked };
		const result = await ports.call({ ...request, model, deadlineMs });
		booked.settle(result);
		last = { model: plan.name, result };
		if (result.ok || !mayTryNext(result.reason) || request.signal.aborted) break;
	}
	return last;
}

function planOf(model: Model<Api>, request: Omit<SideCallRequest, "model">, deadlineMs: number): CallPlan {
	const { systemPrompt, prompt, tool, maxTokens } = request;
	const toolText = tool ? JSON.stringify(tool) : "";
	return {
		model,
		name: formatSpec(model),
		characters: systemPrompt.length + prompt.length + toolText.length,
		maxTokens: leastEffort(model, maxTokens).maxTokens,
		deadlineMs,
	};
}

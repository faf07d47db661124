import { mayTryNext } from "./failure.ts";
import type { Candidate } from "./policy.ts";
import { SIDE_CALL_DEADLINE_MS, type SideCallRequest, type SideCallResult } from "./side-call.ts";
import { formatSpec } from "./spec.ts";

export interface AskPorts {
	call(request: SideCallRequest): Promise<SideCallResult>;
	/** Called once for each call that was made. */
	spent(model: string, result: SideCallResult): void;
	/** Milliseconds, monotonic. Default: the platform's clock. */
	now?(): number;
}

/** The call that decided, and the model (`provider/id`) that was asked. */
export interface Asked {
	model: string;
	result: SideCallResult;
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
		const name = formatSpec(model);
		const result = await ports.call({ ...request, model, deadlineMs });
		ports.spent(name, result);
		last = { model: name, result };
		if (result.ok || !mayTryNext(result.reason) || request.signal.aborted) break;
	}
	return last;
}

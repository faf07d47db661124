/** Why a call gave nothing. A closed set: each reason has its own sentence for a user who typed the command. */
export type CallFailure =
	| "no_credentials"
	| "no_money"
	| "unsupported"
	| "rate_limited"
	| "server_error"
	| "network"
	| "rejected"
	| "provider_error"
	| "timeout"
	| "aborted"
	| "empty";

/**
 * Why a call was not made. `asked`: this state of the conversation has had its question. `daily_limit`: today's limit for automatic
 * calls is used up. `uncounted`: the ledger cannot be read or written, so nothing is spent automatically.
 */
export type Refusal = "asked" | "daily_limit" | "uncounted";

/** A failure with the provider's own words. */
export interface Failure {
	reason: CallFailure;
	/** HTTP status, if there was one. */
	status?: number | undefined;
	/** The provider's own words: one line, sanitised, without secrets. May be empty. */
	detail?: string | undefined;
}

/** Reasons after which another model may do better; the others would only cost the user a second wait. */
export function mayTryNext(reason: CallFailure): boolean {
	return reason === "no_credentials" || reason === "unsupported";
}

/** Reasons that pass by themselves: an automatic question is asked once more after a pause. */
export function isPassing(reason: string): boolean {
	return reason === "rate_limited" || reason === "server_error";
}

/** What happened, with the provider's own words, and what the user can do about it. */
export function describeFailure(
	failure: Omit<Failure, "reason"> & { reason: CallFailure | Refusal },
	model: string,
): string {
	const [what, remedy] = sentences(failure.reason);
	return [`${model} ${what}${providerWords(failure)}.`, remedy].filter(Boolean).join(" ");
}

/** ` (429: slow down)`: status and words, as far as they are known. */
function providerWords({ status, detail }: Omit<Failure, "reason">): string {
	const words = (detail ?? "").replace(/[\s.]+$/, "");
	const parts = [status === undefined ? "" : String(status), words].filter(Boolean);
	return parts.length === 0 ? "" : ` (${parts.join(": ")})`;
}

function sentences(reason: CallFailure | Refusal): [what: string, remedy: string] {
	switch (reason) {
		case "no_credentials":
			return ["has no working credentials", "Use /login or set the provider's key."];
		case "no_money":
			return ["is not paid for", "Add credit at the provider, or choose another model."];
		case "unsupported":
			return ["cannot be used for this", "Choose another model."];
		case "rate_limited":
			return ["is rate limited or out of quota", "Try again later."];
		case "server_error":
			return ["is overloaded or down", "Try again later."];
		case "network":
			return ["could not be reached", "Check the network or the provider's address."];
		case "rejected":
			return ["refused the request", "Choose another model."];
		case "provider_error":
			return ["failed at the provider", "Try again."];
		case "timeout":
			return ["did not answer in time", "Try again, or choose a faster model."];
		case "aborted":
			return ["was cancelled", ""];
		case "empty":
			return ["gave no usable answer", "Try again, or choose another model."];
		case "asked":
			return ["was not asked: this state has had its call", ""];
		case "daily_limit":
			return ["was not asked: today's limit for automatic calls is reached", ""];
		case "uncounted":
			return ["was not asked: calls cannot be counted", ""];
	}
}

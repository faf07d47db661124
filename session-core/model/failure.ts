/** Why a side call gave nothing. A closed set: every reason has its own sentence where a user asked. */
export type SideCallFailure =
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
	| "empty"
	/** Today's limit for automatic calls is used up. */
	| "daily_limit"
	/** The ledger cannot be read or written, so nothing is spent unasked. */
	| "uncounted";

/** A failure with what the provider itself said of it. */
export interface Failure {
	reason: SideCallFailure;
	/** HTTP status, where there was one. */
	status?: number | undefined;
	/** The provider's own words: one line, sanitised, without secrets. May be empty. */
	detail?: string | undefined;
}

/** Reasons after which another model may do better; the others would only cost the user a second wait. */
export function mayTryNext(reason: SideCallFailure): boolean {
	return reason === "no_credentials" || reason === "unsupported";
}

/** Reasons that pass by themselves: asked once more after a pause, also unasked. */
export function isPassing(reason: string): boolean {
	return reason === "rate_limited" || reason === "server_error";
}

/** What happened, in the provider's words too, and what the user can do about it. */
export function describeFailure(failure: Failure, model: string): string {
	const [what, remedy] = sentences(failure.reason);
	return [`${model} ${what}${said(failure)}.`, remedy].filter(Boolean).join(" ");
}

/** ` (429: slow down)`: status and words, as far as they are known. */
function said({ status, detail }: Failure): string {
	const words = (detail ?? "").replace(/[\s.]+$/, "");
	const parts = [status === undefined ? "" : String(status), words].filter(Boolean);
	return parts.length === 0 ? "" : ` (${parts.join(": ")})`;
}

function sentences(reason: SideCallFailure): [what: string, remedy: string] {
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
			return ["was not waited for: the request was cancelled", ""];
		case "empty":
			return ["gave no usable answer", "Try again, or choose another model."];
		case "daily_limit":
			return ["was not asked: today's limit for automatic calls is reached", ""];
		case "uncounted":
			return ["was not asked: calls cannot be counted", ""];
	}
}

import { clipColumns } from "../text/clip.ts";
import { redact } from "../text/redact.ts";
import { cleanLine } from "../text/sanitize.ts";

/** Why a call failed. Each reason has its own message for users who typed the command. */
export type CallFailure =
	| "no_credentials"
	| "no_money"
	| "unsupported"
	| "no_tools"
	| "rate_limited"
	| "server_error"
	| "network"
	| "rejected"
	| "provider_error"
	| "timeout"
	| "aborted"
	| "empty"
	| "cut_off";

/**
 * Why a call was not made. `asked`: the automatic request for this state has already been made. `daily_limit`: today's limit for
 * automatic calls is reached. `uncounted`: the ledger cannot be read or written.
 */
export type Refusal = "asked" | "daily_limit" | "uncounted";

/** A failure with the provider's message. */
export interface Failure {
	reason: CallFailure;
	/** HTTP status, if there was one. */
	status?: number | undefined;
	/** The provider's message as one sanitized and redacted line; may be empty. */
	detail?: string | undefined;
}

/** Maximum length of a message that is shown or logged, in terminal columns. */
const DETAIL_COLUMNS = 200;

/** Returns the message of a provider's error or of an exception as one sanitized and redacted line. */
export function detailOf(message: string): string {
	return clipColumns(cleanLine(redact(message)), DETAIL_COLUMNS);
}

/**
 * Returns the outcome of a request that threw an exception. Such an exception is a bug in the suite, so the message must not blame the
 * provider.
 */
export function internalError(error: unknown) {
	return { ok: false, reason: "internal_error", model: "", detail: detailOf(String(error)) } as const;
}

/** Whether another model might succeed after this failure. After any other failure, a second call would only make the user wait longer. */
export function mayTryNext(reason: CallFailure): boolean {
	return reason === "no_credentials" || reason === "unsupported" || reason === "no_tools";
}

/** Returns a text that describes the failure, quotes the provider's message, and says what the user can do about it. */
export function describeFailure(
	failure: Omit<Failure, "reason"> & { reason: CallFailure | Refusal | "internal_error" },
	model: string,
): string {
	if (failure.reason === "internal_error")
		return `A bug in pi-session-suite stopped the request${providerWords(failure)}. Please report it.`;
	const [what, remedy] = sentences(failure.reason);
	return [`${model} ${what}${providerWords(failure)}.`, remedy].filter(Boolean).join(" ");
}

/** Returns the known status and message in parentheses, such as ` (429: slow down)`; empty if neither is known. */
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
			return ["has no credit left", "Add credit at the provider, or choose another model."];
		case "unsupported":
			return ["cannot be used for this", "Choose another model."];
		case "no_tools":
			return ["does not support tools", "Choose another model."];
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
		case "cut_off":
			return [
				"used up its output before it answered, probably by thinking",
				'Set "fastModel" in session-suite.json to a model that does not think, or declare this one with "reasoning": true in models.json.',
			];
		case "asked":
			return ["was not called: this state has already had its automatic request", ""];
		case "daily_limit":
			return ["was not called: today's limit for automatic calls has been reached", ""];
		case "uncounted":
			return ["was not called: calls cannot be counted", ""];
	}
}

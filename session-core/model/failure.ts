/** Why a side call gave nothing. A closed set: every reason has its own sentence where a user asked. */
export type SideCallFailure =
	| "no_credentials"
	| "unsupported"
	| "rate_limited"
	| "provider_error"
	| "timeout"
	| "aborted"
	| "empty";

/** Reasons after which another model may do better; the others would only cost the user a second wait. */
export function mayTryNext(reason: SideCallFailure): boolean {
	return reason === "no_credentials" || reason === "unsupported";
}

const CREDENTIALS =
	/\b(401|403)\b|api.?key|unauthori[sz]ed|forbidden|authenticat|credential|permission.denied|expired.token/i;
const UNSUPPORTED =
	/\b404\b|not.supported|unsupported|no api provider|(model|deployment)\b.*\b(not.found|not.exist|unknown)|does not exist/i;
const RATE_LIMITED =
	/\b(429|529)\b|rate.?limit|too many requests|overloaded|quota|insufficient.(funds|credit|balance)/i;

/** Classify a provider's error message. Providers share no error codes, so words are all there is. */
export function classifyFailure(message: string): SideCallFailure {
	if (RATE_LIMITED.test(message)) return "rate_limited";
	if (UNSUPPORTED.test(message)) return "unsupported";
	if (CREDENTIALS.test(message)) return "no_credentials";
	return "provider_error";
}

/** What happened, and what the user can do about it. */
export function describeFailure(reason: SideCallFailure, model: string): string {
	switch (reason) {
		case "no_credentials":
			return `${model} has no working credentials. Use /login or set the provider's key.`;
		case "unsupported":
			return `${model} cannot be used for this. Choose another model.`;
		case "rate_limited":
			return `${model} is rate limited or out of quota. Try again later.`;
		case "provider_error":
			return `${model} failed at the provider. Try again.`;
		case "timeout":
			return `${model} did not answer in time. Try again, or choose a faster model.`;
		case "aborted":
			return "The request was cancelled.";
		case "empty":
			return `${model} gave no usable answer. Try again, or choose another model.`;
	}
}

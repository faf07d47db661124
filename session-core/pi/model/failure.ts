import { cleanLine, clipColumns, errorText, isObject, jsonObjectsIn, redact } from "../../text/index.ts";

export type CallFailure =
	| "no_credentials"
	| "unsupported"
	| "effort_refused"
	| "provider_error"
	| "timeout"
	| "aborted"
	| "empty"
	| "too_long"
	| "cut_off";

/**
 * `asked` means that an automatic request has already been sent for the current state of the session.
 * `uncounted` means that the ledger cannot be read or written.
 */
export type CallRefusal = "asked" | "daily_limit" | "uncounted";

export interface Failure {
	reason: CallFailure;
	status?: number | undefined;
	detail?: string | undefined;
}

export interface FailedModel extends Failure {
	model: string;
}

export type NoAnswerReason = CallFailure | CallRefusal | "no_model" | "internal_error";

export interface NoAnswer extends Omit<FailedModel, "reason"> {
	ok: false;
	reason: NoAnswerReason;
	model: string;
	tried?: readonly FailedModel[] | undefined;
}

const DETAIL_COLUMNS = 200;

function detailOf(message: string): string {
	return clipColumns(cleanLine(redact(message)), DETAIL_COLUMNS);
}

/** Reports an exception in our own code as a bug, so that the message does not blame the provider. */
export function internalError(error: unknown): NoAnswer {
	return { ok: false, reason: "internal_error", model: "", detail: detailOf(String(error)) };
}

export function describeFailure(
	failure: Omit<NoAnswer, "ok" | "model" | "reason"> & { reason: Exclude<NoAnswerReason, "no_model"> },
	model: string,
): string {
	const { reason, tried = [] } = failure;
	if (reason === "internal_error")
		return `A bug in pi-session-suite stopped the request${providerWords(failure)}. Please report it.`;
	const [what, remedy] = FAILURE_TEXTS[reason];
	const sentence = `${model} ${what}${providerWords(failure)}.`;
	return [...tried.map(describeTried), sentence, remedy].filter(Boolean).join(" ");
}

export function describeTried(failure: FailedModel): string {
	return `${failure.model} ${FAILURE_TEXTS[failure.reason][0]}${providerWords(failure)}.`;
}

function providerWords({ status, detail = "" }: Pick<Failure, "status" | "detail">): string {
	const words = [status, detail.replace(/[\s.]+$/, "")].filter(Boolean).join(": ");
	return words && ` (${words})`;
}

const FAILURE_TEXTS: Readonly<Record<CallFailure | CallRefusal, readonly [what: string, remedy: string]>> = {
	no_credentials: ["has no working credentials", "Type /login or set the provider's API key."],
	unsupported: ["is not available or does not support this request", "Choose another model."],
	effort_refused: ["refused the reasoning level", "Choose another model."],
	provider_error: ["failed", "Try again later, or choose another model."],
	timeout: ["did not answer in time", "Try again, or choose a faster model."],
	aborted: ["did not answer, because the request was canceled", ""],
	empty: ["gave no usable answer", "Try again, or choose another model."],
	too_long: ["did not stop writing, so its answer was discarded", "Choose another model."],
	cut_off: [
		"used up its output tokens before it answered, probably by reasoning",
		'Set "fastModel" in session-suite.json to a model without reasoning, or declare this model with "reasoning": true in models.json.',
	],
	asked: [
		"was not called, because a model has already been called automatically since your last message",
		"",
	],
	daily_limit: ["was not called, because today's limit for automatic calls has been reached", ""],
	uncounted: ["was not called, because calls cannot be counted", "Type /recap doctor to see why."],
};

/**
 * The number of characters of an error message that are examined. Longer messages are usually HTML
 * pages.
 */
const MAX_TEXT = 8_000;

export function readProviderError(error: unknown): Failure {
	const text = errorText(error).slice(0, MAX_TEXT);
	const field = isObject(error) ? (error["status"] ?? error["statusCode"]) : undefined;
	const status = asStatus(field) ?? statusIn(text);
	return { reason: reasonOf(status, text), status, detail: detailOf(providerMessage(text)) };
}

/** Matches the HTTP status at the start of an error: `401 …` or `Mistral API error (401): …`. */
const STATUS_IN_TEXT =
	/^(?:Error: )?(?:HTTP )?([45]\d\d)(?=$|[\s:])|^[\w ]*\berror \(([45]\d\d)\)|\bstatus(?: code)?:? ([45]\d\d)\b/i;
const STATUS_IN_BODY = /"(?:code|status|statusCode)\\?":\s*\\?"?([45]\d\d)\b/;

function statusIn(text: string): number | undefined {
	const match = STATUS_IN_TEXT.exec(text) ?? STATUS_IN_BODY.exec(text);
	return asStatus(Number(match?.slice(1).find(Boolean)));
}

function asStatus(status: unknown): number | undefined {
	return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

const UNSUPPORTED =
	/(?<![a-z])(?:not.?supported|unsupported|no api provider|not.?found|not.exist|unknown (?:model|deployment)|does not exist|unimplemented|decommissioned)/i;
/**
 * In a 5xx error, a phrase such as "not found" counts only near the word "model" or "deployment", because
 * servers that are down often send such phrases too.
 */
const MODEL_UNSUPPORTED = new RegExp(
	`unknown (?:model|deployment)|\\b(?:model|deployment)(?![a-z])[^\\n]{0,120}?(?:${UNSUPPORTED.source})|(?:${UNSUPPORTED.source})[^\\n]{0,40}?\\bmodel(?![a-z])`,
	"i",
);
const EFFORT = /effort|thinking|reasoning/i;
const CREDENTIALS =
	/api.?key|\bunauthori[sz]ed\b|credentials?|authenticat|expired.?token|token.{0,40}expired|(?:permission|access).?denied|permission_error|not logged in|provider is not configured/i;

/** Some HTTP status codes have several causes, so the error message is checked as well. */
function reasonOf(status: number | undefined, text: string): CallFailure {
	if (status === 401 || status === 403) return "no_credentials";
	if (status === 402 || status === 408 || status === 429) return "provider_error";
	if ((status === 400 || status === 422) && EFFORT.test(text)) return "effort_refused";
	if (status === 404 || status === 405 || status === 410 || status === 501) return "unsupported";
	const words = status !== undefined && status >= 500 ? MODEL_UNSUPPORTED : UNSUPPORTED;
	if (words.test(text)) return "unsupported";
	return CREDENTIALS.test(text) ? "no_credentials" : "provider_error";
}

function providerMessage(text: string): string {
	const inBody = messageInBody(text, 0);
	if (inBody !== undefined) return inBody;
	const prose = text.replace(/^[45]\d\d\s+/, "").replace(/^status code \(no body\)$/, "");
	if (!/^\s*<(?:!doctype|html)/i.test(prose)) return prose;
	return /<title>([^<]{0,200})<\/title>/i.exec(prose)?.[1] ?? "";
}

function messageInBody(text: string, depth: number): string | undefined {
	const [body] = jsonObjectsIn(text).objects;
	const error = body && isObject(body["error"]) ? body["error"] : {};
	const message = [error["message"], body?.["message"], body?.["detail"], body?.["error"]].find(
		(part) => typeof part === "string",
	);
	// Some provider clients include the complete response body in their error messages.
	return message === undefined || depth > 2 ? message : (messageInBody(message, depth + 1) ?? message);
}

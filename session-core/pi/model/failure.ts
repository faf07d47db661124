import { errorText, isObject, jsonObjectsIn } from "../../text/files/index.ts";
import { cleanLine, clipColumns, redact } from "../../text/index.ts";

/** Why a call failed. `provider_error`: any other cause, which the provider's own message explains. */
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
 * Why a call was not made. `asked`: the automatic request for this state has already been made. `daily_limit`: today's limit for
 * automatic calls is reached. `uncounted`: the ledger cannot be read or written.
 */
export type Refusal = "asked" | "daily_limit" | "uncounted";

export interface Failure {
	reason: CallFailure;
	status?: number | undefined;
	/** The provider's message as one sanitized and redacted line; may be empty. */
	detail?: string | undefined;
}

/** A model (`provider/model`) that gave no answer, after which the next model was called. */
export interface FailedModel extends Failure {
	model: string;
}

export type NoAnswerReason = CallFailure | Refusal | "no_model" | "internal_error";

/** Why there is no answer. */
export interface NoAnswer extends Omit<FailedModel, "reason"> {
	ok: false;
	reason: NoAnswerReason;
	/** The last model that was called, as `provider/model`; empty if none was. */
	model: string;
	/** The models that were called before it. */
	tried?: readonly FailedModel[] | undefined;
}

/** Maximum length of a message that is shown or logged, in terminal columns. */
const DETAIL_COLUMNS = 200;

/** Returns the message of a provider's error or of an exception as one sanitized and redacted line. */
function detailOf(message: string): string {
	return clipColumns(cleanLine(redact(message)), DETAIL_COLUMNS);
}

/**
 * Returns the outcome of a request that threw an exception. Such an exception is a bug in the suite, so the message must not blame the
 * provider.
 */
export function internalError(error: unknown): NoAnswer {
	return { ok: false, reason: "internal_error", model: "", detail: detailOf(String(error)) };
}

/**
 * Returns a message that describes the failure, quotes the provider's error, and says what the user can do about it. The message begins
 * with the models that were tried earlier.
 */
export function describeFailure(
	failure: Omit<NoAnswer, "ok" | "model" | "reason"> & { reason: Exclude<NoAnswerReason, "no_model"> },
	model: string,
): string {
	const { reason, tried = [] } = failure;
	if (reason === "internal_error")
		return `A bug in pi-session-suite stopped the request${providerWords(failure)}. Please report it.`;
	const [what, remedy] = SENTENCES[reason];
	const sentence = `${model} ${what}${providerWords(failure)}.`;
	return [...tried.map(describeTried), sentence, remedy].filter(Boolean).join(" ");
}

/** Returns a sentence that says why a model gave no answer, without a remedy. */
export function describeTried(failure: FailedModel): string {
	return `${failure.model} ${SENTENCES[failure.reason][0]}${providerWords(failure)}.`;
}

/** Returns the known status and message in parentheses, such as ` (429: slow down)`; empty if neither is known. */
function providerWords({ status, detail = "" }: Pick<Failure, "status" | "detail">): string {
	const words = [status, detail.replace(/[\s.]+$/, "")].filter(Boolean).join(": ");
	return words && ` (${words})`;
}

const SENTENCES: Readonly<Record<CallFailure | Refusal, readonly [what: string, remedy: string]>> = {
	no_credentials: ["has no working credentials", "Use /login or set the provider's key."],
	unsupported: ["cannot be used for this", "Choose another model."],
	effort_refused: ["refused the reasoning level", "Choose another model."],
	provider_error: ["failed", "Try again later, or choose another model."],
	timeout: ["did not answer in time", "Try again, or choose a faster model."],
	aborted: ["was canceled", ""],
	empty: ["gave no usable answer", "Try again, or choose another model."],
	too_long: ["did not stop writing, so its answer was discarded", "Choose another model."],
	cut_off: [
		"used up its output tokens before it answered, probably by reasoning",
		'Set "fastModel" in session-suite.json to a model without reasoning, or declare this model with "reasoning": true in models.json.',
	],
	asked: ["was not called: this state has already had its automatic request", ""],
	daily_limit: ["was not called: today's limit for automatic calls has been reached", ""],
	uncounted: ["was not called: calls cannot be counted", ""],
};

/**
 * Maximum number of characters that are searched in an error message. A longer message is usually a whole web page, which would be slow to
 * search.
 */
const MAX_TEXT = 8_000;

/** Classifies a provider's error, and determines its status and message. */
export function readProviderError(error: unknown): Failure {
	const text = errorText(error).slice(0, MAX_TEXT);
	const field = isObject(error) ? (error["status"] ?? error["statusCode"]) : undefined;
	const status = asStatus(field) ?? statusIn(text);
	return { reason: reasonOf(status, text), status, detail: detailOf(messageOf(text)) };
}

/** Matches the status that clients write before the body: `401 …`, `Mistral API error (401): …`, `got status: 401 …`. */
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
 * A gateway that hides its provider's status behind its own 5xx still quotes the provider's words. Because many messages from a server that
 * is down contain "not found" or similar words, the words must be about a model.
 */
const MODEL_UNSUPPORTED = new RegExp(
	`unknown (?:model|deployment)|\\b(?:model|deployment)(?![a-z])[^\\n]{0,120}?(?:${UNSUPPORTED.source})|(?:${UNSUPPORTED.source})[^\\n]{0,40}?\\bmodel(?![a-z])`,
	"i",
);
/** Matches the words that providers use for the reasoning level that they refuse. */
const EFFORT = /effort|thinking|reasoning/i;
const CREDENTIALS =
	/api.?key|\bunauthori[sz]ed\b|credentials?|authenticat|expired.?token|token.{0,40}expired|(?:permission|access).?denied|permission_error|not logged in|provider is not configured/i;

/** Determines the cause from the status, unless a provider or gateway uses the same status for several causes. */
function reasonOf(status: number | undefined, text: string): CallFailure {
	if (status === 401 || status === 403) return "no_credentials";
	if (status === 402 || status === 408 || status === 429) return "provider_error";
	if ((status === 400 || status === 422) && EFFORT.test(text)) return "effort_refused";
	if (status === 404 || status === 405 || status === 410 || status === 501) return "unsupported";
	const words = status !== undefined && status >= 500 ? MODEL_UNSUPPORTED : UNSUPPORTED;
	if (words.test(text)) return "unsupported";
	return CREDENTIALS.test(text) ? "no_credentials" : "provider_error";
}

/**
 * Returns the message in the response body. If the body contains no message, returns the error's text without its status. If the error's
 * text is the HTML error page of a proxy, returns the page's title.
 */
function messageOf(text: string): string {
	const inBody = messageIn(text, 0);
	if (inBody !== undefined) return inBody;
	const prose = text.replace(/^[45]\d\d\s+/, "").replace(/^status code \(no body\)$/, "");
	if (!/^\s*<(?:!doctype|html)/i.test(prose)) return prose;
	return /<title>([^<]{0,200})<\/title>/i.exec(prose)?.[1] ?? "";
}

function messageIn(text: string, depth: number): string | undefined {
	const [body] = jsonObjectsIn(text).objects;
	const error = body && isObject(body["error"]) ? body["error"] : {};
	const message = [error["message"], body?.["message"], body?.["detail"], body?.["error"]].find(
		(part) => typeof part === "string",
	);
	// Some clients use the provider's whole response body as their own error message.
	return message === undefined || depth > 2 ? message : (messageIn(message, depth + 1) ?? message);
}

import { isObject, jsonObjectsIn } from "../json.ts";
import { errorText } from "../regular-file.ts";
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
function detailOf(message: string): string {
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

/**
 * Maximum number of characters that are searched in an error message. A longer message is usually a whole web page, which would be slow to
 * search.
 */
const MAX_TEXT = 8_000;

/** Classifies a provider's error by its status, or, if the status is ambiguous, by its codes and words. */
export function readProviderError(error: unknown): Failure {
	const { status, text } = factsOf(error);
	return {
		reason: reasonOf(status, text),
		status,
		detail: detailOf(messageOf(error)),
	};
}

interface Facts {
	/** HTTP status. */
	status: number | undefined;
	/** The messages, codes and names of the error and its causes. A message often contains the whole JSON body. */
	text: string;
}

function factsOf(error: unknown): Facts {
	const parts = [errorText(error)];
	let status: number | undefined;
	let at = error;
	for (let depth = 0; depth < 4 && isObject(at); depth++) {
		status ??= asStatus(at["status"] ?? at["statusCode"]);
		parts.push(...[at["code"], at["name"]].filter((part) => typeof part === "string"));
		at = at["cause"];
		if (at instanceof Error) parts.push(at.message);
	}
	const text = parts.join("\n").slice(0, MAX_TEXT);
	return { status: status ?? statusIn(text), text };
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

/**
 * Google's code for a rate limit. The message of this error also mentions billing, so this code must be checked before the wording about
 * billing.
 */
const GOOGLE_RATE_LIMIT = /RESOURCE_EXHAUSTED/;
const MONEY =
	/insufficient.?(?:balance|credit|fund|quota)|billing|credit balance is too low|exceeded.(?:your.)?current.quota|payment.?required|(?:used|run) (?:all|out of)\b.*\bcredits?|no (?:remaining )?credits?\b|spending limit|usage.?not.?included/i;
const BAD_KEY = /api.?key.?(?:not.valid|invalid)|invalid.?api.?key|incorrect.?api.?key/i;
const UNSUPPORTED =
	/not.?supported|unsupported|no api provider|not.?found|not.exist|unknown (?:model|deployment)|does not exist|unimplemented|decommissioned/i;

/**
 * A gateway that hides its provider's status behind its own 5xx still quotes the provider's words. Because many messages of a server that is
 * down contain "not found" or the like, these words must be about a model.
 */
const MODEL_UNSUPPORTED = new RegExp(
	`unknown (?:model|deployment)|\\b(?:model|deployment)(?![a-z])[^\\n]{0,120}?(?:${UNSUPPORTED.source})|(?:${UNSUPPORTED.source})[^\\n]{0,40}?\\bmodel(?![a-z])`,
	"i",
);
/** Words with which a provider refuses a request because it offers the model a tool. */
const TOOLS = /(?<![a-z])(?:tools?|functions?)(?![a-z])/i;
const REFUSES =
	/\bno\b|\bnot\b|n['’]t\b|unsupported|unrecogni[sz]ed|unknown|unexpected|invalid|extra|requires?\b/i;

/**
 * Patterns that are used if there is no status code, because the request was refused before it was sent, the stream broke, or the client
 * reports only a sentence. The words and codes are those of Anthropic, OpenAI, Google, AWS Bedrock, Mistral, Moonshot, DeepSeek, Groq,
 * OpenRouter, Node and undici. The first match counts, so a cause such as ETIMEDOUT precedes the less specific "fetch failed".
 */
const WORDS: readonly [CallFailure, RegExp][] = [
	["timeout", /timed? ?out\b|ETIMEDOUT|_TIMEOUT\b|deadline.?exceeded|Timeout(?:Error|Exception)\b/i],
	[
		"network",
		/^connection error|fetch failed|socket hang up|other side closed|^terminated$|network.?error|getaddrinfo|\bE(?:CONN|NET|HOST|AI_|NOTFOUND|PIPE|PROTO)|UND_ERR_SOCKET|\bCERT_|SELF_SIGNED|UNABLE_TO_/im,
	],
	[
		"server_error",
		/overloaded|server.?error|(?:service.?)?unavailable|bad gateway|\bapi_error\b|"INTERNAL"|model.?(?:stream.?error|not.?ready)/i,
	],
	[
		"rate_limited",
		/rate.?limit|too.?many.?requests|usage.?limit|throttl|quota|capacity.?exceeded|slow.?down/i,
	],
	["unsupported", UNSUPPORTED],
	[
		"no_credentials",
		/\bapi.?key\b|\bunauthori[sz]ed\b|credentials?|authenticat|(?:expired|invalid).*token|\btoken\b.*(?:expired|invalid)|(?:permission|access).?denied|permission_error|not logged in|provider is not configured|(?:unrecognized.?client|invalid.?signature).?exception/i,
	],
	["rejected", /request.?too.?large|validation.?exception|context.?length.?exceeded/i],
];

/** Statuses whose meaning does not depend on the request's content. */
const ABOUT_ACCESS: ReadonlySet<number | undefined> = new Set([401, 402, 403, 408, 429]);

function reasonOf(status: number | undefined, text: string): CallFailure {
	if (GOOGLE_RATE_LIMIT.test(text)) return "rate_limited";
	// If an account has no credit left, several providers respond with 400, 403 or 429, so only the words of the message reveal the cause.
	const isMoneyPossible = status === undefined || (status < 500 && status !== 401 && status !== 404);
	if (status === 402 || (isMoneyPossible && MONEY.test(text))) return "no_money";
	if (!ABOUT_ACCESS.has(status) && TOOLS.test(text) && REFUSES.test(text)) return "no_tools";
	switch (status) {
		case undefined:
			return WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "provider_error";
		case 401:
		case 403:
			return "no_credentials";
		case 404:
		case 405:
		case 410:
			return "unsupported";
		case 408:
			return "timeout";
		case 429:
			return "rate_limited";
	}
	if (status >= 500) return status === 501 || MODEL_UNSUPPORTED.test(text) ? "unsupported" : "server_error";
	if (BAD_KEY.test(text)) return "no_credentials";
	return UNSUPPORTED.test(text) ? "unsupported" : "rejected";
}

/**
 * Returns the message in the response body. If there is none, returns the error's text without its status. If that text is the HTML error
 * page of a proxy, returns the page's title.
 */
function messageOf(error: unknown): string {
	const text = errorText(error);
	const inBody = messageIn(text, 0);
	if (inBody !== undefined) return inBody;
	const prose = text.replace(/^[45]\d\d\s+/, "").replace(/^status code \(no body\)$/, "");
	if (!/^\s*<(?:!doctype|html)/i.test(prose)) return prose;
	return /<title>([^<]{0,200})<\/title>/i.exec(prose)?.[1] ?? "";
}

function messageIn(text: string, depth: number): string | undefined {
	const [body] = jsonObjectsIn(text);
	const error = body && isObject(body["error"]) ? body["error"] : {};
	const message = [error["message"], body?.["message"], body?.["detail"], body?.["error"]].find(
		(part) => typeof part === "string",
	);
	// Some clients use the provider's whole response body as their own error message.
	return message === undefined || depth > 2 ? message : (messageIn(message, depth + 1) ?? message);
}

import { clipColumns } from "../text/clip.ts";
import { redact } from "../text/redact.ts";
import { cleanLine } from "../text/sanitize.ts";
import { type ErrorFacts, errorFacts } from "./error-facts.ts";
import type { Failure, SideCallFailure } from "./failure.ts";

/** Longest part of a provider's message that is shown, in terminal columns. */
const DETAIL_COLUMNS = 200;

/** What a provider's error is: its codes and its status decide, its words only where those leave it open. */
export function classifyError(error: unknown): Failure {
	const facts = errorFacts(error);
	const reason =
		byCode(facts) ?? byStatus(facts) ?? byGeneral(facts) ?? byWords(facts.message) ?? "provider_error";
	return {
		reason,
		status: facts.status,
		detail: clipColumns(cleanLine(redact(facts.message)), DETAIL_COLUMNS),
	};
}

/**
 * Codes of the common providers' error bodies and of the platform, normalised as `errorFacts` does.
 * Sources: the error pages of Anthropic, OpenAI, Google (google.rpc.Code and ErrorInfo), AWS Bedrock, Mistral, Moonshot,
 * DeepSeek, Groq and OpenRouter; Node's and undici's error codes. `invalid_request_error` is not among them: Anthropic
 * uses it for an empty account as for a wrong parameter.
 */
const CODES: Readonly<Record<Exclude<SideCallFailure, LocalFailure>, readonly string[]>> = {
	no_money: [
		"insufficientquota",
		"insufficientbalance",
		"insufficientcredits",
		"insufficientfunds",
		"billingerror",
		"billinghardlimitreached",
		"billingnotactive",
		"exceededcurrentquotaerror",
		"paymentrequired",
		"usagenotincluded",
	],
	no_credentials: [
		"authenticationerror",
		"permissionerror",
		"invalidapikey",
		"apikeyinvalid",
		"unauthenticated",
		"permissiondenied",
		"invalidauthenticationerror",
		"incorrectapikeyerror",
		"accessdeniedexception",
		"expiredtokenexception",
		"unrecognizedclientexception",
		"credentialsprovidererror",
		"invalidsignatureexception",
	],
	unsupported: [
		"modelnotfound",
		"notfounderror",
		"notfound",
		"deploymentnotfound",
		"unsupportedparameter",
		"unsupportedvalue",
		"resourcenotfoundexception",
		"unimplemented",
		"modeldecommissioned",
		"unsupportedcountryregionterritory",
	],
	rate_limited: [
		"ratelimiterror",
		"ratelimitexceeded",
		"ratelimitreachederror",
		"resourceexhausted",
		"throttlingexception",
		"toomanyrequestsexception",
		"servicequotaexceededexception",
		"servicetiercapacityexceeded",
		"usagelimitreached",
		"slowdown",
	],
	server_error: [
		"overloadederror",
		"internalservererror",
		"unavailable",
		"engineoverloadederror",
		"serviceunavailableexception",
		"internalserverexception",
		"modelstreamerrorexception",
		"modelnotreadyexception",
	],
	network: [
		"econnrefused",
		"econnreset",
		"econnaborted",
		"enotfound",
		"eaiagain",
		"ehostunreach",
		"enetunreach",
		"enetdown",
		"epipe",
		"eproto",
		"certhasexpired",
		"depthzeroselfsignedcert",
		"selfsignedcertinchain",
		"unabletoverifyleafsignature",
		"unabletogetissuercertlocally",
		"underrsocket",
		"networkerror",
	],
	timeout: [
		"etimedout",
		"underrconnecttimeout",
		"underrheaderstimeout",
		"underrbodytimeout",
		"deadlineexceeded",
		"timeouterror",
		"modeltimeoutexception",
	],
	rejected: ["requesttoolarge", "validationexception", "contextlengthexceeded"],
};

/** What is never read from a provider's error. */
type LocalFailure = "provider_error" | "aborted" | "empty" | "daily_limit" | "uncounted";

/** The more telling classes come first: one body may hold several codes (`type` and `code`, `status` and `reason`). */
function byCode({ codes }: ErrorFacts): SideCallFailure | undefined {
	for (const [reason, known] of Object.entries(CODES) as [SideCallFailure, readonly string[]][]) {
		if (codes.some((code) => known.includes(code))) return reason;
	}
	return undefined;
}

/** Codes that say no more than that something failed over there: a status says more. */
const GENERAL: ReadonlySet<string> = new Set(["apierror", "servererror", "internal"]);

function byGeneral({ codes }: ErrorFacts): SideCallFailure | undefined {
	return codes.some((code) => GENERAL.has(code)) ? "server_error" : undefined;
}

const MONEY =
	/credit balance is too low|insufficient (?:balance|credit|fund|quota)|exceeded your current quota|(?:used|run) (?:all|out of)\b.*\bcredits?|no (?:remaining )?credits?\b|spending limit|payment required|billing/i;
const CREDENTIALS =
	/\bapi.?key\b|\bunauthori[sz]ed\b|\bcredentials?\b|authenticat|(?:expired|invalid)\b.*\btoken\b|\btoken\b.*\b(?:expired|invalid)\b|permission.denied|\bnot logged in\b/i;
const UNSUPPORTED =
	/not.supported|unsupported|no api provider|(?:model|deployment)\b.*\b(?:not.found|not.exist|unknown)|does not exist/i;
const RATE = /rate.?limit|too many requests|usage limit|throttl|quota/i;
const SERVER = /overloaded|internal server error|service unavailable|bad gateway|model stream error/i;
const NETWORK =
	/^connection error|fetch failed|socket hang up|other side closed|^terminated$|network.?error|getaddrinfo/i;
const TIMEOUT = /timed? ?out\b|deadline exceeded/i;

function byStatus({ status, message }: ErrorFacts): SideCallFailure | undefined {
	if (status === undefined) return undefined;
	// Several providers answer an empty account with 400, 403 or 429: there the words are the only difference.
	if (status === 402 || (status < 500 && status !== 401 && status !== 404 && MONEY.test(message)))
		return "no_money";
	switch (status) {
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
	if (status >= 500) return "server_error";
	return UNSUPPORTED.test(message) ? "unsupported" : "rejected";
}

/** No status and no code: the request was refused before it left, or the client tells nothing but a sentence. */
function byWords(message: string): SideCallFailure | undefined {
	const words: readonly [SideCallFailure, RegExp][] = [
		["network", NETWORK],
		["no_money", MONEY],
		["server_error", SERVER],
		["rate_limited", RATE],
		["unsupported", UNSUPPORTED],
		["no_credentials", CREDENTIALS],
		["timeout", TIMEOUT],
	];
	return words.find(([, pattern]) => pattern.test(message))?.[0];
}

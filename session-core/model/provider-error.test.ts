import { describe, expect, test } from "vitest";
import type { CallFailure } from "./failure.ts";
import { readProviderError } from "./provider-error.ts";

const body = (value: unknown) => JSON.stringify(value);
const anthropic = (type: string, message: string) =>
	body({ type: "error", error: { type, message }, request_id: "req_011CbrFTcXhtiMzr3s6EocF7" });
const google = (code: number, status: string, message: string, reason?: string) =>
	body({
		error: {
			code,
			message,
			status,
			...(reason && { details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }] }),
		},
	});

/** Errors as the host's provider clients hand them on: status and body, status and message, or a sentence. */
const ERRORS: [who: string, text: string, reason: CallFailure, status?: number][] = [
	[
		"Anthropic",
		`400 ${anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.")}`,
		"no_money",
		400,
	],
	[
		"Anthropic",
		`400 ${anthropic("invalid_request_error", "max_tokens: 401 > 300, which is the maximum allowed number of output tokens")}`,
		"rejected",
		400,
	],
	["Anthropic", "max_tokens: 401 > 300", "provider_error"],
	["Anthropic", `401 ${anthropic("authentication_error", "invalid x-api-key")}`, "no_credentials", 401],
	["Anthropic", `403 ${anthropic("permission_error", "Your account may not use it")}`, "no_credentials", 403],
	["Anthropic", `402 ${anthropic("billing_error", "Check your payment details")}`, "no_money", 402],
	["Anthropic", `404 ${anthropic("not_found_error", "model: claude-9")}`, "unsupported", 404],
	["Anthropic", `413 ${anthropic("request_too_large", "Request exceeds the maximum size")}`, "rejected", 413],
	[
		"Anthropic",
		`429 ${anthropic("rate_limit_error", "This request would exceed your organization's rate limit of 50,000 input tokens per minute")}`,
		"rate_limited",
		429,
	],
	["Anthropic", `500 ${anthropic("api_error", "Internal server error")}`, "server_error", 500],
	["Anthropic", `529 ${anthropic("overloaded_error", "Overloaded")}`, "server_error", 529],
	["Anthropic, mid-stream", anthropic("overloaded_error", "Overloaded"), "server_error"],
	[
		"OpenAI",
		"401 Incorrect API key provided: sk-abc. You can find yours in the settings.",
		"no_credentials",
		401,
	],
	[
		"OpenAI",
		"429 You exceeded your current quota, please check your plan and billing details. For more information read the docs.",
		"no_money",
		429,
	],
	[
		"OpenAI",
		"429 Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000",
		"rate_limited",
		429,
	],
	["OpenAI", "404 The model `gpt-9` does not exist or you do not have access to it.", "unsupported", 404],
	[
		"OpenAI",
		"400 Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
		"unsupported",
		400,
	],
	["OpenAI", "400 Invalid 'messages[1].content': 403 characters too long", "rejected", 400],
	["OpenAI", "500 The server had an error while processing your request", "server_error", 500],
	["OpenAI", "503 status code (no body)", "server_error", 503],
	["OpenAI", "Connection error.", "network"],
	["OpenAI", "Request timed out.", "timeout"],
	[
		"OpenAI, whole body",
		body({ error: { message: "no", type: "insufficient_quota", param: null, code: "insufficient_quota" } }),
		"no_money",
	],
	[
		"Azure",
		"401 Access denied due to invalid subscription key or wrong API endpoint.",
		"no_credentials",
		401,
	],
	["Azure", "404 The API deployment for this resource does not exist.", "unsupported", 404],
	[
		"OpenRouter",
		"402 This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 3395.",
		"no_money",
		402,
	],
	[
		"OpenRouter",
		'429 Provider returned error\n{"error":{"message":"x is temporarily rate-limited"}}',
		"rate_limited",
		429,
	],
	["OpenRouter", "404 No endpoints found that support tool use.", "unsupported", 404],
	["DeepSeek", "402 Insufficient Balance", "no_money", 402],
	[
		"Moonshot",
		`429 ${body({ error: { message: "Your account is suspended, please recharge", type: "exceeded_current_quota_error" } })}`,
		"no_money",
		429,
	],
	["Moonshot", "429 Insufficient Balance", "no_money", 429],
	[
		"xAI",
		"403 Your team has either used all available credits or reached its monthly spending limit.",
		"no_money",
		403,
	],
	["Groq", `401 ${body({ error: { message: "Invalid key", type: "api_error" } })}`, "no_credentials", 401],
	["OpenAI, mid-stream", body({ type: "server_error", message: "The server had an error" }), "server_error"],
	["Groq", "413 Request too large for model `x`: Limit 6000, Requested 6401", "rejected", 413],
	[
		"Google",
		google(
			429,
			"RESOURCE_EXHAUSTED",
			"You exceeded your current quota, please check your plan and billing details.",
		),
		"rate_limited",
		429,
	],
	[
		"Google",
		google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "API_KEY_INVALID"),
		"no_credentials",
		400,
	],
	[
		"Google",
		google(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
		"server_error",
		503,
	],
	[
		"Google",
		google(404, "NOT_FOUND", "models/gemini-9 is not found for API version v1beta"),
		"unsupported",
		404,
	],
	[
		"Google, body in a body",
		body({
			error: { message: google(403, "PERMISSION_DENIED", "no access"), code: 403, status: "Forbidden" },
		}),
		"no_credentials",
		403,
	],
	[
		"Google",
		'got status: 500 Internal Server Error. {"error":{"code":500,"message":"x","status":"INTERNAL"}}',
		"server_error",
		500,
	],
	["Mistral", 'Mistral API error (401): {"detail":"Unauthorized"}', "no_credentials", 401],
	[
		"Mistral",
		`Mistral API error (429): ${body({ object: "error", message: "Service tier capacity exceeded for this model.", type: "service_tier_capacity_exceeded", code: "3505" })}`,
		"rate_limited",
		429,
	],
	[
		"Bedrock",
		"AccessDeniedException: You don't have access to the model with the specified model ID.",
		"no_credentials",
	],
	[
		"Bedrock",
		"ExpiredTokenException: The security token included in the request is expired",
		"no_credentials",
	],
	["Bedrock", "Throttling error: Too many requests, please wait before trying again.", "rate_limited"],
	["Bedrock", "Service unavailable: Bedrock is unable to process your request.", "server_error"],
	["Bedrock", "Could not load credentials from any providers", "no_credentials"],
	["Codex", "You have hit your ChatGPT usage limit (plus plan). Try again in ~41 min.", "rate_limited"],
	["Copilot", "401 unauthorized: token expired", "no_credentials", 401],
	["the host", "No API key for provider: anthropic", "no_credentials"],
	["the host", "credentials: token expired", "no_credentials"],
	["the host", "No API provider registered for api: foo", "unsupported"],
	["the platform", "connect ECONNREFUSED 127.0.0.1:11434", "network"],
	["the platform", "getaddrinfo ENOTFOUND api.example.com", "network"],
	["the platform", "fetch failed", "network"],
	["a proxy", "502 status code (no body)", "server_error", 502],
	["a proxy", "504 <html><title>Gateway Time-out</title></html>", "server_error", 504],
	["nobody", "", "provider_error"],
];

describe("a provider's error", () => {
	test.each(ERRORS)("%s: %s", (_, text, reason, status) => {
		expect(readProviderError(text)).toMatchObject({ reason, ...(status && { status }) });
		expect(readProviderError(new Error(text)).reason).toBe(reason);
		if (status === undefined) expect(readProviderError(text).status).toBeUndefined();
	});

	test("that carries its facts in fields is read by them, down the chain of causes", () => {
		const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
		expect(readProviderError(new TypeError("fetch failed", { cause: refused })).reason).toBe("network");
		const unpaid = Object.assign(new Error("no"), { status: 402 });
		expect(readProviderError(unpaid)).toMatchObject({ reason: "no_money", status: 402 });
	});

	test("gives the provider's own message: one line, without secrets and escape sequences", () => {
		expect(readProviderError(`529 ${anthropic("overloaded_error", "Overloaded\n\x1b[31mnow")}`).detail).toBe(
			"Overloaded now",
		);
		expect(readProviderError("429 slow down").detail).toBe("slow down");
		expect(readProviderError("503 status code (no body)").detail).toBe("");
		expect(readProviderError("504 <html><head><title>Gateway Time-out</title></head></html>").detail).toBe(
			"Gateway Time-out",
		);
		const key = `sk-proj-${"a1B2".repeat(10)}`;
		expect(readProviderError(`401 Incorrect API key provided: ${key}.`).detail).not.toContain(key);
		expect(readProviderError(`400 ${"word ".repeat(200)}`).detail?.length).toBeLessThanOrEqual(201);
	});
});

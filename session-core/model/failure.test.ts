import { expect, test } from "vitest";
import { type CallFailure, readProviderError } from "./failure.ts";

/** Errors as the clients of Anthropic, OpenAI, Google, Bedrock, Mistral and others report them, and those of Node and of proxies. */
const ERRORS: Partial<Record<CallFailure, readonly string[]>> = {
	no_money: [
		'400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}',
		'{"error":{"message":"no","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}',
		"402 This request requires more credits, or fewer max_tokens.",
		'429 {"error":{"message":"Your account is suspended","type":"exceeded_current_quota_error"}}',
		"429 Insufficient Balance",
		"403 Your team has either used all available credits or reached its monthly spending limit.",
	],
	no_credentials: [
		"Provider is not configured: anthropic",
		'401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
		'403 {"type":"error","error":{"type":"permission_error","message":"Your account may not use it"}}',
		'{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}',
		'{"error":{"message":"{\\"error\\":{\\"code\\":403,\\"message\\":\\"no access\\"}}","code":403,"status":"Forbidden"}}',
		'Mistral API error (401): {"detail":"Unauthorized"}',
		"AccessDeniedException: You don't have access to the model with the specified model ID.",
		"ExpiredTokenException: The security token included in the request is expired",
		"Could not load credentials from any providers",
		"credentials: token expired",
	],
	unsupported: [
		'404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}',
		'{"error":{"code":404,"message":"models/gemini-9 is not found","status":"NOT_FOUND"}}',
		"No API provider registered for api: foo",
		"502 Bad Gateway: model gpt-9 is not supported",
		'502 {"error":{"message":"Upstream error: {\\"code\\":\\"model_not_supported\\"}"}}',
		'500 {"error":{"message":"The requested model is not supported for this account."}}',
		"503 unknown model: llama-9",
	],
	no_tools: [
		"404 No endpoints found that support tool use.",
		'400 {"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools","type":"api_error"}}',
		'400 {"error":{"message":"\\"auto\\" tool choice requires --enable-auto-tool-choice"}}',
		'500 {"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}',
		"400 Function calling is not enabled for models/gemma-3-4b-it",
		"400 Unrecognized request argument supplied: tools",
		"ValidationException: This model doesn't support tool use.",
	],
	rejected: [
		"400 max_tokens: 401 > 300, which is the maximum allowed number of output tokens",
		"400 Invalid 'messages[1].content': 403 characters too long",
		'413 {"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
	],
	rate_limited: [
		'429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit"}}',
		'429 Provider returned error\n{"error":{"message":"x is temporarily rate-limited"}}',
		'{"error":{"code":429,"message":"Check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}',
		'Mistral API error (429): {"message":"Service tier capacity exceeded for this model."}',
		"Throttling error: Too many requests, please wait before trying again.",
		"You have hit your ChatGPT usage limit (plus plan). Try again in ~41 min.",
	],
	server_error: [
		'529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
		'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
		'{"type":"server_error","message":"The server had an error"}',
		'got status: 500 Internal Server Error. {"error":{"code":500,"message":"x","status":"INTERNAL"}}',
		"503 status code (no body)",
		"504 <html><title>Gateway Time-out</title></html>",
		"502 upstream host not found",
		'503 {"error":{"message":"The model is overloaded."}}',
	],
	network: [
		"Connection error.",
		"connect ECONNREFUSED 127.0.0.1:11434",
		"getaddrinfo ENOTFOUND api.example.com",
		"fetch failed",
	],
	timeout: ["Request timed out."],
	provider_error: ["max_tokens: 401 > 300", ""],
};

const rows = Object.entries(ERRORS).flatMap(([reason, texts]) => texts.map((text) => [reason, text]));
test.each(rows)("%s: %s", (reason, text) => {
	expect(readProviderError(text).reason).toBe(reason);
	expect(readProviderError(new Error(text)).reason).toBe(reason);
});

test.each([
	["429 slow down", 429],
	["Mistral API error (401): no", 401],
	["got status: 500 Internal Server Error", 500],
	['{"error":{"code":503,"message":"x"}}', 503],
	["max_tokens: 401 > 300", undefined],
])("%s has the status %s", (text, status) => expect(readProviderError(text).status).toBe(status));

test("an error's fields and causes count", () => {
	const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
	expect(readProviderError(new TypeError("fetch failed", { cause: refused })).reason).toBe("network");
	const unpaid = Object.assign(new Error("no"), { status: 402 });
	expect(readProviderError(unpaid)).toMatchObject({ reason: "no_money", status: 402 });
});

test("the provider's message is one redacted line without escape sequences", () => {
	const detail = (text: string) => readProviderError(text).detail ?? "";
	expect(detail('529 {"error":{"message":"Overloaded\\n\\u001b[31mnow"}}')).toBe("Overloaded now");
	expect(detail("429 slow down")).toBe("slow down");
	expect(detail("503 status code (no body)")).toBe("");
	expect(detail("504 <html><head><title>Gateway Time-out</title></head></html>")).toBe("Gateway Time-out");
	const key = `sk-proj-${"a1B2".repeat(10)}`;
	expect(detail(`401 Incorrect API key provided: ${key}.`)).not.toContain(key);
	expect(detail(`400 ${"word ".repeat(200)}`).length).toBeLessThanOrEqual(201);
});

import { expect, test } from "vitest";
import { type CallFailure, readProviderError } from "./failure.ts";

/**
 * Errors in the format of the clients of Anthropic, OpenAI, Google, Bedrock, Mistral and others, and
 * errors from Node and from proxies.
 */
const ERRORS: Partial<Record<CallFailure, readonly string[]>> = {
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
	],
	unsupported: [
		'404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}',
		'{"error":{"code":404,"message":"models/gemini-9 is not found","status":"NOT_FOUND"}}',
		"No API provider registered for api: foo",
		"502 Bad Gateway: model gpt-9 is not supported",
		'502 {"error":{"message":"Upstream error: {\\"code\\":\\"model_not_supported\\"}"}}',
		'500 {"error":{"message":"The requested model is not supported for this account."}}',
	],
	provider_error: [
		"402 This request requires more credits, or fewer max_tokens.",
		"400 max_tokens: 401 > 300, which is the maximum allowed number of output tokens",
		'429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit"}}',
		'{"error":{"code":429,"message":"Check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}',
		"Throttling error: Too many requests, please wait before trying again.",
		'529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
		"503 status code (no body)",
		"502 upstream host not found",
		'503 {"error":{"message":"The model is overloaded."}}',
		"getaddrinfo ENOTFOUND api.example.com",
		"",
	],
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

test("the status may be a field of the error", () => {
	const unpaid = Object.assign(new Error("no"), { status: 404 });
	expect(readProviderError(unpaid)).toMatchObject({ reason: "unsupported", status: 404 });
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

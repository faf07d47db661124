import type { ServerResponse } from "node:http";
import type { Answer, Message, Part } from "./answer.ts";
import type { ModelRequest } from "./model-request.ts";

/** Characters per streamed chunk, about as many as providers send. */
const PIECE = 24;
let serial = 0;

/** Sends an answer over the chat-completions streaming protocol (server-sent events). */
export async function sendAnswer(
	answer: Answer,
	request: ModelRequest,
	response: ServerResponse,
): Promise<void> {
	switch (answer.type) {
		case "status":
			response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
			response.end(JSON.stringify({ error: { message: answer.message, type: "scripted", code: null } }));
			return;
		case "drop":
			if (answer.after !== undefined) await sendTorn(answer.after, request, response);
			request.state = "dropped";
			response.destroy();
			return;
		case "message":
			sendMessage(answer, request, response);
	}
}

/** A streamed completion: the response, and the fields that every chunk repeats. */
interface Completion {
	response: ServerResponse;
	envelope: Record<string, unknown>;
}

function sendMessage(message: Message, request: ModelRequest, response: ServerResponse): void {
	const completion = begin(request, response);
	chunk(completion, { role: "assistant", content: "" });
	for (const part of message.parts) sendPart(part, completion);
	chunk(completion, {}, finishOf(message));
	event(completion, { ...completion.envelope, choices: [], usage: usage(message, request) });
	response.end("data: [DONE]\n\n");
}

/** Sends a text without an end. Resolves when the bytes are written, so that they are not lost when the connection breaks. */
async function sendTorn(text: string, request: ModelRequest, response: ServerResponse): Promise<void> {
	sendPart({ type: "text", text }, begin(request, response));
	await new Promise<void>((resolve) => response.write("\n", () => resolve()));
}

function begin(request: ModelRequest, response: ServerResponse): Completion {
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	serial += 1;
	const envelope = {
		id: `scripted-${serial}`,
		object: "chat.completion.chunk",
		created: Math.floor(request.at / 1000),
		model: request.model,
	};
	return { response, envelope };
}

function sendPart(part: Part, completion: Completion): void {
	switch (part.type) {
		case "tool":
			sendTool(part, completion);
			return;
		case "text":
			for (const content of pieces(part.text)) chunk(completion, { content });
			return;
		case "reasoning":
			for (const content of pieces(part.text)) chunk(completion, { reasoning_content: content });
	}
}

function sendTool(part: Extract<Part, { type: "tool" }>, completion: Completion): void {
	serial += 1;
	const index = serial;
	const start = { name: part.name, arguments: "" };
	chunk(completion, { tool_calls: [{ index, id: `call_${serial}`, type: "function", function: start }] });
	for (const text of pieces(JSON.stringify(part.arguments))) {
		chunk(completion, { tool_calls: [{ index, function: { arguments: text } }] });
	}
}

function chunk(completion: Completion, delta: Record<string, unknown>, finish?: string): void {
	const choice = { index: 0, delta, finish_reason: finish ?? null };
	event(completion, { ...completion.envelope, choices: [choice] });
}

function event({ response }: Completion, data: Record<string, unknown>): void {
	response.write(`data: ${JSON.stringify(data)}\n\n`);
}

/** Splits by code units on purpose: real streams split surrogate pairs, too. */
function pieces(text: string): string[] {
	const found: string[] = [];
	for (let at = 0; at < text.length; at += PIECE) found.push(text.slice(at, at + PIECE));
	return found;
}

function finishOf({ parts, isTruncated }: Message): string {
	if (isTruncated) return "length";
	return parts.some((part) => part.type === "tool") ? "tool_calls" : "stop";
}

/** Token counts, estimated at four characters per token. */
function usage(message: Message, request: ModelRequest): Record<string, unknown> {
	const input = Math.ceil(request.size / 4);
	const output = Math.ceil(JSON.stringify(message.parts).length / 4);
	return {
		prompt_tokens: input,
		completion_tokens: output,
		total_tokens: input + output,
		prompt_tokens_details: { cached_tokens: Math.floor(request.cached / 4) },
	};
}

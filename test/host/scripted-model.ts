import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, type Answerer, fail, type Message, type Part, say } from "./answer.ts";
import { type ModelRequest, readRequest } from "./model-request.ts";
import { until } from "./until.ts";

/**
 * A model on loopback with scripted answers, over the OpenAI chat-completions protocol. Unscripted
 * agent calls are answered with "ok", all other unscripted calls with 400.
 */
export class ScriptedModel {
	readonly requests: ModelRequest[] = [];
	/** The newest agent call, if the cache contains it. Undefined if the provider has no cache. */
	cache: { size: number } | undefined;
	readonly #queues = new Map<string, Answerer[]>();
	readonly #defaults = new Map<string, Answerer>([["agent", say("ok")]]);
	readonly #server: Server;

	private constructor() {
		this.#server = createServer((request, response) => void this.#serve(request, response));
		// On a busy machine, a host could send a call over a connection that this server is just closing,
		// and the call would fail.
		this.#server.keepAliveTimeout = 0;
	}

	static async start(): Promise<ScriptedModel> {
		const model = new ScriptedModel();
		await new Promise<void>((resolve, reject) => {
			model.#server.once("error", reject);
			model.#server.listen(0, "127.0.0.1", resolve);
		});
		return model;
	}

	get url(): string {
		// A TCP server that is listening never has a string or null as its address. The type allows both,
		// because it also covers pipes.
		const { port } = this.#server.address() as AddressInfo;
		return `http://127.0.0.1:${port}/v1`;
	}

	/** Sets the answers to the next calls of this kind, in this order. */
	queue(kind: string, ...answers: Answerer[]): this {
		this.#queues.set(kind, [...(this.#queues.get(kind) ?? []), ...answers]);
		return this;
	}

	/** Sets the answer to calls of this kind that is used when their queue is empty. */
	always(kind: string, answer: Answerer): this {
		this.#defaults.set(kind, answer);
		return this;
	}

	calls(kind: string): ModelRequest[] {
		return this.requests.filter((request) => request.kind === kind);
	}

	/** Resolves with the `count`-th call of this kind (default: the first) once it has arrived. */
	waitForCall(kind: string, count = 1): Promise<ModelRequest> {
		return until(() => this.calls(kind)[count - 1], `call ${count} of kind "${kind}"`);
	}

	/** Resolves when the host has aborted the `count`-th call of this kind (default: the first). */
	waitForAbort(kind: string, count = 1): Promise<unknown> {
		const what = `call ${count} of kind "${kind}" to be aborted`;
		return until(() => this.calls(kind)[count - 1]?.state === "aborted", what);
	}

	async close(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
		this.#server.closeAllConnections();
		await closed;
	}

	async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const text = await readBody(incoming);
		if (text === undefined) return;
		if (!incoming.url?.endsWith("/chat/completions")) {
			response.writeHead(404).end();
			return;
		}
		const request = readRequest(text, incoming.headers);
		this.requests.push(request);
		if (this.cache && request.kind === "agent") {
			request.cached = Math.min(this.cache.size, request.size);
			this.cache.size = request.size;
		}
		response.on("close", () => {
			if (request.state === "open") request.state = response.writableFinished ? "answered" : "aborted";
		});
		const answer = await this.#answer(request);
		if (!response.destroyed) await sendAnswer(answer, request, response);
	}

	async #answer(request: ModelRequest): Promise<Answer> {
		const answerer = this.#queues.get(request.kind)?.shift() ?? this.#defaults.get(request.kind);
		// The status is not 5xx, because clients would retry the call.
		if (!answerer) return fail(400, `no scripted answer for a call of kind "${request.kind}"`);
		return typeof answerer === "function" ? answerer(request) : answerer;
	}
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
	const chunks: Uint8Array[] = [];
	try {
		for await (const chunk of incoming) chunks.push(chunk);
	} catch {
		// The caller aborted the upload.
		return undefined;
	}
	return Buffer.concat(chunks).toString("utf8");
}

/** Characters per streamed chunk, about as many as providers send. */
const PIECE = 24;
let serial = 0;

async function sendAnswer(answer: Answer, request: ModelRequest, response: ServerResponse): Promise<void> {
	switch (answer.type) {
		case "status":
			response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
			response.end(JSON.stringify({ error: { message: answer.message, type: "scripted", code: null } }));
			return;
		case "drop":
			request.state = "dropped";
			response.destroy();
			return;
		case "message":
			await sendMessage(answer, request, response);
	}
}

interface Completion {
	response: ServerResponse;
	envelope: Record<string, unknown>;
}

async function sendMessage(message: Message, request: ModelRequest, response: ServerResponse): Promise<void> {
	const completion = begin(request, response);
	chunk(completion, { role: "assistant", content: "" });
	for (const part of message.parts) {
		if (part.type === "pause") await part.gate.opened;
		else if (part.type === "break") {
			// Text that was already sent must not be lost when the connection breaks.
			await new Promise<void>((resolve) => response.write("\n", () => resolve()));
			request.state = "dropped";
			response.destroy();
			return;
		} else sendPart(part, completion);
	}
	chunk(completion, {}, finishOf(message));
	event(completion, { ...completion.envelope, choices: [], usage: usage(message, request) });
	response.end("data: [DONE]\n\n");
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

function sendPart(part: Exclude<Part, { type: "pause" | "break" }>, completion: Completion): void {
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

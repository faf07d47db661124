import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, type Answerer, fail, say } from "./answer.ts";
import { sendAnswer } from "./answer-stream.ts";
import { type ModelRequest, readRequest } from "./model-request.ts";
import { until } from "./until.ts";

/**
 * A model on loopback with scripted answers, over the OpenAI chat-completions protocol. Unscripted calls of the agent are answered with
 * "ok", all other unscripted calls with 400.
 */
export class ScriptedModel {
	/** Every call, oldest first. */
	readonly requests: ModelRequest[] = [];
	/** The newest call of the agent, while the provider's cache contains it; undefined: the provider has no cache. */
	cache: { size: number } | undefined;
	readonly #queues = new Map<string, Answerer[]>();
	readonly #defaults = new Map<string, Answerer>([["agent", say("ok")]]);
	readonly #server: Server;

	private constructor() {
		this.#server = createServer((request, response) => void this.#serve(request, response));
	}

	static async start(): Promise<ScriptedModel> {
		const model = new ScriptedModel();
		await new Promise<void>((resolve, reject) => {
			model.#server.once("error", reject);
			model.#server.listen(0, "127.0.0.1", resolve);
		});
		return model;
	}

	/** The `baseUrl` for `models.json`. */
	get url(): string {
		// A listening TCP server's address is never a string or null; the type covers pipes as well.
		const { port } = this.#server.address() as AddressInfo;
		return `http://127.0.0.1:${port}/v1`;
	}

	/** The answers to the next calls of this kind, in this order. */
	queue(kind: string, ...answers: Answerer[]): this {
		this.#queues.set(kind, [...(this.#queues.get(kind) ?? []), ...answers]);
		return this;
	}

	/** The answer to calls of this kind when their queue is empty. */
	always(kind: string, answer: Answerer): this {
		this.#defaults.set(kind, answer);
		return this;
	}

	/** The calls of one kind so far. */
	calls(kind: string): ModelRequest[] {
		return this.requests.filter((request) => request.kind === kind);
	}

	/** Resolves with the `count`-th call of this kind (default: the first) once it has arrived. */
	waitForCall(kind: string, count = 1, deadlineMs = 20_000): Promise<ModelRequest> {
		return until(() => this.calls(kind)[count - 1], { what: `call ${count} of kind "${kind}"`, deadlineMs });
	}

	/** Stops listening and closes all connections. */
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
		// Not 5xx, which clients retry.
		if (!answerer) return fail(400, `no scripted answer for a call of kind "${request.kind}"`);
		return typeof answerer === "function" ? answerer(request) : answerer;
	}
}

/** The whole body; undefined if the caller closed the connection. */
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

import type {
	Api,
	AssistantMessage,
	AssistantMessageEvent,
	Context,
	Model,
	SimpleStreamOptions,
} from "@mariozechner/pi-ai";
import type { ModelName } from "../../text/index.ts";
import { modelLibrary } from "../host/index.ts";
import type { Effort } from "./effort.ts";
import { type Failure, readProviderError } from "./failure.ts";
import type { Trigger } from "./ledger.ts";

export interface SideCallRequest {
	model: Model<Api>;
	/** The system prompt. The system prompt must not be empty, because some providers require one. */
	systemPrompt: string;
	prompt: string;
	signal: AbortSignal;
	deadlineMs: number;
	effort: Effort;
	/** What caused the call. GitHub Copilot bills automatic calls as calls by the agent. */
	by: Trigger;
	/** The id of the session, which the host adds to its own requests, too. Some providers refuse calls without a session id. */
	sessionId: string;
	/** Called with the model and the whole text so far, whenever more text arrives. Never called if the provider does not stream. */
	onText?: ((text: string, model: ModelName) => void) | undefined;
}

/** Tokens and cost as the provider reported them. The cost uses the currency of the model's price table. */
interface SideCallUsage {
	input: number;
	output: number;
	cost: number;
}

export type SideCallResult =
	| {
			ok: true;
			text: string;
			isCutOff?: true;
			usage: SideCallUsage;
	  }
	| FailedCall;

export interface FailedCall extends Failure {
	ok: false;
	usage: SideCallUsage;
}

type ResolvedAuth =
	| { ok: true; apiKey?: string; headers?: Record<string, string> }
	| { ok: false; error: string };

interface MessageStream extends Partial<AsyncIterable<AssistantMessageEvent>> {
	result(): Promise<AssistantMessage>;
}

/** The host's model registry. Since pi 0.86, `streamSimple` resolves credentials itself. */
export interface ModelGateway {
	getApiKeyAndHeaders?(model: Model<Api>): Promise<ResolvedAuth>;
	streamSimple?(
		model: Model<Api>,
		context: Context,
		options: SimpleStreamOptions,
	): MessageStream | Promise<MessageStream>;
}

const NOTHING: SideCallUsage = { input: 0, output: 0, cost: 0 };

/**
 * Maximum number of characters that a model may write, including its reasoning. The maximum is several times the largest number of tokens
 * that a call permits, so only a provider that ignores the limit reaches it. The host copies the text with each event, so an endless answer
 * would freeze the host.
 */
const MAX_LENGTH = 64 * 1024;

/** Sends one request to a model. Never retries, never throws, and ends at the deadline even if the provider does not respond. */
export async function sideCall(gateway: ModelGateway, request: SideCallRequest): Promise<SideCallResult> {
	const deadline = AbortSignal.timeout(request.deadlineMs);
	const endless = new AbortController();
	const signal = AbortSignal.any([request.signal, deadline, endless.signal]);
	const stopped = (): FailedCall => {
		const other = endless.signal.aborted ? "too_long" : "aborted";
		return { ok: false, reason: deadline.aborted ? "timeout" : other, usage: NOTHING };
	};
	try {
		const read = (stream: MessageStream) => readStream(stream, request, signal, () => endless.abort());
		const message = await Promise.race([complete(gateway, request, signal, read), whenAborted(signal)]);
		if (signal.aborted || message.stopReason === "aborted") return stopped();
		return readMessage(message);
	} catch (error) {
		if (signal.aborted) return stopped();
		return failed(error, NOTHING);
	}
}

async function complete(
	gateway: ModelGateway,
	request: SideCallRequest,
	signal: AbortSignal,
	read: (stream: MessageStream) => Promise<AssistantMessage>,
): Promise<AssistantMessage> {
	const context: Context = {
		systemPrompt: request.systemPrompt,
		messages: [{ role: "user", content: request.prompt, timestamp: Date.now() }],
	};
	const options: SimpleStreamOptions & { disableContinuation: true } = {
		...request.effort,
		signal,
		sessionId: request.sessionId,
		// Newer hosts keep a thread of messages under the session's id. The user's next prompt must continue that thread, not the messages
		// of this call.
		disableContinuation: true,
		// The next call has a different prompt, so a cache entry that costs money would never be read. If cache entries are free, caching
		// stays on, because some clients leave out the session's id when caching is off.
		...(request.model.cost.cacheWrite > 0 && { cacheRetention: "none" as const }),
		maxRetries: 0,
	};
	const initiator =
		request.by === "auto" && request.model.provider === "github-copilot"
			? { "X-Initiator": "agent" }
			: undefined;
	if (gateway.streamSimple) {
		const stream = await gateway.streamSimple(request.model, context, {
			...options,
			...(initiator && { headers: initiator }),
		});
		return read(stream);
	}
	const auth = await gateway.getApiKeyAndHeaders?.(request.model);
	if (auth?.ok === false) throw new Error(`credentials: ${auth.error}`);
	const { streamSimple } = await modelLibrary();
	signal.throwIfAborted();
	const stream = streamSimple(request.model, context, {
		...options,
		...(auth?.apiKey === undefined ? {} : { apiKey: auth.apiKey }),
		...((auth?.headers || initiator) && { headers: { ...auth?.headers, ...initiator } }),
	});
	return read(stream);
}

async function readStream(
	stream: MessageStream,
	{ onText, model }: SideCallRequest,
	signal: AbortSignal,
	stop: () => void,
): Promise<AssistantMessage> {
	if (!stream[Symbol.asyncIterator]) return stream.result();
	let length = 0;
	for await (const event of stream as AsyncIterable<AssistantMessageEvent>) {
		// After an abort, nothing waits for the answer, even if the provider continues to send it.
		if (signal.aborted) break;
		if ("delta" in event) length += event.delta.length;
		if (length > MAX_LENGTH) stop();
		else if (event.type === "text_delta") onText?.(textOf(event.partial), model);
	}
	return stream.result();
}

function whenAborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		const abort = () => reject(new Error("aborted"));
		if (signal.aborted) abort();
		else signal.addEventListener("abort", abort, { once: true });
	});
}

function readMessage(message: AssistantMessage): SideCallResult {
	const usage = { input: message.usage.input, output: message.usage.output, cost: message.usage.cost.total };
	if (message.stopReason === "error") return failed(message.errorMessage ?? "", usage);
	const text = textOf(message);
	const isCutOff = message.stopReason === "length";
	if (text.trim() === "") return { ok: false, reason: isCutOff ? "cut_off" : "empty", usage };
	return {
		ok: true,
		text,
		usage,
		...(isCutOff && { isCutOff }),
	};
}

function textOf({ content }: AssistantMessage): string {
	return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function failed(error: unknown, usage: SideCallUsage): SideCallResult {
	return { ok: false, ...readProviderError(error), usage };
}

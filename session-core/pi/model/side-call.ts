import type {
	Api,
	AssistantMessage,
	AssistantMessageEvent,
	Context,
	Model,
	ModelThinkingLevel,
	SimpleStreamOptions,
	ThinkingLevel,
} from "@mariozechner/pi-ai";
import type { ModelName } from "../../text/index.ts";
import { inProcess, modelLibrary } from "../host/index.ts";
import { formatSpec } from "./choose-model.ts";
import { type Failure, readProviderError } from "./failure.ts";
import type { Trigger } from "./ledger.ts";

export interface SideCallRequest {
	model: Model<Api>;
	/** The system prompt must not be empty, because some providers reject an empty system prompt. */
	systemPrompt: string;
	prompt: string;
	signal: AbortSignal;
	deadlineMs: number;
	effort: Effort;
	/** GitHub Copilot bills automatic calls and user-initiated calls differently. */
	by: Trigger;
	/** Some providers refuse calls without a session id. */
	sessionId: string;
	/**
	 * Called with the complete text so far whenever more text arrives. Never called if the provider does
	 * not stream.
	 */
	onText?: ((text: string, model: ModelName) => void) | undefined;
}

interface SideCallUsage {
	input: number;
	output: number;
	cost: number;
}

export type SideCallResult = { usage: SideCallUsage } & (
	| { ok: true; text: string; isCutOff?: true }
	| ({ ok: false } & Failure)
);

interface MessageStream extends Partial<AsyncIterable<AssistantMessageEvent>> {
	result(): Promise<AssistantMessage>;
}

/** Since pi 0.86, `streamSimple` resolves the credentials itself. */
export interface ModelGateway {
	getApiKeyAndHeaders?(
		model: Model<Api>,
	): Promise<{ ok: true; apiKey?: string; headers?: Record<string, string> } | { ok: false; error: string }>;
	streamSimple?(
		model: Model<Api>,
		context: Context,
		options: SimpleStreamOptions,
	): MessageStream | Promise<MessageStream>;
}

const NOTHING: SideCallUsage = { input: 0, output: 0, cost: 0 };

/**
 * The maximum number of characters that a model may write. Each streaming event copies the whole text,
 * so an endless answer would freeze pi.
 */
const MAX_LENGTH = 64 * 1024;

/**
 * Never throws and never retries. A model call ends at the deadline even if the provider does not
 * respond.
 */
export async function sideCall(gateway: ModelGateway, request: SideCallRequest): Promise<SideCallResult> {
	const deadline = AbortSignal.timeout(request.deadlineMs);
	const endless = new AbortController();
	const signal = AbortSignal.any([request.signal, deadline, endless.signal]);
	const complete = async () => {
		const stream = await openStream(gateway, request, signal);
		return readStream(stream, request, signal, () => endless.abort());
	};
	try {
		const message = await Promise.race([complete(), whenAborted(signal)]);
		if (!signal.aborted && message.stopReason !== "aborted") return callResult(message);
	} catch (error) {
		if (!signal.aborted) return { ok: false, ...readProviderError(error), usage: NOTHING };
	}
	const other = endless.signal.aborted ? "too_long" : "aborted";
	return { ok: false, reason: deadline.aborted ? "timeout" : other, usage: NOTHING };
}

async function openStream(
	gateway: ModelGateway,
	{ model, systemPrompt, prompt, effort, sessionId, by }: SideCallRequest,
	signal: AbortSignal,
): Promise<MessageStream> {
	const context: Context = {
		systemPrompt,
		messages: [{ role: "user", content: prompt, timestamp: Date.now() }],
	};
	const options: SimpleStreamOptions & { disableContinuation: true } = {
		...effort,
		signal,
		sessionId,
		disableContinuation: true,
		// Paid caching is turned off, because the cached prompt would never be used again.
		// Free prompt caching stays on, because some clients send the session id only if caching is on.
		...(model.cost.cacheWrite > 0 && { cacheRetention: "none" as const }),
		maxRetries: 0,
		...(by === "auto" && model.provider === "github-copilot" && { headers: { "X-Initiator": "agent" } }),
	};
	if (gateway.streamSimple) return gateway.streamSimple(model, context, options);
	const auth = await gateway.getApiKeyAndHeaders?.(model);
	if (auth?.ok === false) throw new Error(`credentials: ${auth.error}`);
	const { streamSimple } = await modelLibrary();
	signal.throwIfAborted();
	return streamSimple(model, context, {
		...options,
		...(auth?.apiKey !== undefined && { apiKey: auth.apiKey }),
		headers: { ...auth?.headers, ...options.headers },
	});
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
		if (signal.aborted) break;
		if ("delta" in event) length += event.delta.length;
		if (length > MAX_LENGTH) stop();
		else if (event.type === "text_delta") onText?.(answerIn(event.partial), model);
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

function callResult(message: AssistantMessage): SideCallResult {
	const { input, output, cost } = message.usage;
	const usage = { input, output, cost: cost.total };
	if (message.stopReason === "error")
		return { ok: false, ...readProviderError(message.errorMessage ?? ""), usage };
	const text = answerIn(message);
	const isCutOff = message.stopReason === "length";
	if (text.trim() === "") return { ok: false, reason: isCutOff ? "cut_off" : "empty", usage };
	return { ok: true, text, usage, ...(isCutOff && { isCutOff }) };
}

function answerIn({ content }: AssistantMessage): string {
	return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

const ANSWER_TOKENS = 300;
/** Reasoning tokens count as output, so a lower limit might leave no tokens for the answer. */
export const MAX_TOKENS_WITH_REASONING = 2_000;

export interface Effort {
	maxTokens: number;
	reasoning?: ThinkingLevel;
}

const LEVELS = ["minimal", "low", "medium", "high"] as const;

const refusedLevels = inProcess("refused-efforts", () => new Set<string>());

/**
 * Returns the lowest reasoning level that is known to work: off if possible, then the lowest level in the
 * model's `thinkingLevelMap`, then the session's current level.
 */
export function effortOf(model: Model<Api>, own: ModelThinkingLevel, wanted = ANSWER_TOKENS): Effort {
	const map = model.thinkingLevelMap ?? {};
	const isRefused = refusedLevels.has(formatSpec(model));
	const canBeOff = typeof map.off === "string" || (map.off === undefined && isOffUnlessRequested(model));
	const isOff = !model.reasoning || (canBeOff && !isRefused);
	const current = own === "off" ? undefined : own;
	const known = canBeOff ? undefined : (LEVELS.find((level) => typeof map[level] === "string") ?? current);
	const other = known === undefined ? current : undefined;
	const reasoning = isRefused ? other : known;
	const cap = isOff ? wanted : Math.max(wanted, MAX_TOKENS_WITH_REASONING);
	const maxTokens = model.maxTokens > 0 ? Math.min(model.maxTokens, cap) : cap;
	return { maxTokens, ...(model.reasoning && reasoning && { reasoning }) };
}

export function refuseEffort(model: Model<Api>, own: ModelThinkingLevel): boolean {
	const before = effortOf(model, own).reasoning;
	const name = formatSpec(model);
	if (refusedLevels.has(name)) return false;
	refusedLevels.add(name);
	if (effortOf(model, own).reasoning !== before) return true;
	refusedLevels.delete(name);
	return false;
}

/**
 * Returns true if the model reasons only when a request specifies a reasoning level. On Bedrock, only
 * Claude models behave this way. A Claude model is recognized by the word `claude` in its id or name,
 * as in pi-ai.
 */
function isOffUnlessRequested({ api, id, name }: Model<Api>): boolean {
	if (api === "bedrock-converse-stream") return /claude/i.test(`${id} ${name}`);
	return api === "anthropic-messages" || api === "google-generative-ai" || api === "google-vertex";
}

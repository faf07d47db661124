import type { Gate } from "./gate.ts";
import type { ModelRequest } from "./model-request.ts";

/** A part of a streamed message. `wait` stops the stream until the test opens the gate. */
export type Part =
	| { type: "text"; text: string }
	| { type: "reasoning"; text: string }
	| { type: "tool"; name: string; arguments: Record<string, unknown> }
	| { type: "wait"; gate: Gate };

export type Finish = "stop" | "length" | "tool_calls" | "content_filter";

/** Token counts as the provider reports them. A missing one is estimated from the text (4 characters per token). */
export interface Tokens {
	input?: number;
	output?: number;
	cached?: number;
}

export interface Message {
	type: "message";
	parts: Part[];
	/** Default: `tool_calls` if there is a tool call, else `stop`. */
	finish?: Finish;
	tokens?: Tokens;
}

export type Answer =
	| Message
	| { type: "status"; status: number; message: string; headers?: Record<string, string> }
	/** The connection breaks: before the headers, or after this much text. */
	| { type: "drop"; after?: string };

/** An answer, or a function that computes it from the request. A promise that is never resolved is a provider that hangs. */
export type Answerer = Answer | ((request: ModelRequest) => Answer | Promise<Answer>);

type Shape = Omit<Message, "type" | "parts">;

/** A plain text answer. */
export function say(text: string, shape: Shape = {}): Message {
	return { type: "message", parts: [{ type: "text", text }], ...shape };
}

/** Hidden reasoning (`reasoning_content`), then the text. */
export function think(reasoning: string, text: string, shape: Shape = {}): Message {
	const parts: Part[] = [
		{ type: "reasoning", text: reasoning },
		{ type: "text", text },
	];
	return { type: "message", parts, ...shape };
}

/** One tool call, with a sentence before it if given. */
export function useTool(name: string, args: Record<string, unknown>, text = ""): Message {
	const call: Part = { type: "tool", name, arguments: args };
	return { type: "message", parts: text === "" ? [call] : [{ type: "text", text }, call] };
}

/** Any sequence of parts. */
export function stream(parts: Part[], shape: Shape = {}): Message {
	return { type: "message", parts, ...shape };
}

/** An answer that the provider cut off (finish reason `length`). */
export function truncated(text: string): Message {
	return say(text, { finish: "length" });
}

/** A valid answer without content. */
export function empty(): Message {
	return { type: "message", parts: [] };
}

/** An HTTP error. `retryAfter` is the header, in seconds. */
export function fail(status: number, message = `scripted ${status}`, retryAfter?: number): Answer {
	const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
	return { type: "status", status, message, headers };
}

/** The connection breaks, before the headers or after some text. */
export function drop(after?: string): Answer {
	return after === undefined ? { type: "drop" } : { type: "drop", after };
}

/** Never answers. */
export function hang(): Answerer {
	return () => new Promise<Answer>(() => undefined);
}

/** Does not answer until the gate opens. */
export function held(gate: Gate, answerer: Answerer): Answerer {
	return async (request) => {
		await gate.opened;
		return typeof answerer === "function" ? answerer(request) : answerer;
	};
}

import type { ModelRequest } from "./model-request.ts";

export class Gate {
	readonly opened: Promise<void>;
	#open: () => void = () => undefined;

	constructor() {
		this.opened = new Promise((resolve) => {
			this.#open = resolve;
		});
	}

	open(): void {
		this.#open();
	}
}

export type Part =
	| { type: "text"; text: string }
	| { type: "reasoning"; text: string }
	/** Nothing is sent until the gate opens. */
	| { type: "pause"; gate: Gate }
	| { type: "break" }
	| { type: "tool"; name: string; arguments: Record<string, unknown> };

export interface Message {
	type: "message";
	parts: Part[];
	/** The provider cut the answer off (finish reason `length`). */
	isTruncated?: boolean;
}

export type Answer =
	| Message
	| { type: "status"; status: number; message: string; headers?: Record<string, string> }
	/** The connection breaks before the headers. */
	| { type: "drop" };

/** An answer, or a function that computes it. A promise without an end is a hanging provider. */
export type Answerer = Answer | ((request: ModelRequest) => Answer | Promise<Answer>);

export function say(text: string): Message {
	return { type: "message", parts: [{ type: "text", text }] };
}

/** Hidden reasoning (`reasoning_content`), then the text. */
export function think(reasoning: string, text: string): Message {
	const hidden: Part = { type: "reasoning", text: reasoning };
	return { type: "message", parts: [hidden, { type: "text", text }] };
}

/** An answer that stops until the gate opens. Without `rest`, the connection then breaks. */
export function paused(text: string, gate: Gate, rest?: string): Message {
	const end: Part = rest === undefined ? { type: "break" } : { type: "text", text: rest };
	return { type: "message", parts: [{ type: "text", text }, { type: "pause", gate }, end] };
}

export function useTool(name: string, args: Record<string, unknown>, text = ""): Message {
	const call: Part = { type: "tool", name, arguments: args };
	return { type: "message", parts: text === "" ? [call] : [{ type: "text", text }, call] };
}

/** An answer that the provider cut off (finish reason `length`). */
export function truncated(text: string): Message {
	return { ...say(text), isTruncated: true };
}

export function empty(): Message {
	return { type: "message", parts: [] };
}

/** An HTTP error. `retryAfter` is the header, in seconds. */
export function fail(status: number, message = `scripted ${status}`, retryAfter?: number): Answer {
	const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
	return { type: "status", status, message, headers };
}

/** The connection breaks, either before the headers or after some text. */
export function drop(after?: string): Answer {
	if (after === undefined) return { type: "drop" };
	return { type: "message", parts: [{ type: "text", text: after }, { type: "break" }] };
}

export function hang(): Answerer {
	return () => new Promise<Answer>(() => undefined);
}

export function held(gate: Gate, answerer: Answerer): Answerer {
	return async (request) => {
		await gate.opened;
		return typeof answerer === "function" ? answerer(request) : answerer;
	};
}

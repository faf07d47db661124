import type { IncomingHttpHeaders } from "node:http";

export interface ModelRequest {
	kind: string;
	/** Arrival time in Unix milliseconds. */
	at: number;
	/** `aborted`: by the caller, before the end of the answer. `dropped`: by the script. */
	state: "open" | "answered" | "aborted" | "dropped";
	body: Record<string, unknown>;
	headers: IncomingHttpHeaders;
	size: number;
	/** Number of these characters that the provider's cache contains. */
	cached: number;
	model: string;
	system: string;
	/** The last message with the role `user`. */
	user: string;
	/** Number of tool results since the user's last message, which is the step of the run. */
	step: number;
	transcript: string;
	tools: string[];
}

/** `recap` if the prompt asks for a `<recap>`, `title` if only for a `<topic>`, else `agent`. */
function kindOf(system: string): string {
	if (system.includes("<recap>")) return "recap";
	return system.includes("<topic>") ? "title" : "agent";
}

interface WireMessage {
	role: string;
	text: string;
}

export function readRequest(text: string, headers: IncomingHttpHeaders): ModelRequest {
	const body = asRecord(JSON.parse(text));
	const messages = asArray(body.messages).map(readMessage);
	const prompts = messages.filter(({ role }) => role === "system" || role === "developer");
	const spoken = messages.filter((message) => !prompts.includes(message));
	const system = prompts.map((message) => message.text).join("\n");
	const tools = asArray(body.tools).map((tool) => String(asRecord(asRecord(tool).function).name));
	const lastUser = spoken.findLastIndex(({ role }) => role === "user");
	return {
		kind: kindOf(system),
		headers,
		at: Date.now(),
		state: "open",
		body,
		size: text.length,
		cached: 0,
		model: String(body.model),
		system,
		user: spoken[lastUser]?.text ?? "",
		step: spoken.slice(lastUser).filter(({ role }) => role === "tool").length,
		transcript: spoken.map((message) => message.text).join("\n"),
		tools,
	};
}

function readMessage(value: unknown): WireMessage {
	const message = asRecord(value);
	const { content } = message;
	const calls = asArray(message.tool_calls).map((call) => JSON.stringify(asRecord(call).function));
	const spoken = typeof content === "string" ? content : asArray(content).map(partText).join("");
	return { role: String(message.role), text: [spoken, ...calls].filter(Boolean).join("\n") };
}

function partText(part: unknown): string {
	const { text } = asRecord(part);
	return typeof text === "string" ? text : "";
}

function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function asArray(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

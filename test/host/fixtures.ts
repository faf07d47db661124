import { MODELS, PROVIDER } from "./models.ts";

export interface SessionOptions {
	/** The project's folder in the header. Default `/project`; placing a session in a sandbox rewrites it. */
	cwd?: string;
	/** Session id. Default: a fixed one. */
	id?: string;
	/** Time of the header. Default: 2026-03-12T14:00:00Z. */
	startedAt?: Date;
	model?: string;
}

interface ToolOptions {
	isError?: boolean;
	/** What the agent says before the call. */
	say?: string;
	/** The tool's own details, such as an edit's diff. */
	details?: unknown;
}

type Fields = Record<string, unknown>;

const USAGE = {
	input: 1200,
	output: 90,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 1290,
	cost: { input: 0.0036, output: 0.00135, cacheRead: 0, cacheWrite: 0, total: 0.00495 },
};

/** Starts a session file (version 3), written entry by entry as the host would. */
export function session(options: SessionOptions = {}): SessionBuilder {
	return new SessionBuilder(options);
}

/** Builds a session file's text. Each entry is a child of the previous one, a few seconds later. */
export class SessionBuilder {
	readonly #lines: string[] = [];
	readonly #model: string;
	#now: number;
	#serial = 0;
	#leaf: string | null = null;

	constructor(options: SessionOptions) {
		const { cwd = "/project", id = "0195a1b2-c3d4-7000-8000-000000000001" } = options;
		this.#model = options.model ?? MODELS.large;
		this.#now = (options.startedAt ?? new Date("2026-03-12T14:00:00Z")).getTime();
		const timestamp = new Date(this.#now).toISOString();
		this.#lines.push(JSON.stringify({ type: "session", version: 3, id, timestamp, cwd }));
		this.entry("model_change", { provider: PROVIDER, modelId: this.#model });
		this.entry("thinking_level_change", { thinkingLevel: "off" });
	}

	/** Id of the newest entry, the parent of the next one. */
	get leaf(): string | null {
		return this.#leaf;
	}

	user(text: string): this {
		return this.#message({ role: "user", content: [{ type: "text", text }] });
	}

	/** A reply of the agent. */
	assistant(text: string, { thinking }: { thinking?: string } = {}): this {
		const hidden = thinking === undefined ? [] : [{ type: "thinking", thinking }];
		return this.#reply([...hidden, ...textContent(text)], "stop");
	}

	/** A run that the user aborted with Escape. */
	aborted(): this {
		return this.#reply([], "aborted", { errorMessage: "Request was aborted" });
	}

	/** The run that the provider failed. */
	failed(errorMessage: string): this {
		return this.#reply([], "error", { errorMessage });
	}

	/** One tool call and its result. */
	tool(name: string, args: Fields, result: string, options: ToolOptions = {}): this {
		const id = `call_${this.#serial + 1}`;
		const call = { type: "toolCall", id, name, arguments: args };
		this.#reply([...textContent(options.say ?? ""), call], "toolUse");
		return this.#message({
			role: "toolResult",
			toolCallId: id,
			toolName: name,
			content: textContent(result),
			...(options.details === undefined ? {} : { details: options.details }),
			isError: options.isError ?? false,
		});
	}

	/** A shell command. A failure is worded as the host's bash tool does it. */
	bash(command: string, output: string, exitCode = 0): this {
		const failure = `${output}\n\nCommand exited with code ${exitCode}`;
		return this.tool("bash", { command }, exitCode === 0 ? output : failure, { isError: exitCode !== 0 });
	}

	/** One replacement in a file, with the host's diff for it. */
	edit(path: string, oldText: string, newText: string): this {
		const removed = oldText.split("\n").map((line, index) => `-${index + 1} ${line}`);
		const added = newText.split("\n").map((line, index) => `+${index + 1} ${line}`);
		const details = { diff: [...removed, ...added].join("\n"), firstChangedLine: 1 };
		const args = { path, edits: [{ oldText, newText }] };
		return this.tool("edit", args, `Successfully replaced 1 block(s) in ${path}.`, { details });
	}

	write(path: string, content: string): this {
		return this.tool("write", { path, content }, `Successfully wrote ${content.length} bytes to ${path}`);
	}

	/** `/name`. */
	name(name: string): this {
		return this.entry("session_info", { name });
	}

	/** An extension's entry outside the conversation. */
	custom(customType: string, data: unknown): this {
		return this.entry("custom", { customType, data });
	}

	/** Lets time pass. */
	pause(minutes: number): this {
		this.#now += minutes * 60_000;
		return this;
	}

	/** Any entry, as a child of the newest. */
	entry(type: string, fields: Fields): this {
		this.#serial += 1;
		this.#now += 4_000;
		const id = (0x1a2b3c00 + this.#serial).toString(16);
		const timestamp = new Date(this.#now).toISOString();
		this.#lines.push(JSON.stringify({ type, id, parentId: this.#leaf, timestamp, ...fields }));
		this.#leaf = id;
		return this;
	}

	/** The file's text. */
	build(): string {
		return `${this.#lines.join("\n")}\n`;
	}

	#reply(content: unknown[], stopReason: string, more: Fields = {}): this {
		const source = { api: "openai-completions", provider: PROVIDER, model: this.#model };
		return this.#message({ role: "assistant", content, ...source, usage: USAGE, stopReason, ...more });
	}

	#message(message: Fields): this {
		return this.entry("message", { message: { ...message, timestamp: this.#now + 4_000 } });
	}
}

function textContent(text: string): unknown[] {
	return text === "" ? [] : [{ type: "text", text }];
}

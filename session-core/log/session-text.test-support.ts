export const START = Date.UTC(2026, 0, 31, 12);

export interface HeaderFields {
	id?: string;
	version?: number;
	cwd?: string;
	timestamp?: string;
	parentSession?: string;
}

type Fields = Record<string, unknown>;

interface ToolOptions {
	isError?: boolean;
	/** What the agent says before the call. */
	say?: string;
	/** The tool's own details, such as an edit's diff. */
	details?: unknown;
	/** The calls that a script made. */
	nestedCalls?: unknown;
}

/**
 * A session's lines as the host writes them. Each entry is the child of the previous one and some
 * seconds later.
 */
export class SessionText {
	readonly lines: string[] = [];
	readonly ids: string[] = [];
	readonly #reply: Fields;
	readonly #seconds: number;
	readonly #stamped: boolean;
	#now: number;
	#parent: string | null = null;

	/**
	 * `reply` contains fields for all assistant messages. Without `stamped`, only entries have times, but
	 * messages do not.
	 */
	constructor(
		header: HeaderFields = {},
		{ startedAt = START, seconds = 1, reply = {}, stamped = false } = {},
	) {
		this.#now = startedAt;
		this.#seconds = seconds;
		this.#reply = reply;
		this.#stamped = stamped;
		const timestamp = new Date(startedAt).toISOString();
		this.raw({ type: "session", version: 3, id: "s-1", timestamp, cwd: "/code/app", ...header });
	}

	entry(type: string, fields: Fields = {}): this {
		const id = `e${this.ids.length.toString(16).padStart(7, "0")}`;
		this.#now += this.#seconds * 1_000;
		const timestamp = new Date(this.#now).toISOString();
		this.raw({ type, id, parentId: this.#parent, timestamp, ...fields });
		this.ids.push(id);
		this.#parent = id;
		return this;
	}

	/** Lets time pass. */
	pause(minutes: number): this {
		this.#now += minutes * 60_000;
		return this;
	}

	user(text: string): this {
		return this.#message({ role: "user", content: textContent(text) });
	}

	/** An agent's reply. */
	assistant(text: string, fields: Fields = {}): this {
		return this.#message({
			role: "assistant",
			content: textContent(text),
			provider: "acme",
			model: "m-1",
			stopReason: "stop",
			usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
			...this.#reply,
			...fields,
		});
	}

	/** A run that the user aborted with Escape. */
	aborted(): this {
		return this.assistant("", { stopReason: "aborted", errorMessage: "Request was aborted" });
	}

	/** A run that failed because of an error from the provider. */
	failed(errorMessage: string): this {
		return this.assistant("", { stopReason: "error", errorMessage });
	}

	/** One tool call and its result. */
	tool(name: string, args: Fields, result: string, options: ToolOptions = {}): this {
		const id = `call_${this.ids.length}`;
		this.pending(name, args, options.say);
		const { isError = false, details, nestedCalls } = options;
		const from = { role: "toolResult", toolCallId: id, toolName: name };
		return this.#message({ ...from, content: textContent(result), details, nestedCalls, isError });
	}

	/** A tool call without a result. */
	pending(name: string, args: Fields, say = ""): this {
		const call = { type: "toolCall", id: `call_${this.ids.length}`, name, arguments: args };
		return this.assistant("", { content: [...textContent(say), call], stopReason: "toolUse" });
	}

	/** A shell command. A failure is worded as in the host's bash tool. */
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

	/** Tool output of about this many bytes, none of which matters. */
	padding(bytes: number): this {
		const from = { role: "toolResult", toolCallId: "c", toolName: "bash" };
		return this.#message({ ...from, content: textContent("x ".repeat(bytes / 2)) });
	}

	/** `/name`. */
	name(name: string): this {
		return this.entry("session_info", { name });
	}

	/** An extension's entry outside the conversation. */
	custom(customType: string, data: unknown): this {
		return this.entry("custom", { customType, data });
	}

	title(title: string, source: "auto" | "manual"): this {
		return this.custom("session-suite:title", { title, source });
	}

	raw(object: unknown): this {
		this.lines.push(JSON.stringify(object));
		return this;
	}

	/** The file's text. */
	build(): string {
		return `${this.lines.join("\n")}\n`;
	}

	toString(): string {
		return this.build();
	}

	#message(message: Fields): this {
		const timestamp = this.#stamped ? this.#now + this.#seconds * 1_000 : undefined;
		return this.entry("message", { message: { ...message, timestamp: message["timestamp"] ?? timestamp } });
	}
}

function textContent(text: string): Fields[] {
	return text === "" ? [] : [{ type: "text", text }];
}

/** Small logs of our own in the formats of the other agents. */

import { summarize } from "../sessions/summary.ts";

import { put } from "./session.test-support.ts";
import { openSessionFile } from "./session-file.ts";
import { readTimeline } from "./timeline/timeline.ts";
import { stepsOf, type Timeline } from "./timeline/turn.ts";

type Fields = Record<string, unknown>;

const BEGIN = Date.parse("2026-03-02T10:00:00Z");

abstract class AgentLog {
	readonly lines: string[] = [];

	abstract calls(id: string, name: string, args: Fields): this;
	abstract result(id: string, output: unknown, fields?: Fields): this;

	/** A call with its result. */
	ran(name: string, args: Fields, output: unknown, fields: Fields = {}): this {
		const id = `t${this.lines.length}`;
		return this.calls(id, name, args).result(id, output, fields);
	}

	toString(): string {
		return `${this.lines.join("\n")}\n`;
	}
}

/** A Claude Code log, in which each line is the child of the previous one unless it says otherwise. */
export class ClaudeLog extends AgentLog {
	readonly id: string;
	readonly cwd: string;
	#last: string | null = null;
	#count = 0;

	constructor({ id = "0c1a0de0-aaaa-4bbb-8ccc-000000000001", cwd = "/code/app" } = {}) {
		super();
		this.id = id;
		this.cwd = cwd;
		this.raw({ type: "permission-mode", permissionMode: "default", sessionId: id });
	}

	raw(line: Fields): this {
		this.lines.push(JSON.stringify(line));
		return this;
	}

	/** The uuid of the line that was added last. */
	get last(): string | null {
		return this.#last;
	}

	line(type: string, fields: Fields): this {
		const uuid = `u${++this.#count}`;
		const timestamp = new Date(BEGIN + this.#count * 1_000).toISOString();
		const common = { isSidechain: false, cwd: this.cwd, sessionId: this.id, gitBranch: "feature/login" };
		this.raw({ parentUuid: this.#last, ...common, type, uuid, timestamp, ...fields });
		this.#last = uuid;
		return this;
	}

	user(content: unknown, fields: Fields = {}): this {
		return this.line("user", { message: { role: "user", content }, ...fields });
	}

	assistant(content: Fields[], fields: Fields = {}, line: Fields = {}): this {
		const message = { role: "assistant", model: "claude-x", content, stop_reason: null, ...fields };
		return this.line("assistant", { message, ...line });
	}

	says(text: string): this {
		return this.assistant([{ type: "text", text }], { stop_reason: "end_turn" });
	}

	calls(id: string, name: string, input: Fields, line: Fields = {}): this {
		return this.assistant([{ type: "tool_use", id, name, input }], { stop_reason: "tool_use" }, line);
	}

	result(id: string, content: unknown, fields: Fields = {}, line: Fields = {}): this {
		return this.user([{ type: "tool_result", tool_use_id: id, content, ...fields }], line);
	}

	/** A compaction with its summary. */
	compacted(text = "", fields: Fields = {}): this {
		this.line("system", { subtype: "compact_boundary", parentUuid: null, ...fields });
		return this.user(
			`This session is being continued from a previous conversation that ran out of context.${text}`,
			{ isCompactSummary: true },
		);
	}
}

/** A Qwen Code log, in which each record is the child of the previous one unless it says otherwise. */
export class QwenLog extends AgentLog {
	readonly id = "5e55a0de-aaaa-4bbb-8ccc-000000000001";
	#last: unknown = null;

	record(type: string, fields: Fields): this {
		const timestamp = new Date(BEGIN + this.lines.length * 1_000).toISOString();
		const common = { parentUuid: this.#last, sessionId: this.id, timestamp, cwd: "/code/app" };
		const line: Fields = { uuid: `u${this.lines.length + 1}`, ...common, type, ...fields };
		this.lines.push(JSON.stringify(line));
		this.#last = line["uuid"];
		return this;
	}

	user(text: string, fields: Fields = {}): this {
		return this.record("user", { message: { role: "user", parts: [{ text }] }, ...fields });
	}

	model(parts: Fields[], fields: Fields = {}): this {
		return this.record("assistant", { model: "qwen3-coder", message: { role: "model", parts }, ...fields });
	}

	says(text: string): this {
		return this.model([{ text }]);
	}

	calls(id: string, name: string, args: Fields): this {
		return this.model([{ functionCall: { id, name, args } }]);
	}

	result(id: string, response: unknown): this {
		const parts = [{ functionResponse: { id, response } }];
		return this.record("tool_result", { message: { role: "user", parts } });
	}
}

/** A Codex log. */
export class CodexLog extends AgentLog {
	readonly #first: number;
	#count = 0;

	constructor(meta: Fields = {}) {
		super();
		const git = { branch: "feature/login" };
		const { history_base: base } = meta as { history_base?: { end_ordinal_exclusive?: number } };
		this.#first = base?.end_ordinal_exclusive ?? 0;
		this.line("session_meta", { id: CODEX_ID, timestamp: this.#time(), cwd: "/code/app", git, ...meta });
		// A rollout that continues another one contains only its own records.
		if (base) return;
		this.user("# AGENTS.md instructions for /code/app\n\n<INSTRUCTIONS>\nNever say no\n</INSTRUCTIONS>");
		this.user("<environment_context>\n  <cwd>/code/app</cwd>\n</environment_context>");
		this.line("turn_context", { cwd: "/code/app", model: "gpt-x" });
	}

	#time(): string {
		return new Date(BEGIN + ++this.#count * 1_000).toISOString();
	}

	line(type: string, payload: Fields): this {
		const ordinal = this.#first + this.lines.length;
		this.lines.push(JSON.stringify({ timestamp: this.#time(), ordinal, type, payload }));
		return this;
	}

	/** The `history_base` of a rollout that continues this one after its current last line. */
	base(rollout = CODEX_ID) {
		const end = { end_byte_offset: Buffer.byteLength(String(this)) };
		return { thread_id: rollout, end_ordinal_exclusive: this.#first + this.lines.length, ...end };
	}

	item(type: string, fields: Fields): this {
		return this.line("response_item", { type, ...fields });
	}

	event(type: string, fields: Fields = {}): this {
		return this.line("event_msg", { type, ...fields });
	}

	user(text: string): this {
		return this.item("message", { role: "user", content: [{ type: "input_text", text }] });
	}

	says(text: string, phase = "final_answer"): this {
		return this.item("message", { role: "assistant", phase, content: [{ type: "output_text", text }] });
	}

	calls(id: string, name: string, args: Fields): this {
		return this.item("function_call", { call_id: id, name, arguments: JSON.stringify(args) });
	}

	result(id: string, output: unknown): this {
		return this.item("function_call_output", { call_id: id, output });
	}
}

export const CODEX_ID = "0190c0de-0000-7000-8000-000000000001";

/** Reads a log's timeline, and its summary with the topic. */
export async function readLog(path: string, log: ClaudeLog | CodexLog | QwenLog | string) {
	put(path, String(log));
	const opened = await openSessionFile(path);
	const summarized = summarize(path);
	if (!opened.ok || !summarized.ok) throw new Error("the log is not a session");
	const { summary } = summarized.record;
	const timeline = readTimeline(opened.session.slice, { cwd: summary.cwd });
	return { timeline, summary, header: opened.session.header };
}

export function requestsIn({ turns }: Timeline): string[] {
	return turns.flatMap(({ request }) => request ?? []);
}

/** The steps of a timeline as `name argument → outcome`. */
export function stepsIn({ turns }: Timeline): string[] {
	return turns
		.flatMap((turn) => stepsOf(turn))
		.map(({ name, argument, outcome }) => `${name} ${argument} → ${outcome}`);
}

/** Builds entries of the host's format from the lines of other agents' logs. */
import { type JsonObject, objectsIn, textOf } from "../json.ts";

/** The fields that place an entry, which follows the one before it in the file unless the user went back. */
export interface LogPlace {
	id?: string;
	/** The entry at which the user went back to before this prompt: the parent that the log names, null for none. */
	branchAt?: string | null;
	timestamp?: unknown;
}

/** The type of an entry that moves the leaf back before the last `turns` requests of the branch. */
export const ROLLBACK = "agent:rollback";

/** The type of the entry that says in which folder a session continues (`cwd`, and `from` which one), or in which other session. */
export const PLACE = "agent:place";

export function placed(data: JsonObject): JsonObject {
	return entry({}, "custom", { customType: PLACE, data });
}

/** What a log says about its session. It becomes a header of the host's format. */
export interface LoggedSession {
	agent: string;
	id: unknown;
	cwd: unknown;
	timestamp: unknown;
	branch?: unknown;
	/** The id of the session from which this one was forked or started. */
	parent?: unknown;
	/** Whether another session's agent started this one, as its subagent. */
	isChild?: boolean;
	/** Whether a program wrote the prompt on this line; undefined if the line has no prompt. */
	isProgram?: boolean | undefined;
}

export function header({ parent, ...facts }: LoggedSession): JsonObject {
	return {
		type: "session",
		version: 3,
		...facts,
		...(typeof parent === "string" && { parentSession: parent }),
	};
}

export function entry(place: LogPlace, type: string, fields: JsonObject = {}): JsonObject {
	return { ...place, type, ...fields };
}

/** An entry that says nothing by itself, but keeps the chain of parents whole. */
export function link(place: LogPlace): JsonObject {
	return entry(place, "custom", { customType: "agent:line" });
}

export function userMessage(place: LogPlace, text: string, images = 0): JsonObject {
	const pictures = Array.from({ length: images }, () => ({ type: "image" }));
	return message(place, { role: "user", content: [{ type: "text", text }, ...pictures] });
}

/** A shell command that the user ran without the agent. */
export function userCommand(place: LogPlace, command: string, output: string): JsonObject {
	return message(place, { role: "bashExecution", command, output });
}

/** A message of one agent to another, which neither the user nor this session's agent wrote. */
export function agentMessage(place: LogPlace, text: string): JsonObject {
	return entry(place, "custom_message", { customType: "agent:message", content: text, display: true });
}

export function reply(place: LogPlace, fields: JsonObject): JsonObject {
	return message(place, { role: "assistant", ...fields });
}

export function said(place: LogPlace, text: string, stopReason: string): JsonObject {
	return reply(place, { content: [{ type: "text", text }], stopReason });
}

export function aborted(place: LogPlace): JsonObject {
	return reply(place, { content: [], stopReason: "aborted" });
}

export function failed(place: LogPlace, errorMessage: string): JsonObject {
	return reply(place, { content: [], stopReason: "error", errorMessage });
}

export function toolCall(id: unknown, name: string, args: JsonObject): JsonObject {
	return { type: "toolCall", id, name, arguments: args };
}

export interface ResultFacts {
	id: unknown;
	text: string;
	isError: boolean;
	/** The name of the step if the log does not contain its call. */
	name?: string;
}

export function toolResult(place: LogPlace, { id, text, isError, name = "" }: ResultFacts): JsonObject {
	const content = [{ type: "text", text }];
	return message(place, { role: "toolResult", toolCallId: id, toolName: name, content, isError });
}

function message(place: LogPlace, fields: JsonObject): JsonObject {
	return entry(place, "message", { message: fields });
}

/** How the host marks the result of a command that failed, and that of a call which the user stopped. */
export const exitLine = (status: number | string): string => `Command exited with code ${status}`;
export const CANCELLED = "Request cancelled by the user";

export function blockTexts(content: unknown): string[] {
	if (typeof content === "string") return [content];
	return objectsIn(content).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

export function questionText(questions: unknown): string {
	return objectsIn(questions)
		.map(({ question, options }) => {
			const labels = objectsIn(options).map(({ label }) => textOf(label));
			// The question comes last, because a text that ends with a question waits for an answer.
			const choices = labels.length === 0 ? "" : `(${labels.join(" / ")}) `;
			return `${choices}${textOf(question)}`;
		})
		.join("\n");
}

/**
 * Matches the beginning of a text that the agent's program, a hook or an extension wrote into the user's message. Such texts are elements
 * whose names are several words, or a few that are not.
 */
const ADDED =
	/^\s*(?:<(?:[a-z]+[-_][a-z_-]+|skill|image|permissions instructions|task|subagent|memory)\b[^>]{0,200}>|<\/image>|# AGENTS\.md instructions\b|Caveat: The messages below were generated by the user)/i;

/** Matches the beginning of an element after which the user's own words follow in the same text. */
const BEFORE_OWN_WORDS = /\s*<(system[-_](?:instruction|reminder)s?|ide_[a-z_]{1,30})>/iy;

/** Returns what the user wrote in a text of their message: nothing if all of it was added. */
export function ownWords(text: string): string {
	let start = 0;
	for (;;) {
		BEFORE_OWN_WORDS.lastIndex = start;
		const name = BEFORE_OWN_WORDS.exec(text)?.[1];
		const close = `</${name}>`;
		const end = name === undefined ? -1 : text.indexOf(close, BEFORE_OWN_WORDS.lastIndex);
		if (end < 0) break;
		start = end + close.length;
	}
	const own = start === 0 ? text : text.slice(start).trimStart();
	return ADDED.test(own) ? "" : own;
}

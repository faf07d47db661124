import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { isObject, type JsonObject, objectsIn, textOf } from "../text/files/index.ts";
import { redact, tailUnits, withoutLeadingThought } from "../text/index.ts";
import { stopReasonOf } from "./stop-reason.ts";

/**
 * The format of session entries is described in pi's `docs/session-format.md`. A file may be damaged,
 * old or written by another program, so code that reads a field must check the field.
 */
export interface Entry {
	type: string;
	id: string;
	parentId?: string | null;
	timestamp?: string;
	[field: string]: unknown;
}

export const TITLE_ENTRY = "session-suite:title";

export interface SessionSource {
	getLeafEntry(): Entry | undefined;
	getEntry(id: string): Entry | undefined;
	/** pi's `getEntries()` copies all entries, so it is called only if the chain of parents is broken. */
	getEntries(): Entry[];
}

type HostManager = ExtensionContext["sessionManager"];

/** pi's `branch` and `resetLeaf` methods are public, but missing in pi's types for extensions. */
export interface HostSource extends SessionSource, Pick<HostManager, "getSessionFile" | "getLeafId"> {
	branch(entryId: string): void;
	resetLeaf(): void;
}

export function hostSource(manager: HostManager): HostSource {
	// The types that pi exports lack some methods of the session manager and some fields of its entries.
	return manager as unknown as HostSource;
}

export interface ToolCall {
	id: string;
	name: string;
	args: Record<string, unknown>;
}

/**
 * A tool call that was made by another tool call, for example by a script. The log does not contain the
 * result of such a nested call.
 */
export interface NestedCall extends ToolCall {
	status: "ok" | "error" | "unfinished";
	error: string;
}

export type Message =
	| { role: "user"; text: string; images: number }
	| { role: "assistant"; text: string; calls: ToolCall[]; stopReason: string; errorMessage: string }
	| {
			role: "toolResult";
			callId: string;
			toolName: string;
			text: string;
			isError: boolean;
			diff: string;
			nested: NestedCall[];
	  }
	| {
			role: "bash";
			command: string;
			output: string;
			exitCode: number | undefined;
			cancelled: boolean;
			/** True if the user typed `!!command`. pi hides such a command and its output from the model. */
			isPrivate: boolean;
	  };

export function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content) || content.length <= MOST_JOINED) return joinedText(content);
	const known = longTexts.get(content);
	const last = isObject(content.at(-1)) ? content.at(-1).text : undefined;
	if (known?.last === last && known?.length === content.length) return known.text;
	const text = joinedText(content);
	longTexts.set(content, { last, length: content.length, text });
	return text;
}

/**
 * Caches the joined text of a message with many blocks, because this text is needed several times, and
 * joining thousands of blocks takes 20 ms.
 */
const longTexts = new WeakMap<object, { last: unknown; length: number; text: string }>();

function joinedText(content: unknown): string {
	const blocks = objectsIn(content).filter(({ type, text }) => type === "text" && typeof text === "string");
	const parts = blocks.map(({ text }) => textOf(text)).filter((text) => text !== "");
	let whole = "";
	let end = "";
	for (const part of parts.slice(0, MOST_JOINED)) {
		const isJoined = whole === "" || isSplitBetween(end, part);
		whole += isJoined ? part : `\n${part}`;
		end = (isJoined ? end : "") + part.slice(-WORD);
		end = end.slice(end.lastIndexOf("\n") + 1).slice(-WORD);
	}
	return [whole, ...parts.slice(MOST_JOINED)].join("\n");
}

/** The maximum number of blocks in which a split secret is searched for. Such a search is slow. */
const MOST_JOINED = 30;
const WORD = 400;

/**
 * Returns true if a secret may be split between two blocks of a message. Such blocks are joined without a
 * line break, so that the secret is recognized.
 */
function isSplitBetween(before: string, after: string): boolean {
	const end = /\S{1,400}$/.exec(before)?.[0];
	const start = /^\S{1,400}/.exec(after)?.[0];
	if (end === undefined || start === undefined) return false;
	const both = redact(end + start);
	return both !== end + start && both !== redact(end) + redact(start);
}

function callIn({ id, name, arguments: args }: JsonObject): ToolCall {
	return { id: textOf(id), name: textOf(name).slice(0, NAME_BOUND), args: isObject(args) ? args : {} };
}

/** pi stores at most 256 nested calls (`NestedToolCalls` in its docs/message-types.md). */
export function readNestedCalls(value: unknown): NestedCall[] {
	return objectsIn(isObject(value) ? value["calls"] : undefined)
		.slice(0, 256)
		.map(({ status, error, ...call }) => ({
			...callIn(call),
			status: status === "ok" || status === "error" ? status : "unfinished",
			error: textOf(error).slice(0, NAME_BOUND),
		}));
}

export function messageOf({ message }: Entry): JsonObject | undefined {
	return isObject(message) ? message : undefined;
}

export function roleOf(entry: Entry): string | undefined {
	const message = isMessageEntry(entry) ? messageOf(entry) : undefined;
	return message && textOf(message["role"]);
}

export function hasRole(entry: Entry, role: "user" | "assistant"): boolean {
	return roleOf(entry) === role;
}

export function isMessageEntry(entry: Entry): boolean {
	return entry.type === "message";
}

/**
 * The maximum length of a string in characters. The middle of a longer string, such as a program's
 * output, is removed, because the beginning and the end are the most informative parts.
 */
const TEXT_BOUND = 48_000;
const NAME_BOUND = 400;

export function boundedText(text: string): string {
	if (text.length <= TEXT_BOUND) return text;
	// A word that would be cut is dropped, because redaction would not recognize half of a secret.
	const head = text.slice(0, TEXT_BOUND / 2);
	const end = Math.max(head.lastIndexOf(" "), head.lastIndexOf("\n"));
	const tail = tailUnits(text, TEXT_BOUND / 2).replace(/^\S+/, "");
	return `${end < 0 ? head : head.slice(0, end)}\n${tail}`;
}

export function readMessage(entry: Entry): Message | undefined {
	const message = isMessageEntry(entry) ? messageOf(entry) : undefined;
	if (!message) return undefined;
	const { role, content, details, exitCode } = message;
	switch (role) {
		case "user": {
			const images = objectsIn(content).filter(({ type }) => type === "image").length;
			return { role, text: boundedText(contentText(content)), images };
		}
		case "assistant":
			return {
				role,
				text: withoutLeadingThought(boundedText(contentText(content))),
				calls: objectsIn(content).flatMap((block) => (block["type"] === "toolCall" ? [callIn(block)] : [])),
				stopReason: stopReasonOf(message),
				errorMessage: textOf(message["errorMessage"]).slice(0, TEXT_BOUND),
			};
		case "toolResult":
			return {
				role,
				callId: textOf(message["toolCallId"]),
				toolName: textOf(message["toolName"]).slice(0, NAME_BOUND),
				text: boundedText(contentText(content)),
				isError: message["isError"] === true,
				diff: isObject(details) ? textOf(details["diff"]) : "",
				nested: readNestedCalls(message["nestedCalls"]),
			};
		case "bashExecution":
			return {
				role: "bash",
				command: textOf(message["command"]).slice(0, TEXT_BOUND),
				output: boundedText(textOf(message["output"])),
				exitCode: typeof exitCode === "number" ? exitCode : undefined,
				cancelled: message["cancelled"] === true,
				isPrivate: message["excludeFromContext"] === true,
			};
		default:
			return undefined;
	}
}

/** pi replaces content that was moved to cold storage with text such as `[tool result evicted]`. */
const EVICTED = /^\s*\[[^\]\n]{0,80}\bevicted\b[^\]\n]{0,80}\]\s*$/i;

export function isEvicted(text: string): boolean {
	return EVICTED.test(text);
}

/** The secrets that a session's messages give away somewhere, and messages without them. */
import { hideKnown, secretsIn } from "../text/redact.ts";
import type { Entry } from "./entry.ts";
import { isMessageEntry, type Message, readMessage } from "./message.ts";

/** By entry: a log only grows, so each is looked at once. */
const found = new WeakMap<Entry, ReadonlySet<string>>();

/** Values that stand as a secret anywhere in these entries. */
export function secretsOf(entries: readonly Entry[]): ReadonlySet<string> {
	const known = new Set<string>();
	for (const entry of entries) {
		let own = found.get(entry);
		if (!own) {
			own = secretsIn(textsIn([entry]));
			found.set(entry, own);
		}
		for (const secret of own) known.add(secret);
	}
	return known;
}

/** The message with known values hidden wherever they stand. Before anything is cut: half a secret is one, too. */
export function withoutSecrets<M extends Message | undefined>(message: M, known: ReadonlySet<string>): M {
	return known.size === 0 || message === undefined
		? message
		: mapStrings(message, (text) => hideKnown(text, known));
}

/** A copy of plain data with every text in it changed. */
function mapStrings<T>(value: T, change: (text: string) => string): T {
	// Each kind of value comes back as the same kind; the compiler cannot see that of a generic one.
	if (typeof value === "string") return change(value) as T;
	if (Array.isArray(value)) return value.map((part) => mapStrings(part, change)) as T;
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapStrings(part, change)])) as T;
}

/** Characters looked at of one argument; what a recap quotes of it stands at its beginning. */
const ARGUMENT_BOUND = 48_000;
/** How deep arguments of a call are looked into. */
const DEPTH = 6;

/**
 * Every text of the messages in these entries: prompts, replies, the arguments and results of calls, commands and their
 * output. For looking at all of it, as for the secrets that a session knows (`secretsIn`).
 */
export function* textsIn(entries: Iterable<Entry>): Generator<string, void, undefined> {
	for (const entry of entries) {
		const message = isMessageEntry(entry) ? readMessage(entry) : undefined;
		switch (message?.role) {
			case "bash":
				yield message.command;
				yield message.output;
				break;
			case "assistant":
				yield message.text;
				for (const { args } of message.calls) yield* stringsIn(args, DEPTH);
				break;
			case "toolResult":
				yield message.text;
				for (const { args } of message.nested) yield* stringsIn(args, DEPTH);
				break;
			case "user":
				yield message.text;
		}
	}
}

/** A value under a name is read as its assignment: `{"password": "…"}` says by its key what the value is. */
function* stringsIn(value: unknown, depth: number, name = ""): Generator<string, void, undefined> {
	if (typeof value === "string") {
		const text = value.slice(0, ARGUMENT_BOUND);
		yield name === "" ? text : `${name}: ${JSON.stringify(text)}`;
		if (name !== "") yield text;
	}
	if (depth === 0 || typeof value !== "object" || value === null) return;
	for (const [key, part] of Object.entries(value))
		yield* stringsIn(part, depth - 1, Array.isArray(value) ? name : key);
}

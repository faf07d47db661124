import type { Entry } from "./entry.ts";
import { isMessageEntry, readMessage } from "./message.ts";

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
			case "user":
			case "toolResult":
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

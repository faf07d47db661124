import { atOnce, inSlices, isObject, objectsIn, Pace, readSpan, type Steps } from "../text/files/index.ts";
import { exceptWords, hideKnown, redact, redactSteps, secretSteps } from "../text/index.ts";
import { EntryCollector } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { type Line, linesOf } from "./lines.ts";
import { readLog } from "./log-file.ts";
import { contentText, type Message, readMessage } from "./message.ts";

/** What an entry reveals: secrets, and redacted texts whose words stay visible even if they equal a secret. */
interface Found {
	secrets: ReadonlySet<string>;
	words: readonly string[];
	/** The entry's message, in which each text is redacted as a whole. */
	message: Message | undefined;
}

/** Entries never change, so each is searched only once. */
const found = new WeakMap<Entry, Found>();

/** Returns the secrets that these entries reveal, except those that are also the user's words or parts of a path. */
export function secretsOf(entries: readonly Entry[]): ReadonlySet<string> {
	const all = entries.map((entry) => found.get(entry) ?? atOnce(searchSteps(entry)));
	return exceptWords(
		new Set(all.flatMap(({ secrets }) => [...secrets])),
		all.flatMap(({ words }) => words),
	);
}

function* searchSteps(entry: Entry): Steps<Found> {
	const own: Found = {
		secrets: yield* secretSteps(textsIn([entry])),
		words: yield* wordSteps(entry),
		message: yield* redactedSteps(readMessage(entry)),
	};
	found.set(entry, own);
	return own;
}

/**
 * Returns an entry's message, in which each text is redacted as a whole, because a single line of a text may not show that it contains a
 * secret. Only the user's messages are redacted if the entry has not been searched for secrets, as in lists.
 */
export function safeMessage(entry: Entry): Message | undefined {
	const searched = found.get(entry);
	if (searched) return searched.message;
	const message = readMessage(entry);
	if (message?.role !== "user" || !message.text.includes("\n")) return message;
	return { ...message, text: redact(message.text) };
}

/** Redacts the texts of a message. Returns the same object if it contains no secret. */
function* redactedSteps(message: Message | undefined): Steps<Message | undefined> {
	if (message === undefined) return undefined;
	const safe = new Map<string, string>();
	for (const text of new Set(stringsIn(message, DEPTH + 2))) {
		// A text of one line is redacted when it is shown.
		if (!text.includes("\n")) continue;
		const changed = yield* redactSteps(text);
		if (changed !== text) safe.set(text, changed);
	}
	const whole = safe.size === 0 ? message : mapStrings(message, (text) => safe.get(text) ?? text);
	if (whole.role !== "assistant") return whole;
	const calls = whole.calls.map((call) => ({ ...call, args: safeArguments(call.args) }));
	return calls.some(({ args }, at) => args !== whole.calls[at]?.args) ? { ...whole, calls } : whole;
}

/**
 * Returns a call's arguments without the values that are secret according to their key: `{"password": "…"}`,
 * `{"name": "DB_PASSWORD", "value": "…"}`. Returns the same object if there are none. Long texts, such as a file's content, are not changed.
 */
export function safeArguments<T>(args: T): T {
	const short = JSON.stringify(args, (_, value) =>
		typeof value === "string" && value.length > LONGEST_NAMED ? "" : value,
	);
	if (short === undefined || short.length > AT_ONCE) return args;
	const safe = redact(short);
	if (safe === short) return args;
	const values = stringValuesIn(safe);
	const own = stringValuesIn(short);
	if (values?.length !== own?.length) return args;
	let at = 0;
	return mapStrings(args, (text) => {
		const value = values?.[at++];
		return value === undefined || value === own?.[at - 1] ? text : value;
	});
}

/** Returns all string values in JSON, in order; undefined if it is no JSON. */
function stringValuesIn(json: string): string[] | undefined {
	const values: string[] = [];
	try {
		mapStrings(JSON.parse(json), (text) => {
			values.push(text);
			return text;
		});
		return values;
	} catch {
		// A redacted escape sequence can leave text that is no JSON. Then the arguments are redacted one by one, when they are shown.
		return undefined;
	}
}

/** Number of characters that are searched without a pause. */
const AT_ONCE = 32 * 1024;

/**
 * Searches the entries that have not been searched yet, in time slices, so that all of them can then be read without a pause. Returns
 * undefined if they are so short that no pause is needed.
 */
export function searchInSlices(
	entries: readonly Entry[],
	{ step }: Pick<Pace, "step"> = new Pace(),
): Promise<void> | undefined {
	const fresh = entries.filter((entry) => !found.has(entry));
	let length = 0;
	for (const text of textsIn(fresh)) length += text.length;
	if (length < AT_ONCE) return undefined;
	const search = async () => {
		for (const entry of fresh) await inSlices(searchSteps(entry), step);
	};
	return search();
}

/** Like {@link secretsOf}, for lines of a session file. `step` is called wherever the search may pause; see {@link Pace}. */
export async function secretsInLines(
	lines: Iterable<Line>,
	step: Pace["step"],
): Promise<ReadonlySet<string>> {
	const entries: Entry[] = [];
	const secrets = new Set<string>();
	for (const line of lines) entries.push(...entriesIn(line).entries);
	for (const entry of entries)
		for (const secret of await inSlices(secretSteps(textsIn([entry])), step)) secrets.add(secret);
	const words: string[] = [];
	for (const entry of secrets.size > 0 ? entries : [])
		words.push(...(await inSlices(wordSteps(entry), step)));
	return exceptWords(secrets, words);
}

export function entriesIn(line: Line): EntryCollector["parsed"] {
	const collector = new EntryCollector();
	collector.add(line);
	return collector.parsed;
}

/** Maximum number of bytes that are searched for secrets at each end of a session file. */
const END_BYTES = 4 * 1024 * 1024;

/**
 * Returns the secrets that are revealed by messages at the beginning or the end of a session file, or in `part`, another range of its
 * bytes.
 */
export function secretsInFile(
	path: string,
	step: Pace["step"],
	part = { start: 0, length: 0 },
): Promise<ReadonlySet<string>> {
	const spans = readLog(path, (file) => {
		const tail = Math.max(END_BYTES, file.stamp.size - END_BYTES);
		const parts = [{ start: 0, length: END_BYTES }, { start: tail, length: END_BYTES }, part];
		return parts.map(({ start, length }) => readSpan(file, start, length));
	});
	const lines = Array.isArray(spans) ? spans.flatMap((bytes) => [...linesOf(bytes)]) : [];
	return secretsInLines(lines, step);
}

/** Matches a word that is part of a path, but not the password in a URL. */
const PATH = /(?<![:\w.@~-])[\w.@~-]*(?:[/\\][\w.@~-]+)+/g;

/** Returns the texts whose words stay visible even if they equal a secret, redacted: the user's requests and paths. */
export function* wordSteps(entry: Entry): Steps<string[]> {
	const message = readMessage(entry);
	if (message?.role === "user") return [yield* redactSteps(message.text)];
	const words: string[] = [];
	for (const { args } of message?.role === "assistant" ? message.calls : [])
		for (const text of stringsIn(args, DEPTH)) {
			yield;
			const paths = text.slice(0, LONGEST_NAMED).match(PATH);
			if (paths) words.push(yield* redactSteps(paths.join(" ")));
		}
	return words;
}

/** Redacts known values everywhere in plain data. This must be done before texts are cut, because half a secret is still a secret. */
export function withoutSecrets<T>(value: T, known: ReadonlySet<string>): T {
	return known.size === 0 ? value : mapStrings(value, (text) => hideKnown(text, known));
}

/** Returns a copy of plain data with `change` applied to every string. */
function mapStrings<T>(value: T, change: (text: string) => string): T {
	// Each value keeps its type, but the compiler cannot verify this for a generic type.
	if (typeof value === "string") return change(value) as T;
	if (Array.isArray(value)) return value.map((part) => mapStrings(part, change)) as T;
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapStrings(part, change)])) as T;
}

const DEPTH = 6;

/**
 * Yields every text of these entries: prompts, replies, reasoning, arguments and results of calls, commands and their output, summaries and
 * the messages of extensions. The texts can then be searched for secrets (`secretsIn`).
 */
export function* textsIn(entries: Iterable<Entry>): Generator<string, void, undefined> {
	for (const entry of entries) {
		const message = readMessage(entry);
		switch (message?.role) {
			case "bash":
				yield message.command;
				yield message.output;
				break;
			case "assistant":
				yield message.text;
				yield message.errorMessage;
				yield* reasoningIn(entry);
				for (const { args } of message.calls) yield* stringsIn(args, DEPTH);
				break;
			case "toolResult":
				yield message.text;
				for (const { args } of message.nested) yield* stringsIn(args, DEPTH);
				break;
			case "user":
				yield message.text;
				break;
			default:
				if (typeof entry["summary"] === "string") yield entry["summary"];
				if (entry.type === "custom_message") yield contentText(entry["content"]);
		}
	}
}

/** Yields the hidden reasoning of a reply. It is never shown, but it may be the only text that says what a value is. */
function* reasoningIn(entry: Entry): Generator<string, void, undefined> {
	const { message } = entry;
	for (const { thinking } of isObject(message) ? objectsIn(message["content"]) : [])
		if (typeof thinking === "string") yield thinking;
}

/** Maximum length of a value that its key can reveal as a secret. A longer value is treated as text and searched on its own. */
const LONGEST_NAMED = 2_000;

/** A value with a key is treated like an assignment, because the key shows what the value is: `{"password": "…"}`. */
function* stringsIn(value: unknown, depth: number, name = ""): Generator<string, void, undefined> {
	if (typeof value === "string") {
		yield value;
		if (name !== "" && value.length <= LONGEST_NAMED) yield `${name}: ${JSON.stringify(value)}`;
	}
	if (depth === 0 || typeof value !== "object" || value === null) return;
	for (const [key, part] of Object.entries(value))
		yield* stringsIn(part, depth - 1, Array.isArray(value) ? name : key);
}

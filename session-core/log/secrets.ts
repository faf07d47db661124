import {
	atOnce,
	inSlices,
	isObject,
	objectsIn,
	Pace,
	type RegularFile,
	readSpan,
	type Steps,
} from "../text/files/index.ts";
import {
	exceptWords,
	hideKnown,
	isDistinctive,
	redact,
	redactSteps,
	secretSteps,
	secretsIn,
} from "../text/index.ts";
import { EntryCollector } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { type Line, linesFromEnd, linesOf } from "./lines.ts";
import { readLog } from "./log-file.ts";
import { contentText, hasRole, type Message, readMessage } from "./message.ts";

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
	return safe.size === 0 ? message : mapStrings(message, (text) => safe.get(text) ?? text);
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

function entriesIn(line: Line): EntryCollector["parsed"] {
	const collector = new EntryCollector();
	collector.add(line);
	return collector.parsed;
}

/** Number of bytes at the beginning and at the end of a file that are searched for text that reveals a secret in a list. */
const LIST_HEAD = 128 * 1024;
/** A card reads about this many bytes, so it finds little that a list does not. */
const LIST_TAIL = 1024 * 1024;
/** Maximum number of bytes from each end that are parsed, because searching them for secrets must not take longer than a slice. */
const MOST_PARSED = 128 * 1024;
/** Maximum number of places at each end at which a suspicious word is searched for text that reveals it. */
const MOST_PLACES = 8;
/** Number of characters before and after a word that may show that it is a secret, such as its name, a command or a table's first line. */
const NEAR = { before: 1_000, after: 300 };
/** Matches a word with letters and digits. Such a word may be a secret that only another part of the session identifies as one. */
const UNUSUAL = /(?<![A-Za-z\d])(?=[^\s\d"]{0,60}\d)(?=[^\sA-Za-z"]{0,60}[A-Za-z])[^\s"]{6,}/g;
/** Matches the signs that separate a value from its name and from other values. */
const BETWEEN_VALUES = /[:=/@,;&?"'`()[\]{}<>|]+/;

/** Returns the words of a text, or parts of them, that may be secrets. Names of files, versions, ids and commits' hashes are not. */
function suspectsIn(text: string): string[] {
	const words = text.match(UNUSUAL) ?? [];
	return words
		.flatMap((word) => [word, ...word.split(BETWEEN_VALUES), ...runsIn(word)])
		.filter((value) => isDistinctive(value, { isCut: true }));
}

/**
 * Returns the secrets in `texts` that the beginning or the end of the session's file reveals. Text that reveals a secret contains it, so
 * only the places that share part of a suspicious word with `texts` are searched.
 */
export function revealedSecrets(texts: readonly string[], file: RegularFile): ReadonlySet<string> {
	const parts = [...new Set(texts.flatMap(suspectsIn).flatMap(partsOf))];
	if (parts.length === 0) return NONE;
	const { size } = file.stamp;
	const tail = Math.max(LIST_HEAD, size - LIST_TAIL);
	const spans = [
		readSpan(file, 0, Math.min(size, LIST_HEAD)),
		readSpan(file, tail, Math.max(0, size - tail)),
	];
	const found = spans.map((bytes) => placesOf(parts, bytes));
	const secrets = secretsIn(found.flatMap(({ places }) => places));
	const entries = secrets.size > 0 ? found.flatMap((one) => one.entries) : [];
	return exceptWords(
		secrets,
		entries.flatMap((entry) => atOnce(wordSteps(entry))),
	);
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the text around the last occurrences of some words in the lines of a session file, and the entries that contain it. */
function placesOf(parts: readonly string[], bytes: Buffer): { places: string[]; entries: Entry[] } {
	const places: string[] = [];
	const entries: Entry[] = [];
	let room = MOST_PARSED;
	for (const line of linesFromEnd(bytes)) {
		if (places.length >= MOST_PLACES) break;
		if (line.bytes.length > room || !parts.some((part) => line.bytes.includes(part))) continue;
		room -= line.bytes.length;
		const own = entriesIn(line).entries;
		entries.push(...own);
		for (const text of textsIn(own)) places.push(...placesIn(text, parts));
	}
	return { places: places.slice(0, MOST_PLACES), entries };
}

/** Returns the text around each occurrence of some words, without overlap. */
function placesIn(text: string, parts: readonly string[]): string[] {
	const places: string[] = [];
	for (let from = 0; places.length < MOST_PLACES; ) {
		const found = parts.map((part) => text.indexOf(part, from)).filter((at) => at >= 0);
		if (found.length === 0) break;
		const at = Math.min(...found);
		from = at + NEAR.after;
		places.push(text.slice(Math.max(0, at - NEAR.before), from));
	}
	return places;
}

/** Number of characters at the end of a reply that show whether it asks something. */
const REPLY_END = 1_000;

/** Returns the secrets in the last reply among these entries, if the end of that reply may contain one. */
export function secretsInReply(entries: readonly Entry[]): ReadonlySet<string> {
	const reply = entries.findLast((entry) => hasRole(entry, "assistant"));
	const message = reply && readMessage(reply);
	const text = message?.role === "assistant" ? message.text : "";
	return secretsIn(suspectsIn(text.slice(-REPLY_END)).length > 0 ? [text] : []);
}

/**
 * Returns parts of a word such that any secret in the word must contain at least one of them. A secret consists of whole runs of letters
 * and digits, and at least one run usually mixes both.
 */
function partsOf(word: string): string[] {
	const runs = runsIn(word);
	const mixed = runs.filter((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
	return mixed.length > 0 ? mixed : runs.filter((run) => /\d/.test(run));
}

function runsIn(word: string): readonly string[] {
	return word.match(/[A-Za-z\d]+/g) ?? [];
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
function* wordSteps(entry: Entry): Steps<string[]> {
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

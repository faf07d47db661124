import { atOnce, inSlices, isObject, objectsIn, Pace, readSpan, type Steps } from "../text/files/index.ts";
import { exceptWords, hideKnown, REDACTED, redact, redactSteps, secretSteps } from "../text/index.ts";
import { EntryCollector } from "./entries.ts";
import { boundedText, contentText, type Entry, type Message, readMessage } from "./entry.ts";
import { type Line, linesOf } from "./lines.ts";
import { readLogSlowly } from "./log-file.ts";

/**
 * `words` contains the user's words and paths, which stay visible even if they are identical to a
 * secret.
 */
interface Found {
	secrets: ReadonlySet<string>;
	words: readonly string[];
	message: Message | undefined;
	commands: Commands;
}

type Commands = ReadonlyMap<string, string>;

/** Entries never change, so each entry is searched for secrets only once. */
const found = new WeakMap<Entry, Found>();

/**
 * Returns the secrets that the given session entries contain. A word that also occurs in a user's request
 * or in a file path is omitted, because it may be an ordinary word.
 */
export function secretsOf(entries: readonly Entry[]): ReadonlySet<string> {
	const search = searchOf(entries);
	const all = entries.map((entry) => found.get(entry) ?? atOnce(search(entry)));
	return exceptWords(
		new Set(all.flatMap(({ secrets }) => [...secrets])),
		all.flatMap(({ words }) => words),
	);
}

function searchOf(entries: readonly Entry[]): (entry: Entry) => Steps<Found> {
	const commands = new Map(entries.flatMap((entry) => [...(found.get(entry)?.commands ?? [])]));
	return function* (entry) {
		const own: Found = {
			secrets: yield* secretSteps(textsIn([entry], commands)),
			words: yield* wordSteps(entry),
			message: yield* redactedSteps(readMessage(entry)),
			commands: commandsIn(readMessage(entry)),
		};
		found.set(entry, own);
		return own;
	};
}

function commandsIn(message: Message | undefined): Commands {
	const calls = message?.role === "assistant" ? message.calls : [];
	return new Map(calls.map(({ id, args }) => [id, commandOf(args)]));
}

function commandOf(args: Record<string, unknown>): string {
	let command = "";
	for (const text of stringsIn(args, DEPTH, false)) {
		command += ` ${text.slice(0, LONGEST_NAMED)}`;
		if (command.length > LONGEST_NAMED) break;
	}
	return command.slice(1);
}

/**
 * Redacts a message as a whole, because a single line may not show that it contains a secret. Before an
 * entry has been searched for secrets, the entry is redacted only if it is a message from the user.
 */
export function safeMessage(entry: Entry): Message | undefined {
	const searched = found.get(entry);
	if (searched) return searched.message;
	const request = requests.get(entry);
	if (request) return request;
	const message = readMessage(entry);
	if (message?.role !== "user" || !isRedactedWhole(message.text)) return message;
	return { ...message, text: redact(message.text) };
}

/**
 * Returns true for long text and for text with several lines. Such text must be redacted as a whole,
 * whereas a short line is redacted when it is displayed.
 */
function isRedactedWhole(text: string): boolean {
	return text.includes("\n") || text.length > LONGEST_NAMED;
}

const requests = new WeakMap<Entry, Message>();

export function* redactRequests(entries: readonly Entry[]): Steps<void> {
	for (const entry of entries) {
		const message = found.has(entry) || requests.has(entry) ? undefined : readMessage(entry);
		if (message?.role === "user" && isRedactedWhole(message.text))
			requests.set(entry, { ...message, text: yield* redactSteps(message.text) });
	}
}

function* redactedSteps(message: Message | undefined): Steps<Message | undefined> {
	if (message === undefined) return undefined;
	const safe = new Map<string, string>();
	for (const text of new Set(stringsIn(message, DEPTH + 2))) {
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
 * Redacts values whose keys show that the values are secret: `{"password": "…"}`, `{"name":
 * "DB_PASSWORD", "value": "…"}`. Long strings, such as a file's content, are not changed. Returns the
 * same object if nothing is secret.
 */
export function safeArguments<T>(args: T): T {
	const short = JSON.stringify(mapStrings(args, (text) => (text.length > LONGEST_NAMED ? "" : text)));
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

function stringValuesIn(json: string): string[] | undefined {
	const values: string[] = [];
	try {
		mapStrings(JSON.parse(json), (text) => {
			values.push(text);
			return text;
		});
		return values;
	} catch {
		return undefined;
	}
}

const PRINTED = /^(\s*)(\S{1,400})[ \t]*(?=\r?\n|$)/;

/** The output of `gh auth token` is a single word. Only the command shows that the word is a secret. */
export function withoutPrintedSecret(command: string, output: string): string {
	const [, blank = "", word = ""] = PRINTED.exec(output) ?? [];
	if (word === "" || !redact(`$ ${command}\n${word}`).endsWith(`\n${REDACTED}`)) return output;
	return blank + REDACTED + output.slice(blank.length + word.length);
}

const AT_ONCE = 32 * 1024;

/**
 * Searches new entries for secrets in time slices. Returns undefined if the new entries are short
 * enough for `secretsOf` to search them at once.
 */
export function searchInSlices(
	entries: readonly Entry[],
	{ step }: Pick<Pace, "step"> = new Pace(),
): Promise<void> | undefined {
	const fresh = entries.filter((entry) => !found.has(entry));
	let length = 0;
	for (const text of textsIn(fresh)) length += text.length;
	if (length < AT_ONCE) return undefined;
	const run = async () => {
		const search = searchOf(entries);
		for (const entry of fresh) await inSlices(search(entry), step);
	};
	return run();
}

export async function secretsInLines(
	lines: Iterable<Line>,
	step: Pace["step"],
): Promise<ReadonlySet<string>> {
	const entries: Entry[] = [];
	const secrets = new Set<string>();
	for (const line of lines) entries.push(...entriesIn(line).entries);
	const commands = new Map<string, string>();
	for (const entry of entries)
		for (const secret of await inSlices(secretSteps(textsIn([entry], commands)), step)) secrets.add(secret);
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

const END_BYTES = 4 * 1024 * 1024;

/** Searches the first 4 MB, the last 4 MB and the given `part` of a session file for secrets. */
export async function secretsInFile(
	path: string,
	step: Pace["step"],
	part = { start: 0, length: 0 },
): Promise<ReadonlySet<string>> {
	const read = await readLogSlowly(path, async (file) => {
		const tail = Math.max(END_BYTES, file.stamp.size - END_BYTES);
		const parts = [{ start: 0, length: END_BYTES }, { start: tail, length: END_BYTES }, part];
		return { ok: true, spans: parts.map(({ start, length }) => readSpan(file, start, length)) };
	});
	const lines = read.ok ? read.spans.flatMap((bytes) => [...linesOf(bytes)]) : [];
	return secretsInLines(lines, step);
}

/** Matches paths, but not the password in a URL, such as `https://user:password@host`. */
const PATH = /(?<![:\w.@~-])[\w.@~-]*(?:[/\\][\w.@~-]+)+/g;

export function* wordSteps(entry: Entry): Steps<string[]> {
	const message = readMessage(entry);
	if (message?.role === "user") return [yield* redactSteps(message.text)];
	const words: string[] = [];
	for (const { args } of message?.role === "assistant" ? message.calls : [])
		for (const text of argumentStrings(args)) {
			yield;
			const paths = text.slice(0, LONGEST_NAMED).match(PATH);
			if (paths) words.push(yield* redactSteps(paths.join(" ")));
		}
	return words;
}

/**
 * Redacts known secrets in every string within a value. Call this function before the strings are
 * shortened, because half a secret is still a secret.
 */
export function withoutSecrets<T>(value: T, known: ReadonlySet<string>): T {
	return known.size === 0 ? value : mapStrings(value, (text) => hideKnown(text, known));
}

/** The maximum depth of nested values. Reading deeper values could overflow the stack. */
const MAX_DEPTH = 100;

function mapStrings<T>(value: T, change: (text: string) => string, depth = MAX_DEPTH): T {
	if (typeof value === "string") return change(value) as T;
	if (typeof value !== "object" || value === null) return value;
	if (depth === 0) return undefined as T;
	if (Array.isArray(value)) return value.map((part) => mapStrings(part, change, depth - 1)) as T;
	const changed = Object.entries(value).map(([key, part]) => [key, mapStrings(part, change, depth - 1)]);
	return Object.fromEntries(changed) as T;
}

const DEPTH = 6;

/**
 * Yields every string that may reveal a secret, including hidden reasoning and tool arguments. The tool
 * calls in the entries are added to `commands`.
 */
export function* textsIn(
	entries: Iterable<Entry>,
	commands = new Map<string, string>(),
): Generator<string, void, undefined> {
	for (const entry of entries) {
		const message = readMessage(entry);
		switch (message?.role) {
			case "bash":
				yield message.command;
				yield message.output;
				yield* printedText(message.command, message.output);
				break;
			case "assistant":
				yield message.text;
				yield message.errorMessage;
				yield* reasoningIn(entry);
				for (const { args } of message.calls) yield* stringsIn(args, DEPTH);
				for (const [id, command] of commandsIn(message)) commands.set(id, command);
				break;
			case "toolResult":
				yield message.text;
				yield* printedText(commands.get(message.callId), message.text);
				for (const { args } of message.nested) yield* stringsIn(args, DEPTH);
				break;
			case "user":
				yield message.text;
				break;
			default:
				if (typeof entry["summary"] === "string") yield boundedText(entry["summary"]);
				if (entry.type === "custom_message") yield contentText(entry["content"]);
		}
	}
}

function* printedText(command: string | undefined, output: string): Generator<string, void, undefined> {
	const word = PRINTED.exec(output)?.[2];
	if (command && word) yield `$ ${command}\n${word}`;
}

/**
 * Hidden reasoning is never displayed, but it may be the only text that identifies a value as a
 * secret.
 */
function* reasoningIn(entry: Entry): Generator<string, void, undefined> {
	const { message } = entry;
	for (const { thinking } of isObject(message) ? objectsIn(message["content"]) : [])
		if (typeof thinking === "string") yield thinking;
}

const LONGEST_NAMED = 2_000;

export function argumentStrings(args: Record<string, unknown>): string[] {
	return [...stringsIn(args, DEPTH, false)];
}

/**
 * A value is searched together with its key, because the key may show that the value is a secret:
 * `password: "…"`.
 */
function* stringsIn(
	value: unknown,
	depth: number,
	isNamed = true,
	name = "",
): Generator<string, void, undefined> {
	if (typeof value === "string") {
		yield value;
		if (isNamed && name !== "" && value.length <= LONGEST_NAMED) yield `${name}: ${JSON.stringify(value)}`;
	}
	if (depth === 0 || typeof value !== "object" || value === null) return;
	for (const [key, part] of Object.entries(value))
		yield* stringsIn(part, depth - 1, isNamed, Array.isArray(value) ? name : key);
}

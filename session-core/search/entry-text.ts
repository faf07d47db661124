import { isObject, type JsonObject } from "../json.ts";
import { syntheticId } from "../session-file/entries.ts";
import { contentText, readNestedCalls } from "../session-file/message.ts";
import { parseLine } from "../session-file/parse-line.ts";
import { cleanText } from "../text/sanitize.ts";

/**
 * Where a searched text comes from. `action`: a command or an edit. `result`: the output of an action. `note`: a name, a recap or a
 * summary.
 */
export type Speaker = "user" | "assistant" | "action" | "result" | "note";

export interface EntryText {
	by: Speaker;
	text: string;
	/** The id of the call, which an action shares with its result; undefined for the user's own commands, whose entry contains both. */
	call?: string | undefined;
}

/** Number of characters that are searched at each end of a long result. The beginning and the end show the outcome. */
const RESULT_HEAD = 1_200;
const RESULT_TAIL = 1_200;
/**
 * Maximum number of characters that are searched in each argument of a tool call. Long content that is written to a file is therefore
 * searched only in part.
 */
const ARGUMENT = 1_500;
const TEXT = 40_000;
const OWN_TOOLS: ReadonlySet<string> = new Set(["session_search", "session_read"]);
const RECAP = "session-suite:recap";

/** An entry with the text that is searched. */
export interface TextEntry {
	/** The entry's id. For entries of version 1, which have none, see {@link syntheticId}. */
	entryId: string;
	/** When the entry was written, in milliseconds; undefined if the file does not say. */
	at: number | undefined;
	texts: EntryText[];
	/** The hidden reasoning, unredacted. It is counted for ranking, and must never be shown. */
	thought: string;
}

/** Makes the whole text of an entry safe to show, before it is cut to `ends` characters at its beginning and its end. */
export type Safe = (text: string, ends: number) => string;

/** Used for ranking, which shows no text. Escape sequences are removed, because they would otherwise become part of adjacent words. */
const forRanking: Safe = (text) => (text.includes("\x1b") ? cleanText(text) : text);

/**
 * Returns the entries with text in one line of a session file, usually a single entry. `offset` is the byte offset of the line in the file.
 * Texts that are shown need a `safe` that redacts them, because half a secret is not recognized as one.
 */
export function entriesOf(line: Buffer, offset: number, safe: Safe = forRanking): TextEntry[] {
	return parseLine(line.toString("utf8")).objects.flatMap((entry, index) => {
		const texts = entryTexts(entry, safe);
		if (texts.length === 0) return [];
		const { id, timestamp, message } = entry;
		const at = Date.parse(textOf(timestamp));
		return [
			{
				entryId: typeof id === "string" ? id : syntheticId(offset, index),
				at: Number.isNaN(at) ? undefined : at,
				texts,
				thought: isObject(message) ? thoughtIn(message["content"]) : "",
			},
		];
	});
}

function thoughtIn(content: unknown): string {
	const blocks = Array.isArray(content) ? content.filter(isObject) : [];
	return blocks.map((block) => textOf(block["thinking"]).slice(0, TEXT)).join("\n");
}

/** Returns the text of an entry, divided into parts by origin. Hidden reasoning and most of a long output are left out. */
function entryTexts(entry: JsonObject, safe: Safe): EntryText[] {
	switch (entry["type"]) {
		case "message":
			return isObject(entry["message"]) ? messageTexts(entry["message"], safe) : [];
		case "custom_message":
			return entry["display"] === false ? [] : note(contentText(entry["content"]), safe);
		case "compaction":
		case "branch_summary":
			return note(entry["summary"], safe);
		case "session_info":
			return note(entry["name"], safe);
		case "custom":
			return entry["customType"] === RECAP ? note(recapText(entry["data"]), safe) : [];
		default:
			return [];
	}
}

function messageTexts(message: JsonObject, safe: Safe): EntryText[] {
	const text = () => beginningOf(contentText(message["content"]), TEXT, safe);
	switch (message["role"]) {
		case "user":
			return textsBy("user", text());
		case "assistant":
			return [
				...textsBy("assistant", text()),
				...callTexts(message["content"], safe),
				...textsBy("result", ends(textOf(message["errorMessage"]), safe)),
			];
		case "toolResult":
			// Results of earlier searches are skipped, because otherwise each search would find them again.
			if (OWN_TOOLS.has(textOf(message["toolName"]))) return [];
			return [
				...textsBy("result", ends(contentText(message["content"]), safe), textOf(message["toolCallId"])),
				...textsBy("action", nestedCalls(message["nestedCalls"], safe)),
			];
		case "bashExecution":
			// What the user has excluded from the context (`!!command`) must not reach a model through a search either.
			if (message["excludeFromContext"] === true) return [];
			return [
				...textsBy("action", beginningOf(textOf(message["command"]), TEXT, safe)),
				...textsBy("result", ends(textOf(message["output"]), safe)),
			];
		default:
			return [];
	}
}

function textsBy(by: Speaker, text: string, call?: string): EntryText[] {
	return text.trim() === "" ? [] : [{ by, text, call }];
}

function note(text: unknown, safe: Safe): EntryText[] {
	return textsBy("note", beginningOf(textOf(text), TEXT, safe));
}

function callTexts(content: unknown, safe: Safe): EntryText[] {
	if (!Array.isArray(content)) return [];
	return content.filter(isObject).flatMap(({ type, id, name, arguments: args }) => {
		if (type !== "toolCall" || OWN_TOOLS.has(textOf(name))) return [];
		return textsBy("action", callText(name, args, safe), textOf(id));
	});
}

/** Returns the text of the tool calls that a script made. These calls are recorded only in the script's result. */
function nestedCalls(value: unknown, safe: Safe): string {
	return readNestedCalls(value)
		.map(({ name, args }) => callText(name, args, safe))
		.join("\n");
}

function callText(name: unknown, args: unknown, safe: Safe): string {
	return [beginningOf(textOf(name), ARGUMENT, safe), ...stringsIn(args, safe)].join(" ");
}

/** Maximum depth at which strings in a call's arguments are searched. */
const DEPTH = 8;

/**
 * Returns the strings in a call's arguments, each clipped. The raw JSON of the arguments is not searched, because its escape sequences
 * would become part of words and hide secrets.
 */
function stringsIn(value: unknown, safe: Safe, depth = DEPTH): string[] {
	if (typeof value === "string") return [beginningOf(value, ARGUMENT, safe)];
	if (typeof value !== "object" || value === null || depth === 0) return [];
	return Object.values(value).flatMap((inner) => stringsIn(inner, safe, depth - 1));
}

/** Returns the beginning and the end of a text. */
function ends(text: string, safe: Safe): string {
	const whole = safe(text, Math.max(RESULT_HEAD, RESULT_TAIL));
	if (whole.length <= RESULT_HEAD + RESULT_TAIL) return whole;
	return `${whole.slice(0, RESULT_HEAD).toWellFormed()}\n…\n${whole.slice(-RESULT_TAIL).toWellFormed()}`;
}

/** Returns the beginning of a text, up to `length` characters. */
function beginningOf(text: string, length: number, safe: Safe): string {
	const whole = safe(text, length);
	return whole.length <= length ? whole : whole.slice(0, length).toWellFormed();
}

function recapText(data: unknown): string {
	if (!isObject(data)) return "";
	const lists = [data["bullets"], data["next_actions"]].flatMap((list) => (Array.isArray(list) ? list : []));
	return [data["headline"], ...lists].filter((text) => typeof text === "string").join("\n");
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

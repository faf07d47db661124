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
}

/**
 * Returns the entries with text in one line of a session file, usually a single entry. `offset` is the byte offset of the line in the file.
 */
export function entriesOf(line: Buffer, offset: number): TextEntry[] {
	return parseLine(line.toString("utf8")).objects.flatMap((entry, index) => {
		const texts = entryTexts(entry);
		if (texts.length === 0) return [];
		const { id, timestamp } = entry;
		const at = Date.parse(textOf(timestamp));
		return [
			{
				entryId: typeof id === "string" ? id : syntheticId(offset, index),
				at: Number.isNaN(at) ? undefined : at,
				texts,
			},
		];
	});
}

/** Returns the text of an entry, divided into parts by origin. Hidden reasoning and most of a long output are left out. */
function entryTexts(entry: JsonObject): EntryText[] {
	switch (entry["type"]) {
		case "message":
			return isObject(entry["message"]) ? messageTexts(entry["message"]) : [];
		case "custom_message":
			return entry["display"] === false ? [] : note(contentText(entry["content"]));
		case "compaction":
		case "branch_summary":
			return note(entry["summary"]);
		case "session_info":
			return note(entry["name"]);
		case "custom":
			return entry["customType"] === RECAP ? note(recapText(entry["data"])) : [];
		default:
			return [];
	}
}

function messageTexts(message: JsonObject): EntryText[] {
	const text = () => beginningOf(contentText(message["content"]), TEXT);
	switch (message["role"]) {
		case "user":
			return textsBy("user", text());
		case "assistant":
			return [
				...textsBy("assistant", text()),
				...textsBy("action", callsText(message["content"])),
				...textsBy("result", ends(textOf(message["errorMessage"]))),
			];
		case "toolResult":
			// Results of earlier searches are skipped, because otherwise each search would find them again.
			if (OWN_TOOLS.has(textOf(message["toolName"]))) return [];
			return [
				...textsBy("result", ends(contentText(message["content"]))),
				...textsBy("action", nestedCalls(message["nestedCalls"])),
			];
		case "bashExecution":
			return [
				...textsBy("action", textOf(message["command"])),
				...textsBy("result", ends(textOf(message["output"]))),
			];
		default:
			return [];
	}
}

/** Escape sequences are removed, because they would otherwise become part of adjacent words. */
function textsBy(by: Speaker, raw: string): EntryText[] {
	const text = raw.includes("\x1b") ? cleanText(raw) : raw;
	return text.trim() === "" ? [] : [{ by, text }];
}

function note(text: unknown): EntryText[] {
	return textsBy("note", beginningOf(textOf(text), TEXT));
}

function callsText(content: unknown): string {
	if (!Array.isArray(content)) return "";
	return content
		.filter(
			(block) => isObject(block) && block["type"] === "toolCall" && !OWN_TOOLS.has(textOf(block["name"])),
		)
		.map((block) => callText(block["name"], block["arguments"]))
		.join("\n");
}

/** Returns the text of the tool calls that a script made. These calls are recorded only in the script's result. */
function nestedCalls(value: unknown): string {
	return readNestedCalls(value)
		.map(({ name, args }) => callText(name, args))
		.join("\n");
}

function callText(name: unknown, args: unknown): string {
	return [textOf(name), ...stringsIn(args)].join(" ");
}

/** Maximum depth at which strings in a call's arguments are searched. */
const DEPTH = 8;

/**
 * Returns the strings in a call's arguments, each clipped. The raw JSON of the arguments is not searched, because its escape sequences
 * would become part of words and hide secrets.
 */
function stringsIn(value: unknown, depth = DEPTH): string[] {
	if (typeof value === "string") return [beginningOf(value, ARGUMENT)];
	if (typeof value !== "object" || value === null || depth === 0) return [];
	return Object.values(value).flatMap((inner) => stringsIn(inner, depth - 1));
}

function ends(text: string): string {
	if (text.length <= RESULT_HEAD + RESULT_TAIL) return text;
	let start = text.length - RESULT_TAIL;
	while (start < text.length && isWordCharacter(text, start)) start++;
	return `${beginningOf(text, RESULT_HEAD)}\n…\n${text.slice(start)}`;
}

/**
 * Returns the beginning of a text, up to `length` characters. A word at the cut is dropped completely, because it could be a secret, of
 * which the remaining part would not be recognized.
 */
export function beginningOf(text: string, length: number): string {
	if (text.length <= length) return text;
	let end = length;
	while (end > 0 && isWordCharacter(text, end - 1)) end--;
	return text.slice(0, end);
}

/** Secrets consist of visible ASCII characters. Scripts without spaces would otherwise be dropped as a single word. */
function isWordCharacter(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return code > 0x20 && code < 0x7f;
}

function recapText(data: unknown): string {
	if (!isObject(data)) return "";
	const lists = [data["bullets"], data["next_actions"]].flatMap((list) => (Array.isArray(list) ? list : []));
	return [data["headline"], ...lists].filter((text) => typeof text === "string").join("\n");
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

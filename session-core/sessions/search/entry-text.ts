import {
	contentText,
	type Line,
	parseLine,
	readNestedCalls,
	safeArguments,
	syntheticId,
	withoutImages,
	withoutPrintedSecret,
} from "../../log/index.ts";
import {
	cleanText,
	inSlices,
	isObject,
	type JsonObject,
	objectsIn,
	type Pace,
	readTime,
	safeSteps,
	textOf,
	withoutLeadingThought,
} from "../../text/index.ts";

/**
 * An `action` is a command or an edit, a `result` is the output of an action, and a `note` is a summary
 * or an extension's message.
 */
export type Speaker = "user" | "assistant" | "action" | "result" | "note";

export interface EntryText {
	by: Speaker;
	text: string;
	call?: string | undefined;
}

/**
 * The maximum number of characters that are searched: `RESULT` at each end of a tool result, `ARGUMENT`
 * in each argument of a tool call, and `TEXT` in all other content.
 */
const RESULT = 1_200;
const ARGUMENT = 1_500;
const TEXT = 40_000;
/**
 * The tools that search sessions. The output of these tools only quotes other sessions, so it is not
 * searched.
 */
export const SEARCH_TOOLS = ["session_search", "session_read"] as const;
const isSearchTool = (name: unknown) => SEARCH_TOOLS.some((tool) => tool === name);

export interface TextEntry {
	offset: number;
	entryId: string;
	at: number | undefined;
	texts: EntryText[];
	/**
	 * The model's hidden reasoning. It is used for ranking but is not redacted, so it must never be
	 * shown.
	 */
	thought: string;
}

type Safe = (text: string) => string;

/**
 * Prepares text that is used only for ranking. The text is never shown, so it is not redacted. Escape
 * sequences are removed, because they would become part of a word.
 */
const forRanking: Safe = (text) => (text.includes("\x1b") ? cleanText(text) : text);

/** The returned strings are not redacted. Use `safeEntries` to get text that may be shown. */
export function entriesOn({ bytes, offset }: Line, safe: Safe = forRanking): TextEntry[] {
	return parseLine(withoutImages(bytes).toString("utf8")).objects.flatMap((entry, index) => {
		const texts = entryTexts(entry, safe);
		if (texts.length === 0) return [];
		const { id, timestamp, message } = entry;
		const thought = isObject(message) ? thoughtIn(message["content"]) : "";
		const entryId = typeof id === "string" ? id : syntheticId(offset, index);
		return [{ offset, entryId, at: readTime(timestamp), texts, thought }];
	});
}

/**
 * Redacts text before the text is cut, because a truncated secret would not be recognized. `known`
 * contains secrets that were found elsewhere in the session file.
 */
export async function safeEntries(
	lines: readonly Line[],
	known: ReadonlySet<string>,
	step: Pace["step"],
): Promise<TextEntry[]> {
	const safe = new Map<string, string>();
	const note: Safe = (text) => {
		safe.set(text, "");
		return text;
	};
	for (const line of lines) {
		entriesOn(line, note);
		await step();
	}
	for (const text of safe.keys()) safe.set(text, await inSlices(safeSteps(text, known, TEXT), step));
	return withoutPrintedSecrets(lines.flatMap((line) => entriesOn(line, (text) => safe.get(text) ?? "")));
}

/** Redacts one-word output if its command, such as `gh auth token`, shows that the word is a secret. */
function withoutPrintedSecrets(entries: TextEntry[]): TextEntry[] {
	const commands = new Map<string, string>();
	for (const { entryId, texts } of entries)
		for (const { by, text, call = entryId } of texts) if (by === "action") commands.set(call, text);
	for (const { entryId, texts } of entries)
		for (const own of texts)
			if (own.by === "result")
				own.text = withoutPrintedSecret(commands.get(own.call ?? entryId) ?? "", own.text);
	return entries;
}

function thoughtIn(content: unknown): string {
	return objectsIn(content)
		.map((block) => textOf(block["thinking"]).slice(0, TEXT))
		.join("\n");
}

function entryTexts(entry: JsonObject, safe: Safe): EntryText[] {
	const { message } = entry;
	switch (entry["type"]) {
		case "message":
			return isObject(message) ? messageTexts(message, safe) : [];
		case "custom_message":
			return entry["display"] === false
				? []
				: textsBy("note", cut(contentText(entry["content"]), TEXT, safe));
		case "compaction":
		case "branch_summary":
			return textsBy("note", cut(entry["summary"], TEXT, safe));
		// Entries such as labels and saved recaps only repeat what messages say, so these entries are not searched.
		default:
			return [];
	}
}

function messageTexts(message: JsonObject, safe: Safe): EntryText[] {
	const { role, content, toolName, toolCallId, command, output, errorMessage } = message;
	switch (role) {
		case "user":
			return textsBy("user", cut(contentText(content), TEXT, safe));
		case "assistant":
			return [
				...textsBy("assistant", cut(withoutLeadingThought(contentText(content)), TEXT, safe)),
				...objectsIn(content)
					.filter(({ type, name }) => type === "toolCall" && !isSearchTool(name))
					.flatMap(({ id, name, arguments: args }) => textsBy("action", callText(name, args, safe), id)),
				...textsBy("result", bothEnds(errorMessage, safe)),
			];
		case "toolResult": {
			if (isSearchTool(toolName)) return [];
			const nested = readNestedCalls(message["nestedCalls"]);
			return [
				...textsBy("result", bothEnds(contentText(content), safe), toolCallId),
				// A script's calls to other tools are recorded only in the script's tool result.
				...textsBy("action", nested.map(({ name, args }) => callText(name, args, safe)).join("\n")),
			];
		}
		case "bashExecution":
			// The user hid the output of a `!!command` from the model, so a search must not reveal that output.
			if (message["excludeFromContext"] === true) return [];
			return [...textsBy("action", cut(command, TEXT, safe)), ...textsBy("result", bothEnds(output, safe))];
		default:
			return [];
	}
}

function textsBy(by: Speaker, text: string, call?: unknown): EntryText[] {
	return text.trim() === "" ? [] : [{ by, text, call: typeof call === "string" ? call : undefined }];
}

function callText(name: unknown, args: unknown, safe: Safe): string {
	const shown = safe === forRanking ? args : safeArguments(args);
	return stringsIn([name, shown], ARGUMENT, safe).join(" ");
}

const DEPTH = 8;

function stringsIn(value: unknown, length: number, safe: Safe, depth = DEPTH): string[] {
	if (typeof value === "string") return [cut(value, length, safe)];
	if (typeof value !== "object" || value === null || depth === 0) return [];
	return Object.values(value).flatMap((inner) => stringsIn(inner, length, safe, depth - 1));
}

function cut(value: unknown, length: number, safe: Safe): string {
	const whole = safe(textOf(value));
	return whole.length <= length ? whole : whole.slice(0, length).toWellFormed();
}

function bothEnds(value: unknown, safe: Safe): string {
	const whole = safe(textOf(value));
	if (whole.length <= 2 * RESULT) return whole;
	return `${whole.slice(0, RESULT).toWellFormed()}\n…\n${whole.slice(-RESULT).toWellFormed()}`;
}

/** Reads the lines of Codex's logs. docs/agents.md describes the format. */
import { isObject, type JsonObject, objectsIn, parseObject, textOf } from "../text/files/index.ts";
import { questionText } from "../text/index.ts";
import { isBackgroundThread } from "./codex-files.ts";
import {
	aborted,
	agentMessage,
	blockTexts,
	CANCELLED,
	entry,
	exitLine,
	failed,
	header,
	type LogPlace,
	ownWords,
	ROLLBACK,
	reply,
	said,
	toolCall,
	toolResult,
	userCommand,
	userMessage,
} from "./foreign-entries.ts";
import { CODEX } from "./format.ts";

/**
 * Converts a line to the host's entries. Returns undefined if Codex did not write the line. Lines have no ids, and each line follows the
 * one before it. The oldest versions wrote the items without an envelope; in their logs, the times and the folder appear only at the
 * beginning.
 */
export function codexEntries(line: JsonObject): JsonObject[] | undefined {
	const { type, timestamp, payload } = line;
	if (isObject(payload) && typeof type === "string") return LINES.get(type)?.(payload, { timestamp }) ?? [];
	if ("record_type" in line) return [];
	if (type === undefined && typeof line["id"] === "string" && "instructions" in line)
		return metaEntries(line);
	return type === "message" && !("content" in line) ? undefined : ITEMS.get(type)?.(line, {});
}

type Reader = (part: JsonObject, place: LogPlace) => JsonObject[];

const ITEMS = new Map<unknown, Reader>([
	["message", messageEntries],
	["agent_message", ({ content }, place) => agentMessages(blockTexts(content).join("\n"), place)],
	["reasoning", reasoningEntries],
	["function_call", callEntries],
	["custom_tool_call", callEntries],
	["local_shell_call", callEntries],
	["web_search_call", callEntries],
	["function_call_output", resultEntries],
	["custom_tool_call_output", resultEntries],
]);

/** Most events repeat an item; only events without a corresponding item are read. */
const EVENTS = new Map<unknown, Reader>([
	["turn_aborted", (_, place) => [aborted(place)]],
	["error", ({ message }, place) => [failed(place, textOf(message))]],
	["task_complete", ({ error }, place) => (error ? [failed(place, errorIn(error))] : [])],
	["thread_rolled_back", ({ num_turns: turns }, place) => [entry(place, ROLLBACK, { turns })]],
	[
		"thread_name_updated",
		(event, place) => [entry(place, "session_info", { name: textOf(event["thread_name"]) })],
	],
]);

/** Returns the message of an error or, if it has none, its kind, such as `usage_limit_exceeded`. */
function errorIn(error: unknown): string {
	if (!isObject(error)) return textOf(error) || "error";
	return textOf(error["message"]) || textOf(error["codex_error_info"]) || "error";
}

const LINES = new Map<unknown, Reader>([
	["session_meta", metaEntries],
	[
		"turn_context",
		({ model }, place) => [entry(place, "model_change", { provider: "openai", modelId: model })],
	],
	["response_item", (item, place) => ITEMS.get(item["type"])?.(item, place) ?? []],
	["compacted", ({ message }, place) => [entry(place, "compaction", { summary: textOf(message) })]],
	["event_msg", (event, place) => EVENTS.get(event["type"])?.(event, place) ?? []],
]);

/**
 * Reads a line with a session's facts. Only the first facts in a file count: a fork begins with its own facts and then repeats its
 * parent's, and a continued session repeats its own. Facts of another session mark the beginning of another conversation.
 */
function metaEntries(meta: JsonObject): JsonObject[] {
	const { id, session_id, cwd = "", timestamp, git, parent_thread_id, forked_from_id } = meta;
	const branch = isObject(git) ? git["branch"] : undefined;
	const parent = parentIn(meta) ?? parent_thread_id ?? forked_from_id;
	const facts = { format: CODEX, id: id ?? session_id, cwd, timestamp, branch };
	return [{ ...header({ ...facts, parent, isChild: isBackgroundThread(meta) }), begins: true }];
}

function parentIn({ source }: JsonObject): string | undefined {
	const child = isObject(source) ? source["subagent"] : undefined;
	const spawn = isObject(child) ? child["thread_spawn"] : undefined;
	return isObject(spawn) ? textOf(spawn["parent_thread_id"]) || undefined : undefined;
}

function reasoningEntries({ summary, content }: JsonObject, place: LogPlace): JsonObject[] {
	const thinking = blockTexts(summary).concat(blockTexts(content)).join("\n");
	return thinking === "" ? [] : [reply(place, { content: [{ type: "thinking", thinking }] })];
}

/**
 * Matches the heading above the user's own words in a message from an editor. The editor's description of the open files precedes this
 * heading.
 */
const OWN_WORDS = /^## My request for Codex:\s*/m;

/** Matches the lines by which the desktop app learns what git did: `::git-push{cwd="…" branch="…"}`. */
const DIRECTIVE = /^::git-[a-z-]+\{.*\}$/gm;

/** Reads a message from one agent to another. The program states the message's kind, sender and payload. */
function agentMessages(text: string, place: LogPlace): JsonObject[] {
	const own =
		text
			.split(/^Payload:\s*$\n?/m)
			.at(-1)
			?.trim() ?? "";
	return own === "" ? [] : [agentMessage(place, own)];
}

function sentIn(text: string): string | undefined {
	const message = text.startsWith("{") && text.includes('"recipient"') ? parseObject(text) : undefined;
	return message && "author" in message && "recipient" in message ? textOf(message["content"]) : undefined;
}

function messageEntries({ role, content, phase }: JsonObject, place: LogPlace): JsonObject[] {
	const texts = blockTexts(content);
	if (role === "assistant") {
		// Earlier versions stored what an agent said as the JSON of the whole message.
		const sent = texts.length === 1 ? sentIn(texts[0] ?? "") : undefined;
		if (sent !== undefined) return agentMessages(sent, place);
		const text = texts.join("\n").replace(DIRECTIVE, "").trimEnd();
		return [said(place, text, phase === "commentary" ? "toolUse" : "stop")];
	}
	if (role !== "user") return [];
	const shell = texts.map((text) => userShell(text, place)).find((found) => found !== undefined);
	if (shell) return [shell];
	const own = texts
		.map((text) => ownWords(text).split(OWN_WORDS).at(-1))
		.filter(Boolean)
		.join("\n");
	const images = objectsIn(content).filter(({ type }) => type === "input_image").length;
	return own.trim() === "" && images === 0 ? headerIn(texts) : [userMessage(place, own, images)];
}

/** Builds the header from the text about the environment, because in logs of the oldest versions, nothing else names the folder. */
function headerIn(texts: readonly string[]): JsonObject[] {
	const about = texts.find((text) => text.startsWith("<environment_context>"))?.slice(0, 4_000) ?? "";
	const cwd = /<cwd>([^<\n]+)<\/cwd>|^Current working directory: (.+)$/m.exec(about);
	return cwd
		? [header({ format: CODEX, id: "environment", cwd: cwd[1] ?? cwd[2], timestamp: undefined })]
		: [];
}

const USER_SHELL =
	/^<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>\s*<result>\n?([\s\S]*?)\n?<\/result>/;

function userShell(text: string, place: LogPlace): JsonObject | undefined {
	const [, command, result = ""] = USER_SHELL.exec(text) ?? [];
	return command === undefined ? undefined : userCommand(place, command, outputOf(result).text);
}

function callEntries(item: JsonObject, place: LogPlace): JsonObject[] {
	const { call_id: id = item["id"], name, input } = item;
	const args = argumentsOf(item);
	const call = (as: string, given: JsonObject) =>
		reply(place, { content: [toolCall(id, as, given)], stopReason: "toolUse" });
	if (item["type"] === "web_search_call") return [call("web_search", args)];
	if (name === "request_user_input")
		return [
			call("request_user_input", { question: questionText(args) }),
			said(place, questionText(args), "stop"),
		];
	// The agent waits for a command that is still running. The result names the command.
	if (name === "write_stdin" && args["chars"] === "") return [];
	const command = commandIn(item, args);
	const patch = patchIn(command ?? textOf(input ?? args["input"] ?? args["patch"]));
	if (patch !== undefined) return [call("apply_patch", { input: patch })];
	if (command !== undefined) return [call("bash", { command })];
	return [call(textOf(name), typeof input === "string" ? { input } : args)];
}

/** Returns a call's arguments; empty if they are cut off or if the tool takes plain text. */
function argumentsOf({ arguments: text, action }: JsonObject): JsonObject {
	return isObject(action) ? action : (parseObject(textOf(text)) ?? {});
}

const SHELLS: ReadonlySet<string> = new Set([
	"shell",
	"shell_command",
	"exec_command",
	"container.exec",
	"unified_exec",
	"local_shell",
]);

function commandIn(item: JsonObject, args: JsonObject): string | undefined {
	const { name, input } = item;
	if (name === "exec" && typeof input === "string") return scriptCommands(input);
	if (!SHELLS.has(textOf(name)) && item["type"] !== "local_shell_call") return undefined;
	const command = args["cmd"] ?? args["command"] ?? args["input"];
	if (typeof command === "string") return command;
	if (!Array.isArray(command)) return undefined;
	const words = command.map(String);
	const isScript = words.length === 3 && /^-l?i?c$/.test(words[1] ?? "");
	return isScript ? words[2] : words.map(quoted).join(" ");
}

function quoted(word: string): string {
	return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const SCRIPT_COMMAND = /\bcmd["']?\s*:\s*("(?:[^"\\]|\\.){0,16000}"|`[^`]{0,16000}`|'[^'\n]{0,16000}')/g;

function scriptCommands(script: string): string | undefined {
	const commands = [...script.matchAll(SCRIPT_COMMAND)].map(([, literal = ""]) => unquoted(literal));
	return commands.length === 0 ? undefined : commands.join("\n");
}

function unquoted(literal: string): string {
	try {
		return literal.startsWith('"') ? String(JSON.parse(literal)) : literal.slice(1, -1);
	} catch {
		// The string contains an escape sequence that is not valid in JSON.
		return literal.slice(1, -1);
	}
}

function patchIn(text: string): string | undefined {
	const start = text.indexOf("*** Begin Patch");
	if (start < 0) return undefined;
	const end = text.indexOf("*** End Patch", start);
	const patch = text.slice(start, end < 0 ? undefined : end);
	// In a script, the patch is a string with escaped line breaks.
	return patch.includes("\n") ? patch : patch.replaceAll("\\n", "\n").replaceAll('\\"', '"');
}

function resultEntries(item: JsonObject, place: LogPlace): JsonObject[] {
	const { call_id: id, output } = item;
	const whole = blockTexts(isObject(output) ? output["content"] : output).join("\n");
	const { text, status } = outputOf(whole);
	const isRefused = REFUSED.test(text);
	const isError = isRefused || (status ?? 0) !== 0 || FAILED.test(text) || SCRIPT_FAILED.test(whole);
	const shown = isRefused ? CANCELLED : text;
	const ended = status === undefined || status === 0 ? shown : `${shown}\n\n${exitLine(status)}`;
	return [toolResult(place, { id, text: ended, isError, name: commandOf(whole) }), ...answers(text, place)];
}

/** Returns the command that is named in the result of waiting for that command. */
function commandOf(whole: string): string {
	const line = /^Command: (?:\S+ -l?i?c )?([^\n]{1,400})$/m.exec(whole.slice(0, 1_000))?.[1];
	return line?.replace(/^(['"])(.*)\1$/, "$2") ?? "write_stdin";
}

const REFUSED = /^(?:exec command rejected by user|patch rejected by user|rejected by user|aborted by user)/i;
const FAILED = /^(?:apply_patch verification failed|execution error|failed to |error:|unsupported call)/i;
const SCRIPT_FAILED = /^Script failed\n/;
/** Matches the beginning of a result in which statements about how the command ran precede the output. */
const STATED =
	/^(?:Command: |Chunk ID: |Wall time: |Exit code: |Process |Total output lines: |Duration: |Script (?:completed|failed)\n)/;

/** Returns the output of a command, and its exit status if the program states it. */
function outputOf(whole: string): { text: string; status: number | undefined } {
	const json = metadataIn(whole);
	if (json) return json;
	if (!STATED.test(whole)) return { text: whole, status: undefined };
	const start = whole.indexOf("\nOutput:");
	const facts = start < 0 ? whole : whole.slice(0, start);
	const status = /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(facts)?.[1];
	const text =
		start < 0 ? "" : whole.slice(start + "\nOutput:".length).replace(/^\n*(?:Script error:\n)?/, "");
	return { text, status: status === undefined ? undefined : Number(status) };
}

/** Reads an output that was written as JSON, as in the oldest versions. */
function metadataIn(whole: string): { text: string; status: number | undefined } | undefined {
	const value = whole.startsWith('{"output":') ? parseObject(whole) : undefined;
	if (!value) return undefined;
	const { output, metadata } = value;
	const code = isObject(metadata) ? metadata["exit_code"] : undefined;
	return { text: textOf(output), status: typeof code === "number" ? code : undefined };
}

/** Returns the user's answers to the agent's questions. */
function answers(text: string, place: LogPlace): JsonObject[] {
	const { answers: given } = (text.startsWith('{"answers":') && parseObject(text)) || {};
	const texts = isObject(given)
		? Object.values(given).flatMap((one) => (isObject(one) ? [one["answers"]].flat() : []))
		: [];
	const own = texts.filter((answer) => typeof answer === "string").join("\n");
	return own === "" ? [] : [userMessage(place, own)];
}

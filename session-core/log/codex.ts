/** The format of Codex's logs is described in docs/agents.md. */
import { isObject, type JsonObject, objectsIn, parseObject, textOf } from "../text/files/index.ts";
import { questionText } from "../text/index.ts";
import * as host from "./foreign-entries.ts";
import { isBackgroundThread } from "./foreign-files.ts";
import { CODEX } from "./format.ts";

/**
 * Converts a line of a Codex log into session entries. Returns undefined if Codex did not write the
 * line.
 */
export function codexEntries(line: JsonObject): JsonObject[] | undefined {
	const { type, timestamp, payload } = line;
	if (isObject(payload) && typeof type === "string") return LINES.get(type)?.(payload, { timestamp }) ?? [];
	if ("record_type" in line) return [];
	if (type === undefined && typeof line["id"] === "string" && "instructions" in line)
		return metaEntries(line);
	// The oldest Codex versions wrote messages and tool calls to the log without an envelope.
	return type === "message" && !("content" in line) ? undefined : ITEMS.get(type)?.(line, {});
}

type Reader = (part: JsonObject, place: host.LogPlace) => JsonObject[];

const ITEMS = new Map<unknown, Reader>([
	["message", messageEntries],
	["agent_message", ({ content }, place) => agentMessages(host.blockTexts(content).join("\n"), place)],
	["reasoning", reasoningEntries],
	["function_call", callEntries],
	["custom_tool_call", callEntries],
	["local_shell_call", callEntries],
	["web_search_call", callEntries],
	["function_call_output", resultEntries],
	["custom_tool_call_output", resultEntries],
]);

/**
 * Most events in a Codex log repeat another item, so only events without a corresponding item are
 * read.
 */
const EVENTS = new Map<unknown, Reader>([
	["turn_aborted", (_, place) => [host.aborted(place)]],
	["error", ({ message }, place) => [host.failed(place, textOf(message))]],
	["task_complete", ({ error }, place) => (error ? [host.failed(place, errorIn(error))] : [])],
	["thread_rolled_back", ({ num_turns: turns }, place) => [host.entry(place, host.ROLLBACK, { turns })]],
	["thread_name_updated", (event, place) => [host.name(place, event["thread_name"])]],
]);

function errorIn(error: unknown): string {
	const { message, codex_error_info: kind } = host.fieldsIn(error);
	return textOf(error) || textOf(message) || textOf(kind) || "error";
}

const LINES = new Map<unknown, Reader>([
	["session_meta", metaEntries],
	[
		"turn_context",
		({ model }, place) => [host.entry(place, "model_change", { provider: "openai", modelId: model })],
	],
	["response_item", (item, place) => ITEMS.get(item["type"])?.(item, place) ?? []],
	["compacted", ({ message }, place) => [host.summary(place, textOf(message))]],
	["event_msg", (event, place) => EVENTS.get(event["type"])?.(event, place) ?? []],
]);

/**
 * The log of a forked Codex session also contains the original session's metadata, so only the first
 * metadata item in a log describes the fork.
 */
function metaEntries(meta: JsonObject): JsonObject[] {
	const { id, session_id, cwd = "", timestamp, git, source, parent_thread_id, forked_from_id } = meta;
	const spawn = host.fieldsIn(host.fieldsIn(host.fieldsIn(source)["subagent"])["thread_spawn"]);
	const parent = textOf(spawn["parent_thread_id"]) || (parent_thread_id ?? forked_from_id);
	const facts = { format: CODEX, id: id ?? session_id, cwd, timestamp, branch: host.fieldsIn(git)["branch"] };
	return [{ ...host.header({ ...facts, parent, isChild: isBackgroundThread(meta) }), begins: true }];
}

function reasoningEntries({ summary, content }: JsonObject, place: host.LogPlace): JsonObject[] {
	const thinking = host.blockTexts(summary).concat(host.blockTexts(content)).join("\n");
	return thinking === "" ? [] : [host.reply(place, { content: [{ type: "thinking", thinking }] })];
}

/** In a Codex prompt from an editor, the user's own words follow a description of the open files. */
const OWN_WORDS = /^## My request for Codex:\s*/m;

/** Matches the paragraph that Codex puts above a plan before carrying it out. */
const PLAN_INTRODUCTION =
	/^(?:PLEASE IMPLEMENT THIS PLAN:|A previous agent produced the plan below to accomplish the user's task\.[^\n]*)\n+(?=\S)/;

/**
 * Codex adds a message with the user's goal before each run. The goal is new only if the message says
 * that no tokens have been used.
 */
const GOAL_CONTEXT = /^\s*<(?:goal|codex_internal)_context\b/;
const UNUSED = /^- Tokens used: 0$/m;
const OBJECTIVE = /<\/?(?:untrusted_)?objective>/;
const ESCAPES = new Map([
	["&lt;", "<"],
	["&gt;", ">"],
	["&amp;", "&"],
]);

/**
 * Codex does not log `/goal`, so a new goal appears only in the message that Codex adds before a run.
 */
function goalIn(text: string): string {
	const isNew = GOAL_CONTEXT.test(text) && UNUSED.test(text);
	const [, goal = ""] = isNew ? text.split(OBJECTIVE, 2) : [];
	return goal.trim().replace(/&(?:lt|gt|amp);/g, (name) => ESCAPES.get(name) ?? name);
}

/**
 * Matches the reports of git operations that Codex sends to its desktop app, such as `::git-push{cwd="…"
 * branch="…"}`.
 */
const DIRECTIVE = /^::git-[a-z-]+\{.*\}$/gm;
/** Codex ends a reply with a list of the memories that were used for the reply. */
const CITATION = "<oai-mem-citation>";

function agentMessages(text: string, place: host.LogPlace): JsonObject[] {
	const own = text.split(/^Payload:\s*$\n?/m).at(-1) ?? "";
	return own.trim() === "" ? [] : [host.agentMessage(place, own.trim())];
}

/** Earlier Codex versions stored a message to another agent as JSON in the text of a reply. */
function sentIn(texts: readonly string[]): string | undefined {
	const [text = "", ...others] = texts;
	const isSent = others.length === 0 && text.startsWith("{") && text.includes('"recipient"');
	const message = isSent ? parseObject(text) : undefined;
	return message && "author" in message && "recipient" in message ? textOf(message["content"]) : undefined;
}

function messageEntries({ role, content, phase }: JsonObject, place: host.LogPlace): JsonObject[] {
	const texts = host.blockTexts(content);
	if (role === "assistant") {
		const sent = sentIn(texts);
		if (sent !== undefined) return agentMessages(sent, place);
		const [said = ""] = texts.join("\n").split(CITATION);
		const text = said.replace(DIRECTIVE, "").trimEnd();
		return [host.said(place, text, phase === "commentary" ? "toolUse" : "stop")];
	}
	if (role !== "user") return [];
	for (const text of texts) {
		const [, command, result = ""] = USER_SHELL.exec(text) ?? [];
		if (command !== undefined) return [host.userCommand(place, command, outputOf(result).text)];
	}
	const written = texts.map(
		(text) =>
			goalIn(text) || (host.ownWords(text).split(OWN_WORDS).at(-1) ?? "").replace(PLAN_INTRODUCTION, ""),
	);
	const images = objectsIn(content).filter(({ type }) => type === "input_image").length;
	const own = host.ownMessage(place, written, images);
	return own ? [own] : headerIn(texts);
}

const USER_SHELL =
	/^<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>\s*<result>\n?([\s\S]*?)\n?<\/result>/;

/** The oldest Codex logs name the session's folder only in the `<environment_context>` message. */
function headerIn(texts: readonly string[]): JsonObject[] {
	const about = texts.find((text) => text.startsWith("<environment_context>"))?.slice(0, 4_000) ?? "";
	const [, current, oldest] = /<cwd>([^<\n]+)<\/cwd>|^Current working directory: (.+)$/m.exec(about) ?? [];
	const cwd = current ?? oldest;
	return cwd ? [host.header({ format: CODEX, id: "environment", cwd, timestamp: undefined })] : [];
}

function callEntries(item: JsonObject, place: host.LogPlace): JsonObject[] {
	const { type, call_id: id = item["id"], name, input, action } = item;
	const args = isObject(action) ? action : (parseObject(textOf(item["arguments"])) ?? {});
	const call = (as: string, given: JsonObject) =>
		host.reply(place, { content: [host.toolCall(id, as, given)], stopReason: "toolUse" });
	if (type === "web_search_call") return [call("web_search", args)];
	if (name === "request_user_input") {
		const question = questionText(args);
		return [call("request_user_input", { question }), host.said(place, question, "stop")];
	}
	// A `write_stdin` call without characters only waits for a running command, so the call is not shown.
	if (name === "write_stdin" && args["chars"] === "") return [];
	const command = commandIn(item, args);
	const patch = patchIn(command ?? textOf(input ?? args["input"] ?? args["patch"]));
	if (patch !== undefined) return [call("apply_patch", { input: patch })];
	if (command !== undefined) return [call("bash", { command })];
	return [call(textOf(name), typeof input === "string" ? { input } : args)];
}

const SHELLS = ["shell", "shell_command", "exec_command", "container.exec", "unified_exec", "local_shell"];

function commandIn({ type, name, input }: JsonObject, args: JsonObject): string | undefined {
	if (name === "exec" && typeof input === "string") return scriptCommands(input);
	if (!SHELLS.includes(textOf(name)) && type !== "local_shell_call") return undefined;
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
	const read = literal.startsWith('"') ? parseObject(`{"text":${literal}}`) : undefined;
	return read ? textOf(read["text"]) : literal.slice(1, -1);
}

function patchIn(text: string): string | undefined {
	const start = text.indexOf("*** Begin Patch");
	if (start < 0) return undefined;
	const end = text.indexOf("*** End Patch", start);
	const patch = text.slice(start, end < 0 ? undefined : end);
	// In a script that Codex runs, a patch may be a string literal with escaped line breaks.
	return patch.includes("\n") ? patch : patch.replaceAll("\\n", "\n").replaceAll('\\"', '"');
}

const REFUSED = /^(?:exec command rejected by user|patch rejected by user|rejected by user|aborted by user)/i;
const FAILED = /^(?:apply_patch verification failed|execution error|failed to |error:|unsupported call)/i;
const SCRIPT_FAILED = /^Script failed\n/;

function resultEntries({ call_id: id, output }: JsonObject, place: host.LogPlace): JsonObject[] {
	const whole = host.blockTexts(isObject(output) ? output["content"] : output).join("\n");
	const { text, status } = outputOf(whole);
	const isRefused = REFUSED.test(text);
	const isError = isRefused || (status ?? 0) !== 0 || FAILED.test(text) || SCRIPT_FAILED.test(whole);
	const facts = { id, text: isRefused ? host.CANCELLED : text, isError, name: commandOf(whole), status };
	return [host.toolResult(place, facts), ...answers(text, place)];
}

/**
 * In a Codex log, the result of waiting for a command includes that command, as in
 * `Command: bash -lc 'npm test'`.
 */
function commandOf(whole: string): string {
	const line = /^Command: (?:\S+ -l?i?c )?([^\n]{1,400})$/m.exec(whole.slice(0, 1_000))?.[1];
	return line?.replace(/^(['"])(.*)\1$/, "$2") ?? "write_stdin";
}

const STATED =
	/^(?:Command: |Chunk ID: |Wall time: |Exit code: |Process |Total output lines: |Duration: |Script (?:completed|failed)\n)/;
const OUTPUT = "\nOutput:";

function outputOf(whole: string): { text: string; status: number | undefined } {
	// The oldest Codex versions wrote a command's output as JSON.
	const json = whole.startsWith('{"output":') ? parseObject(whole) : undefined;
	if (json) return { text: textOf(json["output"]), status: exitCodeIn(host.fieldsIn(json["metadata"])) };
	if (!STATED.test(whole)) return { text: whole, status: undefined };
	const start = whole.indexOf(OUTPUT);
	const facts = start < 0 ? whole : whole.slice(0, start);
	const status = /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(facts)?.[1];
	const text = start < 0 ? "" : whole.slice(start + OUTPUT.length).replace(/^\n*(?:Script error:\n)?/, "");
	const result = text.startsWith('{"') ? parseObject(text) : undefined;
	if (result && "exit_code" in result && typeof result["output"] === "string")
		return { text: result["output"], status: exitCodeIn(result) };
	return { text, status: status === undefined ? undefined : Number(status) };
}

function exitCodeIn({ exit_code: code }: JsonObject): number | undefined {
	return typeof code === "number" ? code : undefined;
}

function answers(text: string, place: host.LogPlace): JsonObject[] {
	const read = text.startsWith('{"answers":') ? parseObject(text) : undefined;
	const given = Object.values(host.fieldsIn(read?.["answers"]));
	const texts = given.flatMap((one) => host.fieldsIn(one)["answers"] ?? []);
	const own = texts.filter((answer) => typeof answer === "string").join("\n");
	return own === "" ? [] : [host.userAnswer(place, own)];
}

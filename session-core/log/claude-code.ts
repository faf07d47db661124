/** The format of Claude Code's logs is described in docs/agents.md. */
import { isObject, type JsonObject, objectsIn, parseObject, textOf } from "../text/files/index.ts";
import { questionText } from "../text/index.ts";
import * as host from "./foreign-entries.ts";
import { CLAUDE_CODE } from "./format.ts";

const FACTS = new Map<unknown, (line: JsonObject) => JsonObject>([
	["custom-title", (line) => host.name({}, line["customTitle"])],
	["ai-title", (line) => host.modelTitle({}, line["aiTitle"])],
	["agent-name", (line) => host.modelTitle({}, line["agentName"])],
	["relocated", (line) => host.continuesAt({ cwd: line["relocatedCwd"] })],
	["continued-in", (line) => host.continuesAt({ continuedIn: line["continuedInSessionId"] })],
	[
		"worktree-state",
		({ worktreeSession }) => {
			const { worktreePath: cwd, originalCwd: from } = host.fieldsIn(worktreeSession);
			return host.continuesAt({ cwd, from });
		},
	],
]);

export function claudeCodeEntries(line: JsonObject): JsonObject[] | undefined {
	const { type, sessionId, uuid, agentId, timestamp } = line;
	if (type === "summary" && "leafUuid" in line)
		return [{ ...host.modelTitle({}, line["summary"]), leafUuid: line["leafUuid"] }];
	if (typeof type !== "string" || typeof sessionId !== "string") return undefined;
	const fact = FACTS.get(type)?.(line);
	if (fact) return [fact];
	if (typeof uuid !== "string") return [];
	// Old versions of Claude Code also wrote subagents' messages to the parent session's log.
	if (line["isSidechain"] === true && typeof agentId !== "string") return [];
	const body = host.numbered(bodyOf(type, line, { id: uuid, timestamp }), uuid);
	return typeof line["cwd"] === "string" ? [headerOf(line), ...body] : body;
}

function headerOf(line: JsonObject): JsonObject {
	const { sessionId, agentId, teamName, agentName, cwd, timestamp, gitBranch: branch } = line;
	const isSide = line["isSidechain"] === true;
	const isMember = typeof teamName === "string" && typeof agentName === "string";
	const facts = isSide
		? { id: agentId, parent: sessionId, isChild: true }
		: { id: sessionId, parent: host.fieldsIn(line["forkedFrom"])["sessionId"], isChild: isMember };
	return host.header({ format: CLAUDE_CODE, ...facts, cwd, timestamp, branch, isProgram: isByProgram(line) });
}

function bodyOf(type: string, line: JsonObject, place: host.LogPlace): JsonObject[] {
	if (type === "user") return userEntries(line, place);
	if (type === "assistant") return assistantEntries(line, place);
	if (line["subtype"] === "away_summary") return [host.awaySummary(place, awayRecap(line["content"]))];
	return [(type === "attachment" && queuedPrompt(line["attachment"], place)) || host.link(place)];
}

/** Claude Code appends a hint about its settings to each recap. */
function awayRecap(content: unknown): string {
	return textOf(content)
		.replace(/\s*\(disable recaps in \/config\)\s*$/, "")
		.replace(/^Goal:\s*/, "")
		.trim();
}

/**
 * If the user types a prompt while the agent is working, Claude Code stores the prompt as an
 * attachment.
 */
function queuedPrompt(attachment: unknown, place: host.LogPlace): JsonObject | undefined {
	const { type, commandMode, isMeta, origin, prompt } = host.fieldsIn(attachment);
	if (type !== "queued_command" || commandMode !== "prompt" || isMeta === true || isForeign(origin))
		return undefined;
	const text = host.blockTexts(prompt).join("\n");
	return BY_PROGRAM.test(text) ? undefined : host.ownMessage(place, [typedIn(text)], 0);
}

/** Matches hook feedback and notifications that some Claude Code versions do not mark as generated. */
const BY_PROGRAM =
	/^\s*(?:\w+ hook (?:feedback|(?:blocking )?error|additional context)\b|\w+ operation blocked by hook\b|\[SYSTEM NOTIFICATION\b)/;

function typedIn(text: string): string {
	const inside = text.replace(/^\s*<channel\b[^>]*>\s*/, "");
	return inside === text ? text : inside.replace(/<\/channel>\s*$/, "");
}

/**
 * In Claude Code's logs, a prompt with the origin `human` or `channel` (a chat) was written by a
 * person.
 */
function isForeign(origin: unknown): boolean {
	const kind = isObject(origin) ? origin["kind"] : origin;
	return typeof kind === "string" && kind !== "human" && kind !== "channel";
}

/** Claude Code's editor extensions and desktop app attribute the user's prompts to the SDK. */
const FOR_PEOPLE = /^claude-(?:vscode|desktop|jetbrains)/;

function isByProgram({ type, promptSource, origin, entrypoint }: JsonObject): boolean | undefined {
	if (type !== "user" || typeof promptSource !== "string") return undefined;
	const isHuman = host.fieldsIn(origin)["kind"] === "human";
	return promptSource === "sdk" && !isHuman && !FOR_PEOPLE.test(textOf(entrypoint));
}

const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;
const CONTINUED = /^This session is being continued from a previous conversation that ran out of context/;
/** Matches built-in commands of Claude Code whose arguments are not requests to the agent. */
const LOCAL_COMMANDS =
	/^\/(?:add-dir|agents|branch|clear|color|compact|config|cost|effort|exit|export|fast|login|logout|mcp|memory|model|output-style|permissions|plugin|quit|rename|resume|rewind|sandbox|status|theme|usage|vim)$/;

/**
 * Claude Code puts the results of parallel tool calls on different branches of the conversation.
 * Therefore, only the parent of a prompt shows whether the user went back to an earlier point.
 */
function userEntries(line: JsonObject, at: host.LogPlace): JsonObject[] {
	const { content } = host.fieldsIn(line["message"]);
	const results = objectsIn(content).filter(({ type }) => type === "tool_result");
	if (results.length > 0)
		return [...results.map((one) => resultEntry(one, at)), ...answers(line, results, at)];
	const texts = host.blockTexts(content);
	const text = texts.join("\n").trim();
	if (line["isCompactSummary"] === true || CONTINUED.test(text)) return [host.summary(at, summaryOf(text))];
	const place = host.placeAfter(at, line["parentUuid"]);
	if (INTERRUPTED.test(text)) return [host.aborted(place)];
	const isMarked = line["isMeta"] === true || line["isVisibleInTranscriptOnly"] === true;
	if (isMarked || isForeign(line["origin"]) || BY_PROGRAM.test(text)) return [host.link(place)];
	const images = objectsIn(content).filter(({ type }) => type === "image").length;
	return [
		elementEntry(text, place) ?? host.ownMessage(place, texts.map(typedIn), images) ?? host.link(place),
	];
}

/** Claude Code stores commands and team messages in tags: `<command-name>/review</command-name>`. */
function elementEntry(text: string, place: host.LogPlace): JsonObject | undefined {
	if (FROM_AGENT.test(text)) return agentMessages(text, place);
	const command = elementOf(text, "command-name");
	const shell = elementOf(text, "bash-input");
	if (command === undefined) return shell === undefined ? undefined : host.userCommand(place, shell, "");
	if (LOCAL_COMMANDS.test(command)) return host.link(place);
	return host.userMessage(place, `${command} ${elementOf(text, "command-args") ?? ""}`.trim());
}

/**
 * Newer versions of Claude Code put a sentence before an `agent-message` element and an explanation for
 * the model after the element.
 */
const FROM_AGENT = /^(?:Another Claude session sent a message:\s*)?<(?:teammate|agent)-message\b/;
const AGENT_MESSAGE = /<(?:teammate|agent)-message\b[^>]{0,1000}>/;

function agentMessages(text: string, place: host.LogPlace): JsonObject {
	const parts = text.split(AGENT_MESSAGE).slice(1);
	const texts = parts.map((part) => {
		const body = part.split(/<\/(?:teammate|agent)-message>/, 1)[0]?.trim() ?? "";
		const told = parseObject(body);
		return told ? textOf(told["subject"]) || textOf(told["content"]) : body;
	});
	const own = texts.filter(Boolean).join("\n");
	return own === "" ? host.link(place) : host.agentMessage(place, own);
}

function summaryOf(text: string): string {
	const start = text.indexOf("Summary:\n");
	const summary = start < 0 ? text.replace(CONTINUED, "") : text.slice(start + "Summary:\n".length);
	return summary.replace(/^\d{1,2}\. ([^\n:]{1,80}):[ \t]*$/gm, "## $1").trim();
}

function elementOf(text: string, name: string): string | undefined {
	if (!text.startsWith("<")) return undefined;
	const start = text.indexOf(`<${name}>`);
	const end = text.indexOf(`</${name}>`, start);
	return start < 0 || end < 0 ? undefined : text.slice(start + name.length + 2, end).trim();
}

const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)/;
/**
 * Matches the text that Claude Code logs if the user discusses a question or stops answering questions.
 */
const ABOUT_QUESTIONS = /^The user\b.*?\bQuestions asked\b/s;
/**
 * Matches tool results that do not contain the outcome of the call: previews of long outputs, and Claude
 * Code's notice that the user approved a plan.
 */
const NO_RESULT = /^(?:<persisted-output>|User has approved your plan)/;

function resultEntry(result: JsonObject, place: host.LogPlace): JsonObject {
	const isError = result["is_error"] === true;
	const text = host
		.blockTexts(result["content"])
		.join("\n")
		.replace(/^<tool_use_error>|<\/tool_use_error>$/g, "")
		// The output file of a background command does not count as a file that the session changed.
		.replace(/^(Command running in background)\b[^\n]*Output is being written to: \S+.*$/s, "$1");
	const facts = { id: result["tool_use_id"], isError };
	if (NO_RESULT.test(text)) return host.toolResult(place, { ...facts, text: "" });
	if (REJECTED.test(text)) return host.toolResult(place, { ...facts, text: host.CANCELLED });
	const [stated = "", status] = (isError && /^(?:Error: )?Exit code (\d+)\n?/.exec(text)) || [];
	return host.toolResult(place, { ...facts, text: text.slice(stated.length), status: Number(status ?? 0) });
}

function answers(line: JsonObject, results: readonly JsonObject[], place: host.LogPlace): JsonObject[] {
	const given = host.fieldsIn(host.fieldsIn(line["toolUseResult"])["answers"]);
	const texts = Object.values(given).filter((answer) => typeof answer === "string");
	if (texts.length > 0) return [host.userAnswer(place, texts.join("\n"))];
	const refused = results
		.flatMap(({ content }) => host.blockTexts(content))
		.find((text) => REJECTED.test(text));
	const [, said = ""] = refused?.split(/\bthe user said:\s*/) ?? [];
	const why = said.split("\n\nNote: ")[0]?.trim();
	if (refused !== undefined && !why) return [host.aborted(place)];
	return why && !ABOUT_QUESTIONS.test(why) ? [host.userMessage(place, why)] : [];
}

function assistantEntries(line: JsonObject, place: host.LogPlace): JsonObject[] {
	const { model, content, stop_reason: stop, usage } = host.fieldsIn(line["message"]);
	const text = host.blockTexts(content).join("\n");
	if (line["isApiErrorMessage"] === true) return [host.failed(place, text)];
	if (model === "<synthetic>") return [host.link(place)];
	const blocks = objectsIn(content);
	const calls = blocks.filter(({ type }) => type === "tool_use");
	const parts = blocks.flatMap((block): JsonObject[] => {
		if (block["type"] === "text" && block["text"] !== "") return [{ type: "text", text: block["text"] }];
		if (block["type"] === "thinking") return [{ type: "thinking", thinking: block["thinking"] }];
		return block["type"] === "tool_use" ? [callBlock(block)] : [];
	});
	const stopReason = calls.length > 0 ? "toolUse" : stopOf(stop, text);
	const counted = isObject(usage) ? { usage: usageOf(usage) } : {};
	const fields = { content: parts, stopReason, provider: "anthropic", model, ...counted };
	return host.replyAsking(place, fields, calls.flatMap(askedIn));
}

/** Older Claude Code logs contain no stop reasons, so a message without a tool call ends the run. */
function stopOf(stop: unknown, text: string): string {
	if (stop === "tool_use") return "toolUse";
	if (stop === "max_tokens") return "length";
	return text === "" ? "" : "stop";
}

function usageOf(usage: JsonObject): JsonObject {
	return {
		input: usage["input_tokens"],
		output: usage["output_tokens"],
		cacheRead: usage["cache_read_input_tokens"],
		cacheWrite: usage["cache_creation_input_tokens"],
	};
}

function askedIn({ name, input }: JsonObject): string[] {
	const args = host.fieldsIn(input);
	if (name === "AskUserQuestion") return [questionText(args)];
	return name === "ExitPlanMode" ? [host.planQuestion(args)] : [];
}

/** Matches the path of a Claude Code plan. Plans are not listed as files that the session changed. */
const PLAN_FILE = /[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/;

const TOOLS: host.Tools = new Map([
	["Bash", ["bash", { command: "command", description: "description" }]],
	["Read", ["read", {}]],
	["Write", ["write", { content: "content" }]],
	["Edit", ["edit", { oldText: "old_string", newText: "new_string" }]],
	["MultiEdit", ["edit", { oldText: "old_string", newText: "new_string" }]],
	["NotebookEdit", ["edit", { newText: "new_source" }]],
]);

function callBlock({ id, name, input }: JsonObject): JsonObject {
	const args = host.fieldsIn(input);
	const path = args["file_path"] ?? args["notebook_path"];
	if (PLAN_FILE.test(textOf(path))) return host.toolCall(id, "plan", { path });
	if (name === "AskUserQuestion") return host.toolCall(id, name, { question: questionText(args) });
	const edits = objectsIn(args["edits"]);
	const joined = (key: string) => edits.map((edit) => textOf(edit[key])).join("\n");
	const several =
		name === "MultiEdit" ? { old_string: joined("old_string"), new_string: joined("new_string") } : {};
	return host.translatedCall(TOOLS, id, name, { ...args, ...several });
}

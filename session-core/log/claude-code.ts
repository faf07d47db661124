/** Reads the lines of Claude Code's logs. docs/agents.md describes the format. */
import { isObject, type JsonObject, objectsIn, parseObject, textOf } from "../text/files/index.ts";
import { questionText } from "../text/index.ts";
import {
	aborted,
	agentMessage,
	blockTexts,
	CANCELLED,
	placed as continuesAt,
	entry,
	exitLine,
	failed,
	header,
	type LogPlace,
	link,
	ownWords,
	reply,
	said,
	toolCall,
	toolResult,
	userCommand,
	userMessage,
} from "./foreign-entries.ts";
import { CLAUDE_CODE } from "./format.ts";

/** The type of the entry with the title that a model gave the session. */
const TITLE = "session-suite:title";

/** Converts a line to the host's entries. Returns undefined if Claude Code did not write the line. */
export function claudeCodeEntries(line: JsonObject): JsonObject[] | undefined {
	const { type, sessionId, uuid, cwd } = line;
	if (type === "summary" && "leafUuid" in line)
		return [{ ...title(line["summary"]), leafUuid: line["leafUuid"] }];
	if (typeof type !== "string" || typeof sessionId !== "string") return undefined;
	if (type === "custom-title") return [entry({}, "session_info", { name: textOf(line["customTitle"]) })];
	if (type === "ai-title") return [title(line["aiTitle"])];
	if (type === "agent-name") return [title(line["agentName"])];
	if (type === "relocated") return [continuesAt({ cwd: line["relocatedCwd"] })];
	if (type === "continued-in") return [continuesAt({ continuedIn: line["continuedInSessionId"] })];
	if (type === "worktree-state") {
		// The value is null once the worktree has been left.
		const { worktreePath: to, originalCwd: from } = isObject(line["worktreeSession"])
			? line["worktreeSession"]
			: {};
		return [continuesAt({ cwd: to, from })];
	}
	if (typeof uuid !== "string") return [];
	const isSide = line["isSidechain"] === true;
	const { agentId, timestamp } = line;
	// Old versions wrote the lines of subagents into the session's own file. These lines are not part of the session's conversation.
	if (isSide && typeof agentId !== "string") return [];
	const forked = isObject(line["forkedFrom"]) ? line["forkedFrom"]["sessionId"] : undefined;
	// Each member of a team has its own log. Lines that name a team but no member belong to the team's lead.
	const isMember = typeof line["teamName"] === "string" && typeof line["agentName"] === "string";
	const facts = isSide
		? { id: agentId, parent: sessionId, isChild: true }
		: { id: sessionId, parent: forked, isChild: isMember };
	const place = { id: uuid, timestamp };
	return [
		...(typeof cwd === "string"
			? [
					header({
						format: CLAUDE_CODE,
						...facts,
						cwd,
						timestamp,
						branch: line["gitBranch"],
						isProgram: isByProgram(line),
					}),
				]
			: []),
		...placed(bodyOf(type, line, place), uuid),
	];
}

function title(text: unknown): JsonObject {
	return entry({}, "custom", { customType: TITLE, data: { title: textOf(text), source: "auto" } });
}

/** Assigns the line's own id to the last entry from that line, because the next line names that id as its parent. */
function placed(entries: JsonObject[], uuid: string): JsonObject[] {
	return entries.map((one, index) =>
		index === entries.length - 1 ? one : { ...one, id: `${uuid}.${index}` },
	);
}

function bodyOf(type: string, line: JsonObject, place: LogPlace): JsonObject[] {
	const message = isObject(line["message"]) ? line["message"] : {};
	switch (type) {
		case "user":
			return userEntries(line, message, place);
		case "assistant":
			return assistantEntries(line, message, place);
		case "attachment":
			return [queuedPrompt(line["attachment"], place) ?? link(place)];
		default:
			return [link(place)];
	}
}

/** A prompt that the user typed while the agent was working. */
function queuedPrompt(attachment: unknown, place: LogPlace): JsonObject | undefined {
	if (!isObject(attachment) || attachment["type"] !== "queued_command") return undefined;
	const { commandMode, isMeta, origin } = attachment;
	if (commandMode !== "prompt" || isMeta === true || isForeign(origin)) return undefined;
	const text = blockTexts(attachment["prompt"]).join("\n");
	const own = ownWords(text);
	return own === "" ? undefined : userMessage(place, own);
}

/**
 * Whether the program states that someone other than a person wrote a prompt, such as another agent. In a `channel`, a chat, people write.
 */
function isForeign(origin: unknown): boolean {
	const kind = isObject(origin) ? origin["kind"] : origin;
	return typeof kind === "string" && kind !== "human" && kind !== "channel";
}

/** Programs in which people type their prompts. Like any other program, they pass the prompts on to Claude Code. */
const FOR_PEOPLE = /^claude-(?:vscode|desktop|jetbrains)/;

/** Whether a program wrote the prompt on a line; undefined if the line does not say who wrote it. */
function isByProgram({ type, promptSource, origin, entrypoint }: JsonObject): boolean | undefined {
	if (type !== "user" || typeof promptSource !== "string") return undefined;
	const isHuman = isObject(origin) && origin["kind"] === "human";
	return promptSource === "sdk" && !isHuman && !FOR_PEOPLE.test(textOf(entrypoint));
}

const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;
const CONTINUED = /^This session is being continued from a previous conversation that ran out of context/;
/** The program's own commands that take arguments. Such arguments are not a request to the agent. */
const LOCAL_COMMANDS =
	/^\/(?:add-dir|agents|branch|clear|color|compact|config|cost|effort|exit|export|fast|login|logout|mcp|memory|model|output-style|permissions|plugin|quit|rename|resume|rewind|sandbox|status|theme|usage|vim)$/;

/**
 * A line of type `user` contains the user's prompt, the results of calls, or the program's own text. Parallel calls leave their results on
 * different branches of the tree, so only the parent of a prompt counts: it is the point to which the user may have gone back. Every other
 * line follows the line before it.
 */
function userEntries(line: JsonObject, message: JsonObject, at: LogPlace): JsonObject[] {
	const { content } = message;
	const results = objectsIn(content).filter(({ type }) => type === "tool_result");
	const texts = blockTexts(content);
	const text = texts.join("\n").trim();
	if (results.length > 0) return [...results.map((one) => resultEntry(one, at)), ...answers(line, at)];
	const parentId = line["parentUuid"];
	const hasParent = typeof parentId === "string" || parentId === null;
	if (line["isCompactSummary"] === true || CONTINUED.test(text))
		return [entry(at, "compaction", { summary: summaryOf(text) })];
	const place = hasParent ? { ...at, branchAt: parentId } : at;
	if (INTERRUPTED.test(text)) return [aborted(place)];
	if (line["isMeta"] === true || line["isVisibleInTranscriptOnly"] === true || isForeign(line["origin"]))
		return [link(place)];
	if (text.startsWith("<teammate-message")) return teamMessages(text, place);
	const command = elementOf(text, "command-name");
	if (command !== undefined) {
		const args = elementOf(text, "command-args") ?? "";
		return [LOCAL_COMMANDS.test(command) ? link(place) : userMessage(place, `${command} ${args}`.trim())];
	}
	const shell = elementOf(text, "bash-input");
	if (shell !== undefined) return [userCommand(place, shell, "")];
	const own = texts.map(ownWords).filter(Boolean).join("\n");
	const images = objectsIn(content).filter(({ type }) => type === "image").length;
	return own.trim() === "" && images === 0 ? [link(place)] : [userMessage(place, own, images)];
}

/** Matches the beginning of a message from another member of a team: plain text or, for example, a task as JSON. */
const TEAM_MESSAGE = /<teammate-message\b[^>]*>/;

function teamMessages(text: string, place: LogPlace): JsonObject[] {
	const texts = text.split(TEAM_MESSAGE).map((part) => {
		const body = part.split("</teammate-message>", 1)[0]?.trim() ?? "";
		const told = parseObject(body);
		return told ? textOf(told["subject"]) || textOf(told["content"]) : body;
	});
	const own = texts.filter(Boolean).join("\n");
	return [own === "" ? link(place) : agentMessage(place, own)];
}

/** Returns a compaction's summary without the text around it. Its numbered sections become headings, as in the host's summaries. */
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
/** The program's own words for a user who wants to talk about the agent's questions, or who has answered enough of them. */
const ABOUT_QUESTIONS = /^The user\b.*?\bQuestions asked\b/s;

/**
 * If a result is too long, the log contains only its beginning and the path of the file with the whole result. The beginning does not show
 * how the call ended.
 */
const PERSISTED = "<persisted-output>";
/** The program's message about an approved plan names the file in which the program keeps the plan. */
const APPROVED = "User has approved your plan";

function resultEntry(result: JsonObject, place: LogPlace): JsonObject {
	const isError = result["is_error"] === true;
	const text = blockTexts(result["content"])
		.join("\n")
		.replace(/^<tool_use_error>|<\/tool_use_error>$/g, "")
		// The file with a background command's output is not part of the session's work.
		.replace(/^(Command running in background)\b[^\n]*Output is being written to: \S+.*$/s, "$1");
	const [whole, status] = /^(?:Error: )?Exit code (\d+)\n?/.exec(text) ?? [];
	if (text.startsWith(PERSISTED) || text.startsWith(APPROVED))
		return toolResult(place, { id: result["tool_use_id"], text: "", isError });
	const shown =
		isError && whole !== undefined ? `${text.slice(whole.length)}\n\n${exitLine(status ?? "")}` : text;
	return toolResult(place, {
		id: result["tool_use_id"],
		text: REJECTED.test(text) ? CANCELLED : shown,
		isError,
	});
}

/** Returns the user's answers to the agent's questions, or what the user wrote when refusing a call. */
function answers({ toolUseResult, message }: JsonObject, place: LogPlace): JsonObject[] {
	const given = isObject(toolUseResult) && isObject(toolUseResult["answers"]) ? toolUseResult["answers"] : {};
	const texts = Object.values(given).filter((answer) => typeof answer === "string");
	if (texts.length > 0) return [userMessage(place, texts.join("\n"))];
	const results = isObject(message) ? objectsIn(message["content"]) : [];
	const refused = results.flatMap(({ content }) => blockTexts(content)).find((text) => REJECTED.test(text));
	const why = refused
		?.split(/\bthe user said:\s*/)[1]
		?.split("\n\nNote: ")[0]
		?.trim();
	return why && !ABOUT_QUESTIONS.test(why) ? [userMessage(place, why)] : [];
}

function assistantEntries(line: JsonObject, message: JsonObject, place: LogPlace): JsonObject[] {
	const { model, content, stop_reason: stop, usage } = message;
	const text = blockTexts(content).join("\n");
	if (line["isApiErrorMessage"] === true) return [failed(place, text)];
	if (model === "<synthetic>") return [link(place)];
	const blocks = objectsIn(content);
	const calls = blocks.filter(({ type }) => type === "tool_use");
	const parts = blocks.flatMap((block): JsonObject[] => {
		if (block["type"] === "text" && block["text"] !== "") return [{ type: "text", text: block["text"] }];
		if (block["type"] === "thinking") return [{ type: "thinking", thinking: block["thinking"] }];
		return block["type"] === "tool_use" ? [callBlock(block)] : [];
	});
	const stopReason = calls.length > 0 ? "toolUse" : stopOf(stop, text);
	const counted = isObject(usage) ? { usage: usageOf(usage) } : {};
	const answer = reply(place, { content: parts, stopReason, provider: "anthropic", model, ...counted });
	const asked = calls.flatMap(({ name, input }) => askedIn(name, input));
	// The agent waits for an answer, so its question is its reply.
	return asked.length > 0 ? [answer, said(place, asked.join("\n"), "stop")] : [answer];
}

/** In logs of older versions, no line has a stop reason. In these logs, text without a subsequent call ends the run. */
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

/** Returns what the agent asks through a call: a question with choices, or whether to carry out its plan. */
function askedIn(name: unknown, input: unknown): string[] {
	const args = isObject(input) ? input : {};
	if (name === "AskUserQuestion") return [questionText(args)];
	return name === "ExitPlanMode" ? [`${textOf(args["plan"])}\n\nCarry out this plan?`.trim()] : [];
}

/** Matches the path of the file in which the program keeps a plan. This file is not part of the session's work. */
const PLAN_FILE = /[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/;

/** Converts a call to a call of the host's corresponding tool, so that its command or its changes are recognized. */
function callBlock({ id, name, input }: JsonObject): JsonObject {
	const args = isObject(input) ? input : {};
	const path = args["file_path"] ?? args["notebook_path"];
	if (PLAN_FILE.test(textOf(path))) return toolCall(id, "plan", { path });
	switch (name) {
		case "Bash":
			return toolCall(id, "bash", { command: args["command"], description: args["description"] });
		case "Read":
			return toolCall(id, "read", { path });
		case "Write":
			return toolCall(id, "write", { path, content: args["content"] });
		case "Edit":
			return toolCall(id, "edit", { path, oldText: args["old_string"], newText: args["new_string"] });
		case "NotebookEdit":
			return toolCall(id, "edit", { path, newText: args["new_source"] });
		case "MultiEdit": {
			const edits = objectsIn(args["edits"]);
			const joined = (key: string) => edits.map((edit) => textOf(edit[key])).join("\n");
			return toolCall(id, "edit", { path, oldText: joined("old_string"), newText: joined("new_string") });
		}
		case "AskUserQuestion":
			return toolCall(id, name, { question: askedIn(name, args)[0] });
		default:
			return toolCall(id, textOf(name), args);
	}
}

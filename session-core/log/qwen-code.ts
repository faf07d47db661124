/** Reads the lines of Qwen Code's logs, according to its chatRecordingService.ts. docs/agents.md describes the format. */
import { isObject, type JsonObject, objectsIn, textOf } from "../text/files/index.ts";
import { questionText } from "../text/index.ts";
import {
	blockTexts,
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
	userMessage,
} from "./foreign-entries.ts";
import { QWEN_CODE } from "./format.ts";

/** Converts a line to the host's entries. Returns undefined if Qwen Code did not write the line; Qwen Code's messages consist of parts. */
export function qwenEntries(line: JsonObject): JsonObject[] | undefined {
	const { type, uuid, sessionId, message, cwd, timestamp, isSidechain, agentId, forkedFrom } = line;
	const isQwen = isObject(message) ? Array.isArray(message["parts"]) : "systemPayload" in line;
	if (!isQwen || typeof uuid !== "string" || typeof sessionId !== "string") return undefined;
	const isChild = isSidechain === true;
	const facts = {
		format: QWEN_CODE,
		id: isChild ? (agentId ?? sessionId) : sessionId,
		parent: isChild ? sessionId : isObject(forkedFrom) && forkedFrom["sessionId"],
		isChild,
		cwd,
		timestamp,
		branch: line["gitBranch"],
	};
	const entries = bodyOf(type, line, { id: uuid, timestamp });
	return [
		header(facts),
		...entries.map((one, index) => (index === 0 ? one : { ...one, id: `${uuid}.${index}` })),
	];
}

function bodyOf(type: unknown, line: JsonObject, place: LogPlace): JsonObject[] {
	switch (type) {
		case "user":
			return [userEntry(line, place)];
		case "assistant":
			return assistantEntries(line, place);
		case "tool_result":
			return partsIn(line).flatMap(({ functionResponse: one }) =>
				isObject(one) ? [resultEntry(one, place)] : [],
			);
		default:
			return [systemEntry(line, place)];
	}
}

function partsIn({ message }: JsonObject): JsonObject[] {
	return isObject(message) ? objectsIn(message["parts"]) : [];
}

/** Subtypes of `user` records that contain a person's words. All other subtypes contain text from the program or another agent. */
const TYPED: ReadonlySet<unknown> = new Set([
	undefined,
	"mid_turn_user_message",
	"user_text_elements",
	"realtime_message",
]);

function userEntry(line: JsonObject, place: LogPlace): JsonObject {
	const { subtype, systemPayload, parentUuid, provenance = "real_user" } = line;
	const at =
		typeof parentUuid === "string" || parentUuid === null ? { ...place, branchAt: parentUuid } : place;
	if (!TYPED.has(subtype) || provenance !== "real_user") return link(at);
	// The text that the user saw, without the text that hooks and files added.
	const shown = isObject(systemPayload) ? textOf(systemPayload["displayText"]) : "";
	const texts = partsIn(line).map(({ text }) => ownWords(textOf(text)));
	const text = shown || texts.filter(Boolean).join("\n");
	const images = partsIn(line).filter((part) => "inlineData" in part).length;
	return text.trim() === "" && images === 0 ? link(at) : userMessage(at, text, images);
}

function assistantEntries(line: JsonObject, place: LogPlace): JsonObject[] {
	const parts = partsIn(line);
	const content = parts.flatMap(({ text, thought, functionCall }): JsonObject[] => {
		if (isObject(functionCall)) return [callBlock(functionCall)];
		if (typeof text !== "string" || text === "") return [];
		return [thought ? { type: "thinking", thinking: text } : { type: "text", text }];
	});
	const calls = parts.flatMap(({ functionCall }) => (isObject(functionCall) ? [functionCall] : []));
	const ended = content.some(({ type }) => type === "text") ? "stop" : "";
	const stopReason = calls.length > 0 ? "toolUse" : ended;
	const answer = reply(place, { content, stopReason, provider: "qwen", model: line["model"] });
	const asked = calls.flatMap(askedIn);
	return asked.length > 0 ? [answer, said(place, asked.join("\n"), "stop")] : [answer];
}

function askedIn({ name, args }: JsonObject): string[] {
	if (name === "ask_user_question") return [questionText(args)];
	const plan = isObject(args) ? textOf(args["plan"]) : "";
	return name === "exit_plan_mode" ? [`${plan}\n\nCarry out this plan?`.trim()] : [];
}

/** Converts a call to a call of the host's corresponding tool, so that its command or its changes are recognized. */
function callBlock({ id, name, args: given }: JsonObject): JsonObject {
	const args = isObject(given) ? given : {};
	const path = args["file_path"] ?? args["absolute_path"];
	switch (name) {
		case "run_shell_command":
			return toolCall(id, "bash", { command: args["command"] });
		case "read_file":
			return toolCall(id, "read", { path });
		case "write_file":
			return toolCall(id, "write", { path, content: args["content"] });
		case "edit":
		case "replace":
			return toolCall(id, "edit", { path, oldText: args["old_string"], newText: args["new_string"] });
		default:
			return toolCall(id, textOf(name), args);
	}
}

/** Match the lines in which the program states a command's output and exit code. */
const OUTPUT = /^Output: ([\s\S]*?)^Error: /m;
const EXIT = /^Exit Code: (\d+)/m;

function resultEntry({ id, name, response }: JsonObject, place: LogPlace): JsonObject {
	const { output, error } = isObject(response) ? response : {};
	const whole = textOf(output) || blockTexts(output).join("\n");
	const status = EXIT.exec(whole)?.[1] ?? "0";
	const text = OUTPUT.exec(whole)?.[1]?.trim() ?? whole;
	const problem = textOf(error);
	const isError = problem !== "" || status !== "0";
	const ended = status === "0" ? text : `${text}\n\n${exitLine(status)}`;
	return toolResult(place, { id, text: problem || ended, isError, name: textOf(name) });
}

/** The type of the entry with the title that a model gave the session. */
const TITLE = "session-suite:title";

function systemEntry({ subtype, systemPayload }: JsonObject, place: LogPlace): JsonObject {
	const payload = isObject(systemPayload) ? systemPayload : {};
	switch (subtype) {
		case "custom_title": {
			const title = textOf(payload["customTitle"]);
			return payload["titleSource"] === "auto"
				? entry(place, "custom", { customType: TITLE, data: { title, source: "auto" } })
				: entry(place, "session_info", { name: title });
		}
		case "chat_compression": {
			const [first] = objectsIn(payload["compressedHistory"]);
			return entry(place, "compaction", { summary: blockTexts(first?.["parts"]).join("\n") });
		}
		case "turn_result": {
			const { error } = payload;
			const text = isObject(error) ? textOf(error["message"]) : textOf(error);
			return text === "" ? link(place) : failed(place, text);
		}
		default:
			return link(place);
	}
}

import { isObject, type JsonObject, objectsIn, textOf } from "../text/files/index.ts";
import { questionText } from "../text/index.ts";
import * as host from "./foreign-entries.ts";
import { QWEN_CODE } from "./format.ts";

/** Messages in Qwen Code's logs have the field `parts`, which no other agent's log contains. */
export function qwenEntries(line: JsonObject): JsonObject[] | undefined {
	const { uuid, sessionId, message, cwd, timestamp, isSidechain, agentId, forkedFrom } = line;
	const isQwen = isObject(message) ? Array.isArray(message["parts"]) : "systemPayload" in line;
	if (!isQwen || typeof uuid !== "string" || typeof sessionId !== "string") return undefined;
	const facts =
		isSidechain === true
			? { id: agentId ?? sessionId, parent: sessionId, isChild: true }
			: { id: sessionId, parent: host.fieldsIn(forkedFrom)["sessionId"], isChild: false };
	return [
		host.header({ format: QWEN_CODE, ...facts, cwd, timestamp, branch: line["gitBranch"] }),
		...host.numbered(bodyOf(line, { id: uuid, timestamp }), uuid),
	];
}

function bodyOf(line: JsonObject, place: host.LogPlace): JsonObject[] {
	const parts = objectsIn(host.fieldsIn(line["message"])["parts"]);
	switch (line["type"]) {
		case "user":
			return [userEntry(line, parts, place)];
		case "assistant":
			return assistantEntries(line, parts, place);
		case "tool_result":
			return partsOf(parts, "functionResponse").map((one) => resultEntry(one, place));
		default:
			return [systemEntry(line["subtype"], host.fieldsIn(line["systemPayload"]), place)];
	}
}

function partsOf(parts: readonly JsonObject[], kind: string): JsonObject[] {
	return objectsIn(parts.map((part) => part[kind]));
}

/**
 * The subtypes of Qwen Code's records that contain a user's words. Records of all other subtypes
 * contain text from the program or another agent.
 */
const TYPED: readonly unknown[] = [
	undefined,
	"mid_turn_user_message",
	"user_text_elements",
	"realtime_message",
];

function userEntry(line: JsonObject, parts: readonly JsonObject[], place: host.LogPlace): JsonObject {
	const { subtype, systemPayload, parentUuid, provenance = "real_user" } = line;
	const at = host.placeAfter(place, parentUuid);
	if (!TYPED.includes(subtype) || provenance !== "real_user") return host.link(at);
	const images = parts.filter((part) => "inlineData" in part).length;
	const shown = textOf(host.fieldsIn(systemPayload)["displayText"]);
	if (shown.trim() !== "") return host.userMessage(at, shown, images);
	return (
		host.ownMessage(
			at,
			parts.map(({ text }) => textOf(text)),
			images,
		) ?? host.link(at)
	);
}

function assistantEntries(
	line: JsonObject,
	parts: readonly JsonObject[],
	place: host.LogPlace,
): JsonObject[] {
	const content = parts.flatMap(({ text, thought, functionCall: call }): JsonObject[] => {
		if (isObject(call))
			return [host.translatedCall(TOOLS, call["id"], call["name"], host.fieldsIn(call["args"]))];
		if (typeof text !== "string" || text === "") return [];
		return [thought ? { type: "thinking", thinking: text } : { type: "text", text }];
	});
	const calls = partsOf(parts, "functionCall");
	const ended = content.some(({ type }) => type === "text") ? "stop" : "";
	const stopReason = calls.length > 0 ? "toolUse" : ended;
	const fields = { content, stopReason, provider: "qwen", model: line["model"] };
	return host.replyAsking(place, fields, calls.flatMap(askedIn));
}

function askedIn({ name, args }: JsonObject): string[] {
	if (name === "ask_user_question") return [questionText(args)];
	return name === "exit_plan_mode" ? [host.planQuestion(host.fieldsIn(args))] : [];
}

const EDIT = ["edit", { oldText: "old_string", newText: "new_string" }] as const;
const TOOLS: host.Tools = new Map<unknown, typeof EDIT | readonly [string, Readonly<Record<string, string>>]>(
	[
		["run_shell_command", ["bash", { command: "command" }]],
		["read_file", ["read", {}]],
		["write_file", ["write", { content: "content" }]],
		["edit", EDIT],
		["replace", EDIT],
	],
);

const OUTPUT = /^Output: ([\s\S]*?)^Error: /m;
const EXIT = /^Exit Code: (\d+)/m;

function resultEntry({ id, name, response }: JsonObject, place: host.LogPlace): JsonObject {
	const { output, error } = host.fieldsIn(response);
	const whole = textOf(output) || host.blockTexts(output).join("\n");
	const status = Number(EXIT.exec(whole)?.[1] ?? 0);
	const text = OUTPUT.exec(whole)?.[1]?.trim() ?? whole;
	const problem = textOf(error);
	const facts = { id, isError: problem !== "" || status !== 0, name: textOf(name) };
	return host.toolResult(place, problem === "" ? { ...facts, text, status } : { ...facts, text: problem });
}

function systemEntry(subtype: unknown, payload: JsonObject, place: host.LogPlace): JsonObject {
	switch (subtype) {
		case "custom_title": {
			const build = payload["titleSource"] === "auto" ? host.modelTitle : host.name;
			return build(place, payload["customTitle"]);
		}
		case "chat_compression": {
			const [first] = objectsIn(payload["compressedHistory"]);
			return host.summary(place, host.blockTexts(first?.["parts"]).join("\n"));
		}
		case "turn_result": {
			const { error } = payload;
			const text = textOf(error) || textOf(host.fieldsIn(error)["message"]);
			return text === "" ? host.link(place) : host.failed(place, text);
		}
		default:
			return host.link(place);
	}
}

/** What the host takes for granted of an entry when it shows a session: without it, it ends with an error. */
import { isObject, type JsonObject } from "../json.ts";

/** Whether the host gets past this value when it walks through a session's entries and puts them on the screen. */
export function isTaken(value: unknown): value is JsonObject {
	if (!isObject(value)) return false;
	switch (value["type"]) {
		case "message":
			return isObject(value["message"]) && isShowable(value["message"]);
		case "custom_message":
			return isText(value["content"]) || isParts(value["content"]);
		case "compaction":
			return value["tokensBefore"] !== undefined && value["tokensBefore"] !== null;
		case "session_info":
			return value["name"] === undefined || value["name"] === null || isText(value["name"]);
		case "context_edit":
			return value["replacement"] === null || isObject(value["replacement"]);
		default:
			return true;
	}
}

function isShowable(message: JsonObject): boolean {
	const { role, content, usage } = message;
	switch (role) {
		case "user":
			return isText(content) || isParts(content);
		case "assistant":
			// The footer adds up the usage of every reply of the file.
			return isParts(content) && content.every(isWorded) && isObject(usage) && isObject(usage["cost"]);
		case "toolResult":
			return isParts(content);
		case "bashExecution":
			return isText(message["command"]);
		default:
			return isText(role);
	}
}

/** The host trims what the agent said and thought. */
function isWorded(part: JsonObject): boolean {
	const { type } = part;
	return type === "text" || type === "thinking" ? isText(part[type]) : true;
}

function isParts(value: unknown): value is JsonObject[] {
	return Array.isArray(value) && value.every(isObject);
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

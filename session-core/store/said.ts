import { isObject, type JsonObject } from "../json.ts";
import { contentText } from "../session/message.ts";

/** Who said a searched text. `note`: a summary, a name, or what an extension showed. */
export type Speaker = "user" | "assistant" | "note";

export interface Said {
	by: Speaker;
	text: string;
}

/**
 * What an entry says in words. Tool results, hidden reasoning and calls are left out: whoever searches for what was said
 * would drown in what was read.
 */
export function saidIn(entry: JsonObject): Said | undefined {
	switch (entry["type"]) {
		case "message":
			return isObject(entry["message"]) ? saidInMessage(entry["message"]) : undefined;
		case "custom_message":
			return entry["display"] === false ? undefined : note(contentText(entry["content"]));
		case "compaction":
		case "branch_summary":
			return note(entry["summary"]);
		case "session_info":
			return note(entry["name"]);
		default:
			return undefined;
	}
}

function saidInMessage(message: JsonObject): Said | undefined {
	switch (message["role"]) {
		case "user":
			return { by: "user", text: contentText(message["content"]) };
		case "bashExecution":
			return typeof message["command"] === "string" ? { by: "user", text: message["command"] } : undefined;
		case "assistant":
			return { by: "assistant", text: contentText(message["content"]) };
		default:
			return undefined;
	}
}

function note(text: unknown): Said | undefined {
	return typeof text === "string" ? { by: "note", text } : undefined;
}

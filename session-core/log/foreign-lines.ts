import { isObject, type JsonObject } from "../text/files/index.ts";
import { claudeCodeEntries } from "./claude-code.ts";
import { codexEntries } from "./codex.ts";
import { qwenEntries } from "./qwen-code.ts";

/** Converts a line of another agent's log into pi entries. Lines from pi are not changed. */
export function asHostEntries(line: JsonObject): JsonObject[] {
	if (line["type"] === "message" && isObject(line["message"])) return [line];
	return qwenEntries(line) ?? claudeCodeEntries(line) ?? codexEntries(line) ?? [line];
}

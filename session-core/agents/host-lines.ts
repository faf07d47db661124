import { isObject, type JsonObject } from "../json.ts";
import { claudeCodeEntries } from "./claude-code.ts";
import { codexEntries } from "./codex.ts";

/** The types of the host's own entries whose names other agents use as well. */
const OWN_MESSAGE = "message";

/**
 * Returns the entries for a line of a log. An object of the host's own format is returned unchanged. A line of another agent's log becomes
 * the host's entries with the same meaning, or none if it says nothing about the session.
 */
export function asHostEntries(line: JsonObject): JsonObject[] {
	// Most lines are the host's own, so they are recognized first.
	if (line["type"] === OWN_MESSAGE && isObject(line["message"])) return [line];
	return claudeCodeEntries(line) ?? codexEntries(line) ?? [line];
}

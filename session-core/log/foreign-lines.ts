import { isObject, type JsonObject } from "../text/files/index.ts";
import { claudeCodeEntries } from "./claude-code.ts";
import { codexEntries } from "./codex.ts";
import { qwenEntries } from "./qwen-code.ts";

/** Turns a line of another program's log into the host's entries with the same meaning. The host's own lines are returned unchanged. */
export function asHostEntries(line: JsonObject): JsonObject[] {
	// Most lines are the host's own, so they are recognized first. Other programs use the same type, but without a `message` object.
	if (line["type"] === "message" && isObject(line["message"])) return [line];
	return qwenEntries(line) ?? claudeCodeEntries(line) ?? codexEntries(line) ?? [line];
}

/** Number of bytes at each end of a line that show what kind of line it is. */
const SEEN = 2_048;
const ASKING =
	/"role":\s?"user"|"queued_command"|\\"answers\\":|"thread_rolled_back"|"session_meta"|"compacted"|"compaction"|"branch_summary"/;
const RESULT = /"tool_result"|"function_call_output"|"custom_tool_call_output"|"role":\s?"toolResult"/;
/** Matches the text that marks a result with the user's answers to questions or the user's reason for a refusal. */
const ANSWERED = /"answers":|the user said:/;

/** Whether a line may contain the user's words, a summary, or something that does not belong to the branch. */
export function mayAsk({ bytes }: { bytes: Buffer }): boolean {
	const head = bytes.toString("latin1", 0, SEEN);
	if (!ASKING.test(head)) return false;
	if (!head.includes('"tool_result"')) return true;
	return ANSWERED.test(head) || ANSWERED.test(bytes.toString("latin1", Math.max(0, bytes.length - SEEN)));
}

const SUMMARY = /"isCompactSummary":\s?true|"This session is being continued from a previous conversation/;

export function isSummaryLine({ bytes }: { bytes: Buffer }): boolean {
	const head = bytes.toString("latin1", 0, SEEN);
	if (!/"role":\s?"user"/.test(head) || head.includes('"tool_result"')) return false;
	return SUMMARY.test(head) || SUMMARY.test(bytes.toString("latin1", Math.max(0, bytes.length - SEEN)));
}

export function isStepLine({ bytes }: { bytes: Buffer }): boolean {
	return RESULT.test(bytes.toString("latin1", 0, SEEN));
}

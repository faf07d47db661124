import { hasFields, isEither, isFlag, isListOf, isNumber, isOneOf, isText, maybe } from "../shape.ts";
import type { SessionRecord } from "./record.ts";

/** Whether a value matches the record schema. The check does not load the schema itself. */
export const isRecap = hasFields<SessionRecord>({
	id: isText,
	kind: isOneOf("session", "job"),
	subject_id: isText,
	generator: isEither(
		hasFields({ type: isOneOf("heuristic", "user_edited") }),
		hasFields({ type: isOneOf("llm"), provider: isText, model: isText }),
	),
	headline: isText,
	bullets: isListOf(isText, 5),
	next_actions: isListOf(isText, 3),
	next_kinds: maybe(
		isListOf(isOneOf("question", "request", "offer", "step", "cut_short", "open", "before"), 3),
	),
	artifacts: isListOf(
		hasFields({ kind: isOneOf("file", "commit", "url", "command"), label: isText, locator: isText }),
		4,
	),
	outcome: isOneOf("done", "waiting", "aborted", "error", "running"),
	checks: maybe(isOneOf("passed", "failed")),
	evidence: maybe(isListOf(hasFields({ command: isText, line: isText, edits_after: isNumber }))),
	resume_hint: maybe(
		hasFields({
			seed_instruction: isText,
			provider: maybe(isText),
			model: maybe(isText),
			branch_on_resume: maybe(isFlag),
			tools: maybe(isListOf(isText)),
		}),
	),
	parent_job_id: maybe(isText),
	resumed_from_recap_id: maybe(isText),
	handed_over_from: maybe(isText),
	workspace: maybe(hasFields({ cwd: isText, git_branch: maybe(isText), git_head: maybe(isText) })),
	last_message_id: isText,
	created_at: isNumber,
});

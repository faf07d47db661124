/** The recap record, which has the same shape for the widget, the card, the session file and scripts. */
import { type Static, Type } from "typebox";

const Artifact = Type.Object({
	kind: Type.Union([
		Type.Literal("file"),
		Type.Literal("commit"),
		Type.Literal("url"),
		Type.Literal("command"),
	]),
	label: Type.String(),
	locator: Type.String(),
});

/**
 * What an open item is. `question`: the agent asks the user for a decision or a fact. `request`: the agent needs the user to do something.
 * `offer`: the agent proposes further work. `step`: a step that the reply itself labels as next. `cut_short`: a request of the user that an
 * abort or an error interrupted.
 */
export type NextKind = "question" | "request" | "offer" | "step" | "cut_short";

/** `open` and `before` are the kinds in records of earlier versions. */
const StoredKind = Type.Enum(["question", "request", "offer", "step", "cut_short", "open", "before"]);

export const RecapSchema = Type.Object({
	id: Type.String(),
	kind: Type.Union([Type.Literal("session"), Type.Literal("job")]),
	subject_id: Type.String(),
	generator: Type.Union([
		Type.Object({ type: Type.Literal("heuristic") }),
		Type.Object({ type: Type.Literal("llm"), provider: Type.String(), model: Type.String() }),
		Type.Object({ type: Type.Literal("user_edited") }),
	]),
	headline: Type.String(),
	bullets: Type.Array(Type.String(), { maxItems: 5 }),
	next_actions: Type.Array(Type.String(), { maxItems: 3 }),
	/** What the items in `next_actions` are, in the order of those items. Records of earlier versions do not say. */
	next_kinds: Type.Optional(Type.Array(StoredKind, { maxItems: 3 })),
	artifacts: Type.Array(Artifact, { maxItems: 4 }),
	outcome: Type.Union([
		Type.Literal("done"),
		Type.Literal("waiting"),
		Type.Literal("aborted"),
		Type.Literal("error"),
		Type.Literal("running"),
	]),
	/**
	 * The result of the last checks. It is present only if an exit status or a runner's own summary line shows it; `evidence` contains
	 * that line.
	 */
	checks: Type.Optional(Type.Union([Type.Literal("passed"), Type.Literal("failed")])),
	/** The last run: its command, the line of its output that shows the result, and the number of files that were edited after the run. */
	evidence: Type.Optional(
		Type.Array(Type.Object({ command: Type.String(), line: Type.String(), edits_after: Type.Number() })),
	),
	resume_hint: Type.Optional(
		Type.Object({
			seed_instruction: Type.String(),
			provider: Type.Optional(Type.String()),
			model: Type.Optional(Type.String()),
			branch_on_resume: Type.Optional(Type.Boolean()),
			/** For a job: the tools that it was allowed to use. Its next run may use only these tools. */
			tools: Type.Optional(Type.Array(Type.String())),
		}),
	),
	/** For a job that continues another job: the session of that job. */
	parent_job_id: Type.Optional(Type.String()),
	/** For a job that continues another job: the record from which it was resumed. */
	resumed_from_recap_id: Type.Optional(Type.String()),
	/** The session of another agent that the session continues, as `agent/id`. */
	handed_over_from: Type.Optional(Type.String()),
	workspace: Type.Optional(
		Type.Object({
			cwd: Type.String(),
			git_branch: Type.Optional(Type.String()),
			git_head: Type.Optional(Type.String()),
		}),
	),
	/** The last message that the record covers. It identifies the state of the conversation. */
	last_message_id: Type.String(),
	/** Unix seconds. */
	created_at: Type.Number(),
});

export type SessionRecord = Static<typeof RecapSchema>;

/** Returns what the debug log says about a record: ids, kinds and counts, but no text. */
export function recordFields(recap: SessionRecord) {
	return {
		session: recap.subject_id,
		record: recap.id,
		kind: recap.kind,
		by: recap.generator.type,
		outcome: recap.outcome,
		stamp: recap.last_message_id,
		bullets: recap.bullets.length,
		next: recap.next_actions.length,
		artifacts: recap.artifacts.length,
	};
}

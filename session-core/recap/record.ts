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
 * Why an item is open. `before`: it was already open before the last turn. `cut_short`: it is a request that an abort or an error
 * interrupted.
 */
const NextKind = Type.Union([Type.Literal("open"), Type.Literal("before"), Type.Literal("cut_short")]);

export type NextKind = Static<typeof NextKind>;

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
	/** The reasons why the items in `next_actions` are open, in the order of those items. A missing reason means `open`. */
	next_kinds: Type.Optional(Type.Array(NextKind, { maxItems: 3 })),
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

import type { LogFields } from "../../session-core/debug-log.ts";
import type { ResumePlan } from "../../session-core/resume-plan/plan.ts";

/**
 * Returns the fields that are written to the debug log for a bug: the error's name and its location in the code. The message is left out,
 * because it may quote a session.
 */
export function bugFields(bug: unknown): { error: string; at: string | undefined } {
	if (!(bug instanceof Error)) return { error: typeof bug, at: undefined };
	return { error: bug.name, at: /([\w.-]+:\d+):\d+\)?$/m.exec(bug.stack ?? "")?.[1] };
}

/**
 * Returns the fields that are written to the debug log for a resume. They contain only the lengths of texts, never the texts themselves.
 */
export function planFields({ session_id, kind, branch, seed_instruction, prompt }: ResumePlan): LogFields {
	return { session: session_id, kind, branch, seed: seed_instruction?.length, prompt: prompt?.length };
}

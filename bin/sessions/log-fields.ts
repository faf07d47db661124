import type { LogFields } from "../../session-core/debug-log.ts";
import type { ResumePlan } from "../../session-core/resume-plan/plan.ts";

/**
 * Returns what the debug log contains about a bug: the error's name and the place in the code. The message is left out, because it may
 * quote a session.
 */
export function bugFields(bug: unknown): { error: string; at: string | undefined } {
	if (!(bug instanceof Error)) return { error: typeof bug, at: undefined };
	return { error: bug.name, at: /([\w.-]+:\d+):\d+\)?$/m.exec(bug.stack ?? "")?.[1] };
}

/** Returns what the debug log contains about a resume: the lengths of texts, never the texts. */
export function planFields({ session_id, kind, branch, seed_instruction, prompt }: ResumePlan): LogFields {
	return { session: session_id, kind, branch, seed: seed_instruction?.length, prompt: prompt?.length };
}

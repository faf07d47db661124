import { RESUME_VARIABLE, waitingText } from "../../session-core/resume-plan/variables.ts";
import type { Continuation } from "../instances.ts";

/**
 * What whoever started this pi asked to have in the editor (`pi-sessions resume`). Taken once: what pi starts itself must not
 * find it.
 */
export function takeOrder(env: NodeJS.ProcessEnv): Continuation | undefined {
	const text = waitingText(env[RESUME_VARIABLE]);
	delete env[RESUME_VARIABLE];
	return text === undefined ? undefined : { prompt: text ?? undefined, send: false };
}

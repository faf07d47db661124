import { promptOf } from "../../session-core/find/entries.ts";
import { RESUME_VARIABLE, readWaiting, type Waiting } from "../../session-core/resume-plan/variables.ts";
import { readWholeSession } from "../../session-core/store/session-file.ts";
import type { Continuation } from "../instances.ts";

/**
 * What whoever started this pi asked to have in the editor (`pi-sessions resume`). Taken once: what pi starts itself must not
 * find it.
 */
export function takeOrder(env: NodeJS.ProcessEnv): Waiting | undefined {
	const order = readWaiting(env[RESUME_VARIABLE]);
	delete env[RESUME_VARIABLE];
	return order;
}

/** What to go on with; undefined where the prompt is not there any more. `parentSession`: the file that this session was forked from. */
export async function continuationOf(
	order: Waiting,
	parentSession: string | undefined,
): Promise<Continuation | undefined> {
	switch (order.type) {
		case "next":
			return { prompt: undefined, send: false };
		case "text":
			return { prompt: order.text, send: false };
		case "entry": {
			const opened = parentSession === undefined ? undefined : await readWholeSession(parentSession);
			const entry = opened?.ok ? opened.session.getEntry(order.id) : undefined;
			const prompt = entry && promptOf(entry);
			return prompt === undefined ? undefined : { prompt, send: false };
		}
	}
}

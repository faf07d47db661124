import type { CommandContext } from "../context.ts";
import { type Continuation, waitForInstance } from "../instances.ts";

/**
 * Go on in a new session that begins with the recap. It names no parent: a session that does, and begins empty, counts as
 * started by another one, and those are folded away in lists.
 */
export async function goOnFresh({ commandCtx }: CommandContext, continuation: Continuation): Promise<void> {
	let begun = "";
	const { cancelled } = await commandCtx.newSession({
		withSession: async (next) => {
			begun = next.sessionManager.getSessionId();
		},
	});
	if (cancelled) return;
	const instance = await waitForInstance(begun);
	await instance?.goOn(continuation);
}

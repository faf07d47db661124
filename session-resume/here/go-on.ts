import type { Desk } from "../desk.ts";
import type { Order } from "../handover.ts";
import type { ModelName } from "../model.ts";
import type { Prepared } from "../record/keeper.ts";
import { restoreModel } from "./model.ts";
import { beginningOf, isQuestion, resumePrompt } from "./prompt.ts";

/** Said where `--send` would send the agent its own question. */
export const ANSWER_FIRST = "resume: the next step is a question to you. Answer it and press Enter.";

/**
 * Go on in the session that is open: its own model, and the prompt in the editor, or sent where the user asked for that.
 * Waits for no model: a run that begins here is the host's.
 */
export async function goOn(desk: Desk, order: Order): Promise<void> {
	const { pi, ctx, screen, session } = desk;
	const prepared = await session.state();
	if (!session.isLive()) return;
	const recap = prepared?.shown;
	const action = recap && beginningOf(recap);
	const prompt = order.prompt ?? (recap && resumePrompt(recap, action));
	if (prompt === undefined) return;
	const restored = await restoreModel(prepared && modelOf(prepared), pi, ctx);
	if (!session.isLive()) return;
	if (restored) screen.say(restored.text, restored.kind);
	session.card.hide();
	// Somebody was faster with a prompt: what was to be sent waits in the editor.
	if (!order.send || !ctx.isIdle()) {
		screen.fillEditor(prompt);
		return;
	}
	if (order.prompt === undefined && action !== undefined && isQuestion(action)) {
		screen.say(ANSWER_FIRST);
		screen.fillEditor(prompt);
		return;
	}
	pi.sendUserMessage(prompt);
}

/** The model by the log; else by the record, which may come from a branch that was cut short. */
function modelOf({ reading, shown }: Prepared): ModelName | undefined {
	const { provider, model } = shown.resume_hint ?? {};
	const hinted = provider !== undefined && model !== undefined ? { provider, id: model } : undefined;
	return reading.model ?? hinted;
}

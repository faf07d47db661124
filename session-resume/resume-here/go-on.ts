import type { ModelName } from "../../session-core/records/session-model.ts";
import { beginningOf, isQuestion, resumePrompt } from "../../session-core/resume-plan/prompt.ts";
import type { ResumeContext } from "../context.ts";
import type { Continuation } from "../instances.ts";
import type { Prepared } from "../record/keeper.ts";
import { restoreModel } from "./restore-model.ts";

/** Said where `--send` would send the agent its own question. */
export const ANSWER_FIRST = "resume: the next step is a question to you. Answer it and press Enter.";

/**
 * Go on in the session that is open: its own model, and the prompt in the editor, or sent where the user asked for that.
 * Waits for no model: a run that begins here is the host's.
 */
export async function goOn(context: ResumeContext, continuation: Continuation): Promise<void> {
	const { pi, ctx, screen, session } = context;
	const prepared = await session.state();
	if (!session.isLive()) return;
	const recap = prepared?.shown;
	const action = recap && beginningOf(recap);
	const prompt = continuation.prompt ?? (recap && resumePrompt(recap, action));
	if (prompt === undefined) return;
	const restored = await restoreModel(prepared && modelOf(prepared), pi, ctx);
	if (!session.isLive()) return;
	if (restored) screen.say(restored.text, restored.kind);
	session.card.hide();
	// Somebody was faster with a prompt: what was to be sent waits in the editor.
	if (!continuation.send || !ctx.isIdle()) {
		screen.fillEditor(prompt);
		return;
	}
	if (continuation.prompt === undefined && action !== undefined && isQuestion(action)) {
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

import { askInOrder } from "../../session-core/model/ask.ts";
import { type Ground, groundAnswer } from "../../session-core/model/ground.ts";
import type { ModelChoice } from "../../session-core/model/policy.ts";
import { type ModelGateway, type SideCallResult, sideCall } from "../../session-core/model/side-call.ts";
import { readAnswer } from "../answer/read.ts";
import { RECAP_SYSTEM_PROMPT, recapPrompt } from "../prompt.ts";
import type { Reading } from "../reading.ts";
import type { DraftFailure } from "./draft.ts";

export interface Question {
	reading: Pick<Reading, "question">;
	projectContext: string | undefined;
	choice: ModelChoice;
	signal: AbortSignal;
}

export interface AskDeps {
	gateway: ModelGateway;
	/** Called once for each call that was made. */
	spent(model: string, result: SideCallResult): void;
}

export type Answer =
	| { ok: true; text: string; model: string }
	| { ok: false; reason: DraftFailure; model: string };

/**
 * Ask a model for the recap. The next candidate is tried only where the one before has no credentials or cannot do
 * it; a bad or missing answer is never asked for twice.
 */
export async function askForRecap(question: Question, deps: AskDeps): Promise<Answer> {
	const { reading, projectContext, choice, signal } = question;
	const { ground, language } = reading.question();
	const prompt = recapPrompt({ timeline: ground.input, language, projectContext });
	const asked = await askInOrder(
		choice.candidates,
		{ systemPrompt: RECAP_SYSTEM_PROMPT, prompt, signal },
		{ call: (request) => sideCall(deps.gateway, request), spent: deps.spent },
	);
	if (!asked) return { ok: false, reason: "no_model", model: "" };
	const { model, result } = asked;
	if (!result.ok) return { ok: false, reason: result.reason, model };
	return judge(result.text, model, { ...ground, input: prompt });
}

function judge(raw: string, model: string, ground: Ground): Answer {
	const read = readAnswer(raw);
	const text = read === undefined ? undefined : groundAnswer(read, ground);
	return text === undefined ? { ok: false, reason: "unusable", model } : { ok: true, text, model };
}

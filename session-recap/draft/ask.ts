import { askInOrder } from "../../session-core/model/ask.ts";
import { type Ground, groundAnswer } from "../../session-core/model/ground.ts";
import type { ModelChoice } from "../../session-core/model/policy.ts";
import { type ModelGateway, sideCall } from "../../session-core/model/side-call.ts";
import { fitsScript, type Language } from "../../session-core/text/language.ts";
import { askOnce } from "../../session-core/usage/ask-once.ts";
import type { Books, Ticket, Trigger } from "../../session-core/usage/books.ts";
import { readAnswer } from "../model-answer/read.ts";
import { RECAP_SYSTEM_PROMPT, recapPrompt } from "../prompt.ts";
import type { Reading } from "../reading.ts";
import type { FailedDraft } from "./draft.ts";

export interface Question {
	reading: Pick<Reading, "question" | "stamp">;
	projectContext: string | undefined;
	choice: ModelChoice;
	signal: AbortSignal;
	by: Trigger;
}

export interface AskDeps {
	gateway: ModelGateway;
	books: Pick<Books, "begin">;
}

export type Answer = { ok: true; text: string; model: string } | ({ ok: false } & FailedDraft);

/** Ask a model for the recap of one state. The next candidate is tried only where the one before has no credentials or cannot do it. */
export function askForRecap(question: Question, { gateway, books }: AskDeps): Promise<Answer> {
	const { reading, choice, signal, by } = question;
	const { candidates } = choice;
	return askOnce({ stamp: reading.stamp, by, candidates, signal }, books, (ticket) =>
		ask(question, gateway, ticket),
	);
}

async function ask(question: Question, gateway: ModelGateway, ticket: Ticket): Promise<Answer> {
	const { reading, projectContext, choice, signal } = question;
	const { ground, language } = reading.question();
	const prompt = recapPrompt({ timeline: ground.input, language: language.hint, projectContext });
	const asked = await askInOrder(
		choice.candidates,
		{ systemPrompt: RECAP_SYSTEM_PROMPT, prompt, signal },
		{ call: (request) => sideCall(gateway, request), book: ticket.book },
	);
	if (!asked) return { ok: false, reason: "no_model", model: "" };
	const { model, result } = asked;
	if (!result.ok) {
		const { reason, status, detail } = result;
		return { ok: false, reason, model, status, detail };
	}
	return judge(result.text, model, { ground: { ...ground, input: prompt }, language: language.language });
}

interface Held {
	ground: Ground;
	/** The language that was asked for. */
	language: Language | undefined;
}

/** What is not of the session, or not in the script of the user's language, is not shown: the offline text stays. */
function judge(raw: string, model: string, { ground, language }: Held): Answer {
	const read = readAnswer(raw);
	const fits = read !== undefined && (language === undefined || fitsScript(read, language));
	const text = fits ? groundAnswer(read, ground) : undefined;
	return text === undefined ? { ok: false, reason: "unusable", model } : { ok: true, text, model };
}

import { type AskPorts, askModel } from "../../session-core/model/ask.ts";
import { type SessionFacts, supportedSentences } from "../../session-core/model/check-claims.ts";
import type { ModelChoice } from "../../session-core/model/choose-model.ts";
import type { Trigger } from "../../session-core/model/reserve-cost.ts";
import { fitsScript, type Language } from "../../session-core/text/language.ts";
import { safeText } from "../../session-core/text/safe.ts";
import { isAboutSession, readAnswer } from "../model-answer/read.ts";
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

export type Answer = { ok: true; text: string; model: string } | ({ ok: false } & FailedDraft);

/** Asks a model for the recap of one state of the conversation. */
export async function askForRecap(question: Question, ports: AskPorts): Promise<Answer> {
	const { reading, projectContext, choice, signal, by } = question;
	const { ground, language } = reading.question();
	const prompt = recapPrompt({ timeline: ground.input, language: language.hint, projectContext });
	const request = { systemPrompt: RECAP_SYSTEM_PROMPT, prompt };
	const answer = await askModel(
		{
			state: reading.stamp,
			by,
			candidates: choice.candidates,
			request,
			signal,
			isAnswer: ({ text }) => readAnswer(text) !== undefined,
		},
		ports,
	);
	if (!answer.ok) return answer;
	return judge(answer.text, answer.model, {
		ground: { ...ground, input: prompt },
		session: ground.input,
		language: language.language,
	});
}

interface Held {
	ground: SessionFacts;
	/** The session as the model received it. */
	session: string;
	/** The requested language. */
	language: Language | undefined;
}

/** Rejects an answer in the wrong writing system, and drops sentences that are not supported by the session's facts. */
function judge(raw: string, model: string, { ground, session, language }: Held): Answer {
	const read = readAnswer(raw);
	const fits =
		read !== undefined &&
		isAboutSession(read, session) &&
		(language === undefined || fitsScript(read, language));
	const text = fits ? supportedSentences(read, ground) : undefined;
	return text === undefined ? { ok: false, reason: "unusable", model } : { ok: true, text, model };
}

/** Maximum length of the project's instructions in a recap call, in UTF-16 units. */
const MAX_CHARACTERS = 2_000;

/** Returns the text of the project's instruction files (such as AGENTS.md). The text is sent only if the user has enabled this. */
export async function projectContext(cwd: string, agentDir: string): Promise<string | undefined> {
	const { loadProjectContextFiles } = await import("@mariozechner/pi-coding-agent");
	const files = loadProjectContextFiles({ cwd, agentDir });
	const text = files.map(({ content }) => content.trim()).join("\n\n");
	return text === "" ? undefined : safeText(text).slice(0, MAX_CHARACTERS).toWellFormed();
}

import { type AskPorts, askInOrder } from "../../session-core/model/ask.ts";
import type { Failure, SideCallFailure } from "../../session-core/model/failure.ts";
import type { Candidate } from "../../session-core/model/policy.ts";
import { parseSpec } from "../../session-core/model/spec.ts";
import { wantedLanguage } from "../../session-core/model/wanted-language.ts";
import type { Recap } from "../../session-core/recap/record.ts";
import { ownLanguage } from "../../session-core/session/own-language.ts";
import { fitsScript } from "../../session-core/text/language.ts";
import { renderTimeline } from "../../session-core/timeline/render.ts";
import type { Timeline } from "../../session-core/timeline/types.ts";
import type { AskRefusal } from "../../session-core/usage/books.ts";
import type { LanguageCode } from "../../session-core/words/languages.ts";
import { RECORD_SYSTEM_PROMPT, RECORD_TOOL, recordPrompt } from "./prompt.ts";
import { readWords } from "./record-text.ts";

export type AskFailure = SideCallFailure | AskRefusal | "no_model" | "unusable";

export type AskOutcome =
	| { ok: true; recap: Recap; model: string }
	| ({ ok: false; reason: AskFailure; model: string } & Omit<Failure, "reason">);

export interface Question {
	/** The record by rules: the model fills in its words, the rest stays. */
	recap: Recap;
	timeline: Timeline;
	/** The `language` setting. */
	language: LanguageCode | undefined;
	candidates: readonly Candidate[];
	signal: AbortSignal;
}

/** Output cap in tokens: a headline, five bullets and three actions, in any script. */
const MAX_TOKENS = 700;

/** Ask a model for a record's words. A bad or missing answer is never asked for twice. */
export async function askForRecord(question: Question, ports: AskPorts): Promise<AskOutcome> {
	const { recap, timeline, candidates, signal } = question;
	const input = renderTimeline(timeline);
	const { language, hint } = wantedLanguage(ownLanguage(timeline), question.language);
	const asked = await askInOrder(
		candidates,
		{
			systemPrompt: RECORD_SYSTEM_PROMPT,
			prompt: recordPrompt(input, hint),
			tool: RECORD_TOOL,
			maxTokens: MAX_TOKENS,
			signal,
		},
		ports,
	);
	if (!asked) return { ok: false, reason: "no_model", model: "" };
	const { model, result } = asked;
	if (!result.ok) return { ...result, model };
	const words = readWords(result, { input, timeline });
	if (!words || (language && !fitsScript(sentencesOf(words), language)))
		return { ok: false, reason: "unusable", model };
	return { ok: true, recap: withWords(recap, words, model), model };
}

type RecordText = Pick<Recap, "headline" | "bullets" | "next_actions">;

function sentencesOf({ headline, bullets, next_actions }: RecordText): string {
	return [headline, ...bullets, ...next_actions].join("\n");
}

function withWords(recap: Recap, words: RecordText, name: string): Recap {
	const spec = parseSpec(name);
	const { resume_hint: hint, next_kinds: _, ...rest } = recap;
	const [first] = words.next_actions;
	return {
		...rest,
		...words,
		generator: { type: "llm", provider: spec?.provider ?? "", model: spec?.id ?? name },
		...((first !== undefined || hint?.branch_on_resume) && {
			resume_hint: { ...hint, seed_instruction: first ?? "" },
		}),
	};
}

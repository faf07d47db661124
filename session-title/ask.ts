import {
	type AnswerMessage,
	type AskPorts,
	askModel,
	type NoAnswer,
	type NoAnswerReason,
} from "../session-core/model/ask.ts";
import type { Candidate } from "../session-core/model/choose-model.ts";
import type { Trigger } from "../session-core/model/ledger.ts";
import { TITLE_TOOL, type TitleStyle, titleSystemPrompt } from "./prompt.ts";
import type { TitleReading } from "./reading.ts";
import { extractTitle, judgeTitle, NO_TITLE, toKebab } from "./title-answer.ts";

export type TitleFailure = NoAnswerReason | "empty_result";

export interface FailedTitle extends Omit<NoAnswer, "reason"> {
	reason: TitleFailure;
	/** What is wrong with the answer. */
	flaw?: string;
}

export type TitleOutcome = { ok: true; title: string; model: string } | FailedTitle;

export interface TitleRequest {
	reading: TitleReading;
	style: TitleStyle;
	candidates: readonly Candidate[];
	signal: AbortSignal;
	by: Trigger;
}

/** Requests a title. */
export async function askForTitle(question: TitleRequest, ports: AskPorts): Promise<TitleOutcome> {
	const { reading, style, candidates, signal, by } = question;
	const request = { systemPrompt: titleSystemPrompt(style), prompt: reading.prompt(), tool: TITLE_TOOL };
	const isAnswer = ({ text, toolArguments }: AnswerMessage) =>
		extractTitle(toolArguments, text) !== undefined;
	const answer = await askModel({ state: reading.stamp, by, candidates, request, signal, isAnswer }, ports);
	return answer.ok ? { ...readTitle(answer, question), model: answer.model } : answer;
}

function readTitle(
	{ text, toolArguments }: { text: string; toolArguments?: Record<string, unknown> },
	{ reading, style }: TitleRequest,
): { ok: true; title: string } | { ok: false; reason: "empty_result"; flaw?: string } {
	const raw = extractTitle(toolArguments, text);
	if (raw === undefined) return { ok: false, reason: "empty_result", flaw: NO_TITLE };
	const isKebab = style === "kebab";
	// A kebab-case name may repeat the user's words.
	const judged = isKebab
		? judgeTitle(raw.replace(/[-_]+/g, " "), { language: reading.language, prompts: [] })
		: judgeTitle(raw, { ...reading, input: [reading.prompt(), ...reading.prompts].join("\n") });
	if (!judged.ok) return { ok: false, reason: "empty_result", flaw: judged.flaw };
	if (!isKebab) return judged;
	const title = toKebab(judged.title);
	return title === undefined ? { ok: false, reason: "empty_result", flaw: NO_TITLE } : { ok: true, title };
}

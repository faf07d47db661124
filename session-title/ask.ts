import { type AskPorts, askInOrder } from "../session-core/model/ask.ts";
import type { Failure, SideCallFailure } from "../session-core/model/failure.ts";
import type { Candidate } from "../session-core/model/policy.ts";
import { askOnce } from "../session-core/usage/ask-once.ts";
import type { AskRefusal, Books, Ticket, Trigger } from "../session-core/usage/books.ts";
import { extractTitle } from "./model-answer/extract.ts";
import { type Flaw, judgeTitle } from "./model-answer/judge.ts";
import { toKebab } from "./model-answer/kebab.ts";
import { TITLE_TOOL, type TitleStyle, titleSystemPrompt } from "./prompt.ts";
import type { Reading } from "./reading.ts";

export type TitleFailure = SideCallFailure | AskRefusal | "no_model" | "empty_result";

export interface FailedTitle extends Omit<Failure, "reason"> {
	ok: false;
	reason: TitleFailure;
	model: string;
	flaw?: Flaw;
}

export type TitleOutcome = { ok: true; title: string; model: string } | FailedTitle;

export interface Question {
	reading: Reading;
	style: TitleStyle;
	candidates: readonly Candidate[];
	signal: AbortSignal;
	by: Trigger;
}

export interface TitlePorts extends Pick<AskPorts, "call"> {
	books: Pick<Books, "begin">;
}

/**
 * Ask for a title. An answer that is none is not asked for again unasked: the next state of the conversation may do
 * better.
 */
export function askForTitle(question: Question, { call, books }: TitlePorts): Promise<TitleOutcome> {
	const { reading, candidates, signal, by } = question;
	return askOnce({ stamp: reading.stamp, by, candidates, signal }, books, (ticket) =>
		ask(question, call, ticket),
	);
}

async function ask(question: Question, call: AskPorts["call"], ticket: Ticket): Promise<TitleOutcome> {
	const { reading, style, candidates, signal } = question;
	const request = {
		systemPrompt: titleSystemPrompt(style),
		prompt: reading.prompt(),
		tool: TITLE_TOOL,
		signal,
	};
	const asked = await askInOrder(candidates, request, { call, book: ticket.book });
	if (!asked) return { ok: false, reason: "no_model", model: "" };
	const { model, result } = asked;
	if (!result.ok) {
		const { reason, status, detail } = result;
		return { ok: false, reason, model, status, detail };
	}
	return { ...readTitle(result, question), model };
}

function readTitle(
	{ text, toolArguments }: { text: string; toolArguments?: Record<string, unknown> },
	{ reading, style }: Question,
): { ok: true; title: string } | { ok: false; reason: "empty_result"; flaw?: Flaw } {
	const raw = extractTitle(toolArguments, text);
	if (raw === undefined) return { ok: false, reason: "empty_result" };
	const isKebab = style === "kebab";
	// In kebab-case even the user's own words are a new name.
	const judged = isKebab
		? judgeTitle(raw.replace(/[-_]+/g, " "), { language: reading.language, prompts: [] })
		: judgeTitle(raw, { ...reading, input: [reading.prompt(), ...reading.prompts].join("\n") });
	if (!judged.ok) return { ok: false, reason: "empty_result", flaw: judged.flaw };
	if (!isKebab) return judged;
	const title = toKebab(judged.title);
	return title === undefined ? { ok: false, reason: "empty_result", flaw: "blank" } : { ok: true, title };
}

import { type AskPorts, askInOrder } from "../session-core/model/ask.ts";
import type { SideCallFailure } from "../session-core/model/failure.ts";
import type { Candidate } from "../session-core/model/policy.ts";
import { extractTitle } from "./answer/extract.ts";
import { type Flaw, judgeTitle } from "./answer/judge.ts";
import { toKebab } from "./answer/kebab.ts";
import { TITLE_TOOL, type TitleStyle, titleSystemPrompt } from "./prompt.ts";
import type { Reading } from "./reading.ts";

export type TitleFailure = SideCallFailure | "no_model" | "empty_result";

export type TitleOutcome =
	| { ok: true; title: string; model: string }
	| { ok: false; reason: TitleFailure; model: string; flaw?: Flaw };

export interface Question {
	reading: Reading;
	style: TitleStyle;
	candidates: readonly Candidate[];
	signal: AbortSignal;
}

/** Ask for a title. An answer that is none is not asked for again: the next state of the conversation may do better. */
export async function askForTitle(question: Question, ports: AskPorts): Promise<TitleOutcome> {
	const { reading, style, candidates, signal } = question;
	const request = {
		systemPrompt: titleSystemPrompt(style),
		prompt: reading.prompt(),
		tool: TITLE_TOOL,
		signal,
	};
	const asked = await askInOrder(candidates, request, ports);
	if (!asked) return { ok: false, reason: "no_model", model: "" };
	const { model, result } = asked;
	if (!result.ok) return { ok: false, reason: result.reason, model };
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

import { randomUUID } from "node:crypto";
import type { Language } from "../text/language.ts";
import { LANGUAGE_FACTS, type LanguageCode } from "../words/languages.ts";
import { type Candidate, formatSpec } from "./choose-model.ts";
import { type CallFailure, internalError, mayTryNext, type Refusal } from "./failure.ts";
import type { Trigger } from "./ledger.ts";
import type { Budget } from "./reserve-cost.ts";
import {
	type FailedCall,
	leastEffort,
	MAX_TOKENS_WITH_REASONING,
	type SideCallRequest,
	type SideCallResult,
} from "./side-call.ts";

const DEADLINE_MS = 20_000;

export interface ModelQuestion {
	state: string | undefined;
	by: Trigger;
	candidates: readonly Candidate[];
	request: Pick<SideCallRequest, "systemPrompt" | "prompt" | "tool" | "maxTokens">;
	signal: AbortSignal;
	/** Whether a message contains the answer. Determines whether a message that was cut off is used. */
	isAnswer(message: AnswerMessage): boolean;
}

/** What a model answered: text, and the arguments of a tool call. */
export type AnswerMessage = Pick<Extract<SideCallResult, { ok: true }>, "text" | "toolArguments">;

export type NoAnswerReason = CallFailure | Refusal | "no_model" | "internal_error";

export interface NoAnswer {
	ok: false;
	reason: NoAnswerReason;
	/** The model as `provider/model`; empty if none was called. */
	model: string;
	status?: number | undefined;
	detail?: string | undefined;
}

type ModelAnswer = AnswerMessage & { ok: true; model: string };

export interface AskPorts {
	call(request: Omit<SideCallRequest, "sessionId">): Promise<SideCallResult>;
	budget: Pick<Budget, "reserve">;
}

/**
 * Calls a model if the budget allows it. The next candidate is tried only if the previous one has no credentials or does not support the
 * request. A model that does not support tools is called once more without one. If a model uses up its output before it answers,
 * because it thinks although it is not declared to, it is called once more with room for its thoughts. All calls share one deadline, which
 * limits how long the user waits.
 */
export async function askModel(
	{ state, by, candidates, request, signal, isAnswer }: ModelQuestion,
	{ call, budget }: AskPorts,
): Promise<ModelAnswer | NoAnswer> {
	const question = randomUUID();
	const end = performance.now() + DEADLINE_MS;
	let last: NoAnswer = { ok: false, reason: "no_model", model: "" };
	const queue = candidates.map(({ model }) => ({ model, request }));
	for (let next = queue.shift(); next; next = queue.shift()) {
		const { model, request } = next;
		const deadlineMs = Math.ceil(end - performance.now());
		if (signal.aborted && last.reason === "no_model") return { ...last, reason: "aborted" };
		if (deadlineMs <= 0 || signal.aborted) break;
		const { maxTokens } = leastEffort(model, request.maxTokens);
		const characters = charactersOf(request);
		const reserved = budget.reserve({ question, state, by, model, characters, maxTokens });
		if (!reserved.ok) return last.reason === "no_model" ? { ...last, reason: reserved.reason } : last;
		const result = await call({ ...request, model, by, signal, deadlineMs });
		reserved.settle(result);
		const name = formatSpec(model);
		if (result.ok && !(result.isCutOff && !isAnswer(result))) {
			const { text, toolArguments } = result;
			return { ok: true, text, model: name, ...(toolArguments && { toolArguments }) };
		}
		// If the second call does not end in time either, the cause is still that the model thinks.
		if (last.reason === "cut_off" && !result.ok && result.reason === "timeout") break;
		last = result.ok ? { ok: false, reason: "cut_off", model: name } : failureOf(result, name);
		const hasMoreRoom = leastEffort(model, MAX_TOKENS_WITH_REASONING).maxTokens > maxTokens;
		if (last.reason === "cut_off" && hasMoreRoom)
			queue.unshift({ model, request: { ...request, maxTokens: MAX_TOKENS_WITH_REASONING } });
		else if (last.reason === "no_tools" && request.tool)
			queue.unshift({ model, request: withoutTool(request) });
		else if (result.ok || !mayTryNext(result.reason)) break;
	}
	return last;
}

function failureOf({ reason, status, detail }: FailedCall, model: string): NoAnswer {
	return { ok: false, reason, model, status, detail };
}

/** Returns the request for a model that does not support tools: the model writes the tool's arguments as text. */
function withoutTool({ tool, ...request }: ModelQuestion["request"]): ModelQuestion["request"] {
	const schema = JSON.stringify(tool?.parameters);
	const instruction = `No tool can be called here. Answer with a JSON object alone, whose schema is ${schema}.`;
	return { ...request, prompt: `${request.prompt}\n\n${instruction}` };
}

function charactersOf({ systemPrompt, prompt, tool }: ModelQuestion["request"]): number {
	return systemPrompt.length + prompt.length + (tool ? JSON.stringify(tool).length : 0);
}

/** Permits at most one request to a model at a time. `Key` identifies the purpose of a request. */
export function createRequestSlot<Key>() {
	let request: { key: Key; controller: AbortController } | undefined;
	/** Aborts the request in progress and discards its answer. */
	const drop = () => {
		const dropped = request;
		request = undefined;
		dropped?.controller.abort();
	};
	return {
		/** The purpose of the request in progress; undefined if no request is in progress. */
		get current() {
			return request?.key;
		},
		/**
		 * Starts a request and aborts any request in progress. `done` is called unless the new request is aborted in turn. Resolves when
		 * the new request has ended.
		 */
		start<Answer>(
			key: Key,
			ask: (signal: AbortSignal) => Promise<Answer>,
			done: (answer: Answer | ReturnType<typeof internalError>) => void,
		): Promise<void> {
			drop();
			const mine = { key, controller: new AbortController() };
			request = mine;
			const finish = (answer: Answer | ReturnType<typeof internalError>) => {
				if (request !== mine) return;
				request = undefined;
				done(answer);
			};
			return ask(mine.controller.signal).then(finish, (error) => finish(internalError(error)));
		},
		drop,
	};
}

interface WantedLanguage {
	/** The language that the answer must have; undefined if any language is accepted. */
	language: Language | undefined;
	hint: string;
}

/** Returns the language in the `language` setting or, if there is none, the language of the user's own prompts. */
export function wantedLanguage(own: Language | undefined, setting: LanguageCode | undefined): WantedLanguage {
	const language = setting === undefined ? own : LANGUAGE_FACTS[setting];
	const users = setting === undefined ? "the language of the user's own requests" : undefined;
	return { language, hint: `Write in ${[language?.name, users].filter(Boolean).join(", ")}.` };
}

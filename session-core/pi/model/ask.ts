import type { Api, Model, ModelThinkingLevel } from "@mariozechner/pi-ai";
import { type Language, languageNamed } from "../../text/index.ts";
import type { Budget } from "./budget.ts";
import { type Candidate, formatSpec } from "./choose-model.ts";
import { type CallRefusal, type FailedModel, type Failure, internalError, type NoAnswer } from "./failure.ts";
import type { Trigger } from "./ledger.ts";
import {
	effortOf,
	MAX_TOKENS_WITH_REASONING,
	refuseEffort,
	type SideCallRequest,
	type SideCallResult,
} from "./side-call.ts";

/**
 * The time limit, in milliseconds, for getting an answer from a model. All models that are tried share
 * this limit.
 */
const DEADLINE_MS = 24_000;

export interface ModelQuestion {
	state: string | undefined;
	by: Trigger;
	candidates: readonly Candidate[];
	/** `maxTokens` limits the answer, excluding reasoning, and defaults to 300 tokens. */
	request: Pick<SideCallRequest, "systemPrompt" | "prompt"> & { maxTokens?: number };
	onText?: SideCallRequest["onText"];
	signal: AbortSignal;
	/**
	 * Returns true if a model's answer is complete. A complete answer is used even if the provider cut off
	 * the output.
	 */
	isAnswer(text: string): boolean;
}

type ModelAnswer = { ok: true; text: string; model: string; tried?: readonly FailedModel[] };

export interface AskPorts {
	call(request: Omit<SideCallRequest, "sessionId">): Promise<SideCallResult>;
	budget: Pick<Budget, "reserve">;
	level(): ModelThinkingLevel;
	mayBegin?(): Promise<unknown> | undefined;
}

/** Calls the models in turn until one answers. Each model gets an equal share of the remaining time. */
export async function askModel(question: ModelQuestion, ports: AskPorts): Promise<ModelAnswer | NoAnswer> {
	const { candidates, signal } = question;
	if (question.by === "auto") await ports.mayBegin?.();
	const id = crypto.randomUUID();
	const end = performance.now() + DEADLINE_MS;
	const tried: FailedModel[] = [];
	let reason: NoAnswer["reason"] = "no_model";
	for (const [at, { model }] of candidates.entries()) {
		const now = performance.now();
		if (signal.aborted) reason = "aborted";
		if (signal.aborted || now >= end) break;
		const until = now + (end - now) / (candidates.length - at);
		const answer = await askOne(model, { ...question, id, until }, ports);
		if ("text" in answer) return tried.length === 0 ? answer : { ...answer, tried };
		if ("refusal" in answer) {
			reason = answer.refusal;
			break;
		}
		tried.push(answer);
	}
	const last = tried.pop();
	if (!last) return { ok: false, reason, model: "" };
	return { ok: false, ...last, ...(tried.length > 0 && { tried }) };
}

/**
 * If the model rejects the reasoning level, retries without a level. If the answer is cut off, retries
 * with a higher limit on output tokens.
 */
async function askOne(
	model: Model<Api>,
	question: ModelQuestion & { id: string; until: number },
	{ call, budget, level }: AskPorts,
): Promise<ModelAnswer | FailedModel | { refusal: CallRefusal }> {
	const { id, state, by, onText, signal, isAnswer, until } = question;
	let { maxTokens, ...request } = question.request;
	let failure: FailedModel | undefined;
	for (;;) {
		const deadlineMs = Math.ceil(until - performance.now());
		if (failure && (deadlineMs <= 0 || signal.aborted)) return failure;
		const effort = effortOf(model, level(), maxTokens);
		const characters = request.systemPrompt.length + request.prompt.length;
		const planned = { question: id, state, by, model, characters, maxTokens: effort.maxTokens };
		const reserved = budget.reserve(planned);
		if (!reserved.ok) return failure ?? { refusal: reserved.reason };
		const result = await call({ ...request, effort, model, by, onText, signal, deadlineMs });
		reserved.settle(result);
		if (result.ok && !(result.isCutOff && !isAnswer(result.text)))
			return { ok: true, text: result.text, model: formatSpec(model) };
		const { reason, status, detail }: Failure = result.ok ? { reason: "cut_off" } : result;
		if (failure?.reason === "cut_off" && reason === "timeout") return failure;
		failure = { reason, model: formatSpec(model), status, detail };
		const more = effortOf(model, level(), MAX_TOKENS_WITH_REASONING).maxTokens;
		if (reason === "cut_off" && effort.maxTokens < more) maxTokens = MAX_TOKENS_WITH_REASONING;
		else if (reason !== "effort_refused" || !refuseEffort(model, level())) return failure;
	}
}

export function createRequestSlot<Key>(over: AbortSignal) {
	let request: { key: Key; controller: AbortController } | undefined;
	const drop = () => {
		const dropped = request;
		request = undefined;
		dropped?.controller.abort();
	};
	return {
		get current() {
			return request?.key;
		},
		/** Starting a request aborts the previous request. `done` is not called for an aborted request. */
		start<Answer>(
			key: Key,
			ask: (signal: AbortSignal) => Promise<Answer>,
			done: (answer: Answer | NoAnswer) => void,
		): Promise<void> {
			drop();
			const mine = { key, controller: new AbortController() };
			request = mine;
			const finish = (answer: Answer | NoAnswer) => {
				if (request !== mine || over.aborted) return;
				request = undefined;
				done(answer);
			};
			return ask(AbortSignal.any([over, mine.controller.signal])).then(finish, (error) =>
				finish(internalError(error)),
			);
		},
		drop,
	};
}

/** If the user has not set `language`, the prompt asks for the language of the user's messages. */
export function wantedLanguage(
	own: Language | undefined,
	setting: string | undefined,
): { language: Language | undefined; hint: string } {
	if (setting === undefined)
		return { language: own, hint: "Write in the language of the user's own messages." };
	const language = languageNamed(setting);
	return { language, hint: `Write in ${language.name}.` };
}

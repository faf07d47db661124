import { headAndTail } from "./bounds.ts";
import { isOperating } from "./handling.ts";
import { shareIn, type Terms, tellingTerms, termsOf } from "./terms.ts";
import { isChanger, type Turn } from "./turns.ts";
import { substance } from "./voice.ts";

/** Turns before a prompt that it may be a reaction to. */
const CONTEXT = 3;
/** A prompt below this says little of its own topic; what was answered says it. */
const SHORT = 7;

/** What tells a new task from a reaction to the turn before, as numbers around 0 to 1. */
export interface TaskSigns {
	/** Share of the prompt's telling words that the turns before did not use. */
	novelty: number;
	/** How much the prompt says, saturating. */
	amount: number;
	/** How much was done for it, saturating. */
	work: number;
	/** The run before was stopped in the middle. */
	interrupts: number;
	/** The reply before ended in a question. */
	answers: number;
	/** It opens by pointing at what was just said ("that", "no", "그거"). */
	leans: number;
	/** It asks, and nothing was done but answering. */
	asksOnly: number;
	/** It changes files that the turns before changed. */
	sameFiles: number;
	/** It only has the work before handed over, built or started. */
	operates: number;
	/** Half an hour or more after the prompt before. */
	pause: number;
}

/** Weights of the signs, fitted once by logistic regression to prompts of real sessions in English and Korean, then rounded. */
const WEIGHTS: TaskSigns = {
	novelty: 1.6,
	amount: 0.7,
	work: 1.2,
	interrupts: -1.2,
	answers: -1.1,
	leans: -1.2,
	asksOnly: -0.6,
	sameFiles: -0.8,
	operates: -1.5,
	pause: 0.5,
};
const BIAS = -1.8;

/** Log-odds that the prompt at `index` begins a task of its own; negative without a prompt or anything before it. */
export function newTaskScore(turns: readonly Turn[], index: number): number {
	const signs = taskSigns(turns, index);
	if (!signs) return -9;
	// A few words seldom state a task; they must differ all the more.
	let score = substance(turns[index]?.prompt ?? "") < SHORT ? BIAS - 0.8 : BIAS;
	for (const sign of Object.keys(WEIGHTS) as (keyof TaskSigns)[]) score += WEIGHTS[sign] * signs[sign];
	return score;
}

/** Reads the signs; undefined where there is nothing to compare with, or nothing was done. */
export function taskSigns(turns: readonly Turn[], index: number): TaskSigns | undefined {
	const turn = turns[index];
	const before = turns.slice(Math.max(0, index - 20), index).findLast(didAnything);
	if (!turn?.prompt || !before) return undefined;
	const said = leadOf(turn.prompt);
	const amount = substance(said);
	const isStopped = turn.end === "aborted" || turn.end === "open";
	// Stopped before it began, to be told more: the next turn does what this one asked for.
	const next = workOf(turn) === 0 && isStopped ? turns[index + 1] : undefined;
	if (next?.prompt !== undefined && substance(next.prompt) >= 4) return undefined;
	const work = workOf(next ?? turn);
	if (work === 0 && !isStopped) return undefined;
	const topic = amount < SHORT ? `${said}\n${(turn.says.at(-1) ?? "").slice(0, 600)}` : said;
	const terms = tellingTerms(topic);
	const novelty = terms.size === 0 ? 0 : 1 - shareIn(terms, contextOf(turns, index));
	// A whole request in words that nobody used is no answer, whatever was asked before.
	const isOther = novelty >= 0.9 && amount >= 10;
	return {
		novelty,
		amount: Math.min(1, amount / 12),
		work: Math.min(1, work / 6),
		interrupts: before.end === "stop" || before.end === "length" ? 0 : 1,
		answers: asks(before) && !isOther ? 1 : 0,
		leans: leaning(said),
		asksOnly: turn.steps.length === 0 && /[?？]/.test(said) ? 1 : 0,
		sameFiles: sharesFiles(turns, index) ? 1 : 0,
		operates: isOperating(said) ? 1 : 0,
		pause: turn.at > 0 && before.at > 0 && turn.at - before.at > 30 * 60_000 ? 1 : 0,
	};
}

/** How much a turn did: what changes things counts most, looking least. */
export function workOf(turn: Turn): number {
	const edits = turn.steps.filter((step) => isChanger(step.call.name)).length;
	return edits * 2 + turn.steps.length / 2 + (substance(turn.says.at(-1) ?? "") >= 80 ? 2 : 0);
}

/** A run that was stopped before it did anything leaves the one before it as what a prompt reacts to. */
function didAnything(turn: Turn): boolean {
	return turn.steps.length > 0 || turn.says.length > 0;
}

/** Prompts that open by pointing back. Only lowers the score; languages that are not listed do without. */
const LEANS_AT_ONCE =
	/^(?:that|this|it|those|these|which|why|so|no|not|yes|and|but|same|also)\b|^(?:그거|그것|그걸|아니|这个|那个|不是|これ|それ|いや|esto|eso|no,|sí)/i;
const LEANS_SOON =
	/^[^.!?\n]{0,40}\b(?:this|that|it|those|these)\b|^[^.!?\n]*\b(?:this|that|it|those|these|them)\s*\?|^.{0,12}(?:이거|그거|这个|那个|これ|それ)|^.{0,20}\b(?:esto|eso)\b/i;

function leaning(said: string): number {
	if (LEANS_AT_ONCE.test(said)) return 1;
	return LEANS_SOON.test(said) ? 0.5 : 0;
}

/** Whether a reply asks: at its end, or more than once near it. */
export function asks(turn: Turn): boolean {
	const reply = (turn.says.at(-1) ?? "").trimEnd();
	return /[?？]["')\]*_]*$/.test(reply) || (reply.slice(-1_500).match(/[?？]/g)?.length ?? 0) >= 2;
}

function sharesFiles(turns: readonly Turn[], index: number): boolean {
	const own = changedPaths(turns[index]);
	if (own.size === 0) return false;
	return turns
		.slice(Math.max(0, index - CONTEXT), index)
		.some((turn) => [...changedPaths(turn)].some((path) => own.has(path)));
}

function changedPaths(turn: Turn | undefined): Set<string> {
	const paths = new Set<string>();
	for (const { call, result } of turn?.steps ?? []) {
		const path = call.args["path"];
		if (typeof path === "string" && isChanger(call.name) && result && !result.isError) paths.add(path);
	}
	return paths;
}

/** The part of a prompt that says what is wanted: pasted logs and code behind it would drown it. */
function leadOf(prompt: string): string {
	const lines = prompt.split("\n").filter((line) => line.trim() !== "" && line.length < 600);
	return lines.slice(0, 6).join("\n").slice(0, 600) || prompt.slice(0, 600);
}

/** What the turns just before a prompt were about. */
function contextOf(turns: readonly Turn[], index: number): Terms {
	const terms = new Set<string>();
	const add = (text: string): void => {
		for (const term of termsOf(text)) terms.add(term);
	};
	for (const turn of turns.slice(Math.max(0, index - CONTEXT), index)) {
		add((turn.prompt ?? "").slice(0, 800));
		add(headAndTail(turn.says.at(-1) ?? "", 1_600));
		for (const { call } of turn.steps.slice(-12)) {
			const path = call.args["path"];
			if (typeof path === "string") add(path);
		}
	}
	return terms;
}

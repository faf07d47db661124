import { shareIn, tellingTerms, type Terms, termsOf } from "./terms.ts";
import type { Turn } from "./turns.ts";
import { isRequest, substance } from "./voice.ts";

/** Where the current thread of work began, as an index into the turns. */
export interface Thread {
	start: number;
	/** The request that began it. */
	task: string | undefined;
	/** The session's first real request, where it is not the thread's. */
	opening: string | undefined;
}

/** A prompt this long can state a task of its own. */
const TASK_SUBSTANCE = 7;
/** A reply of this many words is work, even without a tool. */
const REPLY_WORK = 80;
/** Turns before a prompt that it may be a reaction to. */
const CONTEXT = 3;
const THRESHOLD = 0.7;
const MINUTE = 60_000;

/**
 * Finds the request that the newest work belongs to: the latest prompt that reads as a new task by how the turn before it ended,
 * how much of it is new, and what was done for it. Greetings, "ok", side questions and steering do not begin a thread.
 */
export function findThread(turns: readonly Turn[]): Thread {
	const spoken = turns.flatMap((turn, index) => (turn.prompt !== undefined && isRequest(turn.prompt) ? [index] : []));
	const first = spoken.find((index) => isTask(turns[index])) ?? spoken[0];
	const fallback = turns.findLast((turn) => turn.prompt)?.prompt;
	if (first === undefined) return { start: 0, task: fallback, opening: undefined };
	const seen = new Map<number, Terms>();
	const context = (index: number): Terms => {
		const known = seen.get(index);
		if (known) return known;
		const terms = contextOf(turns, index);
		seen.set(index, terms);
		return terms;
	};
	const silent = silentStart(turns);
	if (silent !== undefined) return { start: silent, task: undefined, opening: turns[first]?.prompt };
	const start = spoken.findLast((index) => index > first && newTaskScore(turns, index, context) > THRESHOLD) ?? first;
	return { start, task: turns[start]?.prompt, opening: start === first ? undefined : turns[first]?.prompt };
}

/** Work behind a compaction whose prompt the log lost: a thread of its own, of which only the reply tells. */
function silentStart(turns: readonly Turn[]): number | undefined {
	const index = turns.findLastIndex((turn) => didAnything(turn));
	const turn = turns[index];
	return turn !== undefined && turn.prompt === undefined && turn.summary !== undefined ? index : undefined;
}

function isTask(turn: Turn | undefined): boolean {
	return turn?.prompt !== undefined && substance(turn.prompt) >= TASK_SUBSTANCE && work(turn) > 0;
}

/** How much a turn did: what changes things counts most, looking least. */
function work(turn: Turn): number {
	const reply = turn.says.at(-1) ?? "";
	const edits = turn.steps.filter((step) => /edit|write|patch|replace|create/i.test(step.call.name)).length;
	return edits * 2 + turn.steps.length / 2 + (substance(reply) >= REPLY_WORK ? 2 : 0);
}

/** Log-odds by hand: above zero, the prompt at `index` begins a task of its own. */
export function newTaskScore(turns: readonly Turn[], index: number, context: (index: number) => Terms): number {
	const turn = turns[index];
	const before = turns.slice(0, index).findLast(didAnything);
	if (!turn?.prompt || !before) return 0;
	const said = leadOf(turn.prompt);
	const amount = substance(said);
	const done = work(turn);
	if (amount < 4 || (done === 0 && turn.end !== "open")) return -3;
	// A short prompt says little of its own topic; what was answered says it.
	const terms = tellingTerms(amount < TASK_SUBSTANCE ? `${said}\n${(turn.says.at(-1) ?? "").slice(0, 600)}` : said);
	let score = (novelty(terms, context(index)) - 0.5) * 3;
	if (amount < TASK_SUBSTANCE) score -= 0.7;
	if (amount >= 12) score += 0.4;
	if (done >= 3) score += 0.5;
	if (done < 2) score -= amount < TASK_SUBSTANCE ? 1.2 : 0.5;
	if (before.end === "stop" || before.end === "length") score += asks(before) ? -0.9 : 0.4;
	else score -= 2;
	if (LEANING.test(said)) score -= 0.5;
	if (asks(before) && (said.match(/^\s*\d+[.)]?\s/gm)?.length ?? 0) >= 2) score -= 1.2;
	score += fileShift(turns, index);
	const gap = turn.at > 0 && before.at > 0 ? turn.at - before.at : 0;
	if (gap > 30 * MINUTE) score += 0.6;
	return score;
}

/** The share of a prompt's telling words that the turns before it did not use. */
function novelty(terms: Terms, context: Terms): number {
	return terms.size === 0 ? 0 : 1 - shareIn(terms, context);
}

/** A run that was stopped before it did anything leaves the one before it as what a prompt reacts to. */
function didAnything(turn: Turn): boolean {
	return turn.steps.length > 0 || turn.says.length > 0;
}

/** A prompt that opens by pointing at what was just said. Only lowers the score; other languages do without. */
const LEANING = /^[^.!?\n]{0,40}\b(?:this|that|it|those|these)\b|^.{0,12}(?:이거|그거|이것|그것|이걸|그걸|这个|那个|これ|それ)|^.{0,20}\b(?:esto|eso)\b/i;

/** Whether a turn changed the files that the turns before it changed, or others. */
function fileShift(turns: readonly Turn[], index: number): number {
	const own = changedPaths(turns[index]);
	if (own.size === 0) return 0;
	const recent = new Set(turns.slice(Math.max(0, index - CONTEXT), index).flatMap((turn) => [...changedPaths(turn)]));
	if (recent.size === 0) return 0;
	return [...own].some((path) => recent.has(path)) ? -0.7 : 0.3;
}

function changedPaths(turn: Turn | undefined): Set<string> {
	const paths = new Set<string>();
	for (const { call, result } of turn?.steps ?? []) {
		const path = call.args["path"];
		if (typeof path === "string" && /edit|write|patch|replace|create/i.test(call.name) && result && !result.isError) paths.add(path);
	}
	return paths;
}

function asks(turn: Turn): boolean {
	const reply = (turn.says.at(-1) ?? "").trimEnd();
	return /[?？]["')\]*_]*$/.test(reply) || (reply.slice(-1_500).match(/[?？]/g)?.length ?? 0) >= 2;
}

/** The part of a prompt that says what is wanted: pasted logs and code behind it would drown it. */
function leadOf(prompt: string): string {
	const lines = prompt.split("\n").filter((line) => line.trim() !== "" && line.length < 600);
	return lines.slice(0, 6).join("\n").slice(0, 600) || prompt.slice(0, 600);
}

/** What the turns just before a prompt were about. */
function contextOf(turns: readonly Turn[], index: number): Terms {
	const terms = new Set<string>();
	for (const turn of turns.slice(Math.max(0, index - CONTEXT), index)) {
		for (const text of [turn.prompt, turn.says.at(-1)]) for (const term of termsOf(text ?? "")) terms.add(term);
		for (const { call } of turn.steps.slice(-12)) {
			const path = call.args["path"];
			if (typeof path === "string") for (const term of termsOf(path)) terms.add(term);
		}
	}
	return terms;
}

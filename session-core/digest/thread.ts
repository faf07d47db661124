import { newTaskScore, workOf } from "./newtask.ts";
import type { Turn } from "./turns.ts";
import { isRequest, substance } from "./voice.ts";

/** Where the current thread of work began, as an index into the turns. */
export interface Thread {
	start: number;
	/** The request that began it; undefined where the log lost it. */
	task: string | undefined;
	/** The session's first real request, where it is not the thread's. */
	opening: string | undefined;
}

/** A prompt this long can state a task of its own. */
const TASK_SUBSTANCE = 7;
/** Requests back that a thread may reach: nobody comes back to more. */
const REACH = 30;

/**
 * Finds the request that the newest work belongs to: the latest prompt that reads as a new task. Greetings, "ok", side questions
 * and steering begin no thread.
 */
export function findThread(turns: readonly Turn[]): Thread {
	const spoken = turns.flatMap((turn, index) =>
		turn.prompt !== undefined && isRequest(turn.prompt) ? [index] : [],
	);
	const first = spoken.find((index) => isTask(turns[index])) ?? spoken[0];
	const fallback = turns.findLast((turn) => turn.prompt)?.prompt;
	if (first === undefined) return { start: 0, task: fallback, opening: undefined };
	const silent = silentStart(turns);
	if (silent !== undefined) return { start: silent, task: undefined, opening: turns[first]?.prompt };
	const recent = spoken.slice(-REACH);
	const [opening = first] = spoken;
	const start =
		recent.findLast((index) => index > opening && newTaskScore(turns, index) > 0) ??
		recent.find((index) => index >= first) ??
		first;
	return { start, task: turns[start]?.prompt, opening: start === first ? undefined : turns[first]?.prompt };
}

/** Work behind a compaction whose prompt the log lost: a thread of its own, of which only the reply tells. */
function silentStart(turns: readonly Turn[]): number | undefined {
	const index = turns.findLastIndex((turn) => turn.steps.length > 0 || turn.says.length > 0);
	const turn = turns[index];
	return turn !== undefined && turn.prompt === undefined && turn.summary !== undefined ? index : undefined;
}

function isTask(turn: Turn | undefined): boolean {
	return turn?.prompt !== undefined && substance(turn.prompt) >= TASK_SUBSTANCE && workOf(turn) > 0;
}

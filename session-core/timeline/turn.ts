/** Queries on turns. */
import type { Remark, Step, Turn } from "./types.ts";

export function isStep(one: Step | Remark): one is Step {
	return one.kind !== "remark";
}

/** Returns the steps of a turn, without the text between them. */
export function stepsOf(turn: Turn): Step[] {
	return turn.steps.filter(isStep);
}

/** Returns the texts that the agent wrote between the steps of a turn. */
export function remarksOf(turn: Turn): string[] {
	return turn.steps.flatMap((one) => (isStep(one) ? [] : [one.text]));
}

/** Whether a step of the turn may have changed something. */
export function actedIn(turn: Turn): boolean {
	return turn.steps.some((one) => isStep(one) && !one.looks && one.outcome === "ok");
}

/** Whether the user made a request, in words or with an image. */
export function hasRequest(turn: Turn): boolean {
	return turn.request !== undefined || turn.images > 0;
}

/** Returns the turn that shows the state of the session: the last one with a request or an answer. */
export function lastTurn(turns: readonly Turn[]): Turn | undefined {
	return turns.findLast((turn) => hasRequest(turn) || turn.end !== "open");
}

/** Returns the changed files, each once, in the order of their first change. */
export function editedPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ edits }) => edits.map(({ path }) => path)))];
}

/** Returns the files that were read, each once, in the order of their first read. */
export function readPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ reads }) => reads))];
}

/** What every reader of turns asks of them. */
import type { Remark, Step, Turn } from "./types.ts";

export function isStep(one: Step | Remark): one is Step {
	return one.kind !== "remark";
}

/** What makes two calls the same. */
export function callKey({ name, command, argument }: Step): string {
	return `${name}\n${command ?? argument}`;
}

/** The steps of a turn, without what was said between them. */
export function stepsOf(turn: Turn): Step[] {
	return turn.steps.filter(isStep);
}

/** What the agent said between the steps of a turn. */
export function remarksOf(turn: Turn): string[] {
	return turn.steps.flatMap((one) => (isStep(one) ? [] : [one.text]));
}

/** Whether anything in a turn may have changed something, anywhere. */
export function actedIn(turn: Turn): boolean {
	return turn.steps.some((one) => isStep(one) && !one.looks && one.outcome === "ok");
}

/** Whether the user asked something, in words or by an image. */
export function isAsked(turn: Turn): boolean {
	return turn.request !== undefined || turn.images > 0;
}

/** The turn that tells how the session stands: the last with a request or an answer. */
export function lastTurn(turns: readonly Turn[]): Turn | undefined {
	return turns.findLast((turn) => isAsked(turn) || turn.end !== "open");
}

/** Files that steps changed, each once, in the order of its first change. */
export function editedPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ edits }) => edits.map(({ path }) => path)))];
}

/** Files that steps looked at, each once, in the order of its first look. */
export function readPaths(steps: readonly Step[]): string[] {
	return [...new Set(steps.flatMap(({ reads }) => reads))];
}

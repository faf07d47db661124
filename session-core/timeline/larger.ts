/** Finds the request that the latest work belongs to, judging only by length and form, never by meaning. */

import { countWords } from "../text/count.ts";
import { actedIn, editedPaths, stepsOf } from "./turn.ts";
import type { Step, Timeline, Turn } from "./types.ts";
import { isRequest, writtenLines } from "./user-words.ts";

/** Minimum number of words for a request to be clear on its own. */
const SUBSTANTIAL = 9;
/**
 * Minimum number of words for a request to be clear on its own if it led to work, or if it led to any call and contains a path, an
 * identifier, code or a ticket number.
 */
const SHORT = 4;
/** Minimum number of calls for a turn to count as work rather than a quick look. */
const WORK = 3;
const NAME = /[\w-]+\.[A-Za-z]{1,5}\b|\b\w+[-_/]\w+|\b[a-z]+[A-Z]\w*|`[^`\n]+`|#\d+|\b[A-Z]{2,}\b/;

/** Whether a request is clear on its own, judging only by length and form. */
export function isSubstantial(turn: Turn): boolean {
	const written = writtenText(turn);
	const words = countWords(written);
	if (words >= SUBSTANTIAL) return true;
	const calls = stepsOf(turn).length;
	const isWork = calls >= WORK && actedIn(turn);
	return words >= SHORT && (isWork || (calls > 0 && NAME.test(written)));
}

function writtenText({ request = "" }: Turn): string {
	return writtenLines(request).join("\n");
}

/**
 * Returns the last request that is clear on its own and was worked on, either in its own turn or in a later one. If there is none, returns
 * the last request.
 */
export function currentRequest({ turns }: Pick<Timeline, "turns">): Turn | undefined {
	const requested = turns.filter((turn) => turn.request !== undefined);
	const taken = requested.findLast(
		(turn, index) =>
			isSubstantial(turn) &&
			(turn.reply !== undefined || requested.slice(index).flatMap(stepsOf).some(isAgents)),
	);
	return taken ?? requested.findLast((turn) => isRequest(turn.request ?? "")) ?? requested.at(-1);
}

/** Maximum number of words that count toward the size of a request, so that all longer requests count as equally large. */
const MOST = 80;
/**
 * Factor by which the word count of a later request must exceed that of the first request. Otherwise, the first request counts as the
 * subject of the session.
 */
const FIRST = 2.5;
/** Minimum ratio between the word count of a larger request and that of the current request. */
const LARGER = 1.5;

/** Returns the longest request before the current one, with a preference for the session's first request. */
export function largerWork(timeline: Pick<Timeline, "turns">): Turn | undefined {
	const current = currentRequest(timeline);
	const before = timeline.turns.slice(0, current ? timeline.turns.indexOf(current) : 0);
	const candidates = before.filter(isSubstantial).map((turn, index) => {
		const words = Math.min(countWords(writtenText(turn)), MOST);
		return { turn, score: index === 0 ? words * FIRST : words };
	});
	const [best] = candidates.toSorted((a, b) => b.score - a.score);
	const least = current ? countWords(writtenText(current)) * LARGER : 0;
	return best && best.score >= Math.min(least, MOST) ? best.turn : undefined;
}

/** Whether a step is a tool call of the agent rather than a shell command that the user ran. */
function isAgents({ kind }: Step): boolean {
	return kind === "call";
}

/** Number of requests after which the goal in a summary counts as outdated. */
const GOAL_REACH = 45;

/** Number of consecutive requests without an edit after which the goal counts as reached. */
const IDLE_REQUESTS = 4;

/** Returns the newest goal that a summary on the branch names. */
export function goalText({ turns }: Pick<Timeline, "turns">): string | undefined {
	const from = turns.findLastIndex((turn) => turn.goal !== undefined);
	const since = turns.slice(Math.max(0, from));
	const recent = since.slice(-IDLE_REQUESTS);
	const isReached = since.length > IDLE_REQUESTS && editedPaths(recent.flatMap(stepsOf)).length === 0;
	return since.length > GOAL_REACH || isReached ? undefined : turns[from]?.goal;
}

import { isRequest } from "../log/index.ts";
import {
	ANSWER_STEPS,
	commandOf,
	goalText,
	largestRequest,
	newestCommit,
	requestWords,
	stepsAfter,
	type Timeline,
	workedOn,
} from "../log/timeline/index.ts";
import { cutAtClause, displayWidth, plainLine, withoutFinalMark } from "../text/index.ts";
import { wordsShared } from "./check-claims.ts";
import { CLEAR, COLUMNS, goalLine, requestLine, TOPIC } from "./requests.ts";

const THEN = " · ";
const BOTH = { columns: 120, least: 60 };

/** The proportion of shared words above which two texts are assumed to describe the same task. */
const SHARED = 1 / 3;

export function laterWork({ turns }: Pick<Timeline, "turns">, largest = largestRequest({ turns })): string {
	const goal = goalLine(goalText({ turns }));
	if (goal !== "") return withoutFinalMark(goal);
	const commit = newestCommit(turns);
	if (commit !== "") return plainLine(commit);
	const [opening, ...others] = turns.filter(({ request }) => request !== undefined);
	const least = opening && (opening.isCommand || requestWords(opening) >= CLEAR) ? TOPIC : 0;
	const worked = () => workedOn(others.filter((turn) => requestWords(turn) >= least))[0];
	const later = largest && largest !== opening ? largest : worked();
	return later ? requestLine(later, COLUMNS.headline) : "";
}

/**
 * Adds later work to a session's title, because a title often covers only the first of several tasks.
 * Work that shares words with the title is assumed to belong to the same task.
 */
export function withLaterWork(title: string, later = "", isRequest = false): string {
	if (later === "" || title === "") return title;
	const shared = wordsShared(title, later) ?? (isRequest ? 0 : 1);
	if (shared > SHARED) return title;
	const room = (other: string): number =>
		Math.max(BOTH.least, BOTH.columns - THEN.length - displayWidth(other));
	const first = cutAtClause(title, room(later));
	return first + THEN + cutAtClause(later, room(first));
}

export function topicOf(
	timeline: Pick<Timeline, "turns">,
): { text: string; source: "topic" | "request" } | undefined {
	const goal = goalLine(goalText(timeline));
	if (goal !== "") return { text: goal, source: "topic" };
	const asking = timeline.turns.filter((turn) => turn.request !== undefined || turn.expansion !== undefined);
	const newest = asking.at(-1);
	if (!newest) return undefined;
	const larger = largestRequest(timeline);
	const request = larger ?? asking.findLast(({ request = "", isChoice }) => !isChoice && isRequest(request));
	const command = commandOf(asking, larger && ANSWER_STEPS);
	const isAnswer = command && (request === undefined || request.number > command.number);
	const [first = newest] = asking;
	const least = stepsAfter(first) > 0 ? CLEAR : TOPIC;
	const opening = first.isCommand || requestWords(first) < least ? undefined : first;
	const named = requestLine((isAnswer ? command : (opening ?? request)) ?? newest, COLUMNS.topic);
	const text = withLaterWork(named, laterWork(timeline, larger), true);
	return { text, source: larger && larger !== newest ? "topic" : "request" };
}

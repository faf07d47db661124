import { isRequest } from "../log/index.ts";
import {
	ANSWER_STEPS,
	commandOf,
	goalText,
	largestRequest,
	requestWords,
	type Timeline,
	workedOn,
} from "../log/timeline/index.ts";
import { cutAtClause } from "../text/index.ts";
import { wordsShared } from "./check-claims.ts";
import { CLEAR, COLUMNS, goalLine, requestLine, TOPIC } from "./requests.ts";

export interface Topic {
	text: string;
	source: "topic" | "request";
}

/** Separates the two tasks in a session's title. */
const THEN = " · ";
const PART = 60;

/** If two texts share a smaller proportion of their words, they are about different tasks. */
const SHARED = 0.25;

/**
 * Returns the largest request after the first one, or an empty string if no later request is large
 * enough.
 */
export function laterWork({ turns }: Pick<Timeline, "turns">): string {
	const [opening, ...others] = turns.filter(({ request }) => request !== undefined);
	const largest = largestRequest({ turns });
	// If the opening request has no content of its own, such as "Let's continue", neither has the title
	// that was chosen for it.
	const least = opening && (opening.isCommand || requestWords(opening) >= CLEAR) ? TOPIC : 0;
	const [worked] = workedOn(others.filter((turn) => requestWords(turn) >= least));
	const later = largest === opening ? worked : (largest ?? worked);
	return later ? requestLine(later, COLUMNS.headline) : "";
}

/**
 * Adds a later request to a title, because a title often covers only the first of several tasks. A
 * request that shares words with the title is part of the same task.
 */
export function withLaterWork(title: string, later = "", isRequest = false): string {
	// An agent may translate a request for its title, but the user's requests are quoted.
	const shared = wordsShared(title, later) ?? (isRequest ? 0 : 1);
	if (later === "" || title === "" || shared >= SHARED) return title;
	return cutAtClause(title, PART) + THEN + cutAtClause(later, PART);
}

/**
 * The topic is, in this order, the goal in a compaction summary, the largest request, or the newest
 * request that can be understood on its own.
 */
export function topicOf(timeline: Pick<Timeline, "turns">): Topic | undefined {
	const goal = goalLine(goalText(timeline));
	if (goal !== "") return { text: goal, source: "topic" };
	const asking = timeline.turns.filter((turn) => turn.request !== undefined || turn.expansion !== undefined);
	const newest = asking.at(-1);
	if (!newest) return undefined;
	const larger = largestRequest(timeline);
	const clear = asking.findLast(({ request = "", isChoice }) => !isChoice && isRequest(request));
	const request = larger ?? clear;
	// After a slash command, short requests are mostly answers to the agent's questions.
	const command = commandOf(asking, larger && ANSWER_STEPS);
	const isAnswer = command && (request === undefined || request.number > command.number);
	const first = requestLine((isAnswer ? command : request) ?? newest, COLUMNS.topic);
	const text = withLaterWork(first, laterWork(timeline), true);
	return { text, source: larger && larger !== newest ? "topic" : "request" };
}

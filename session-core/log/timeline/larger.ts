/**
 * Requests are compared by their length, their form and the work that followed, but never by their
 * meaning.
 */

import { countWords, isQuestion, sentencesOf } from "../../text/index.ts";
import { isRequest, isTerminal, writtenLines } from "../index.ts";
import { actedIn, stepsOf, type Timeline, type Turn } from "./turn.ts";

type Turns = Pick<Timeline, "turns">;

/** The minimum length, in words, of a request that is assumed to be clear on its own. */
const SUBSTANTIAL = 9;
/** The minimum length, in words, of a request that is assumed to be clear if tool calls followed it. */
const SHORT = 4;
const WORK = 3;
const NAME = /[\w-]+\.[A-Za-z]{1,5}\b|\b\w+[-_/]\w+|\b[a-z]+[A-Z]\w*|`[^`\n]+`|#\d+|\b[A-Z]{2,}\b/;

export function isSubstantial(turn: Turn): boolean {
	if (turn.isChoice) return false;
	const words = requestWords(turn);
	const left = turn.leftOut?.steps ?? 0;
	const calls = stepsOf(turn).length + left;
	const isWork =
		(calls >= WORK && (left > 0 || actedIn(turn))) || (calls > 0 && NAME.test(turn.request ?? ""));
	return words >= SUBSTANTIAL || (words >= SHORT && isWork);
}

const MEASURED = 8_000;
/**
 * Matches words with digits or punctuation inside, such as paths, function calls and log fields. Pasted
 * error messages consist mainly of such words.
 */
const CODE = /(?<![^\s])[\x21-\x7e]*?[\d_/\\:=(){}<>[\]|@#$%^&*~+.][\x21-\x7e]+/g;

/**
 * A request that only repeats a choice from the agent's reply is treated as if it had no words of its
 * own, because the agent wrote that choice.
 */
export function requestWords(turn: Turn): number {
	return sizesOf(turn).words;
}

const sizes = new WeakMap<Turn, { words: number; prose: number }>();

function sizesOf(turn: Turn): { words: number; prose: number } {
	const known = sizes.get(turn);
	if (known) return known;
	const { request = "", isChoice } = turn;
	const written = isChoice ? "" : writtenLines(request.slice(0, MEASURED)).join("\n");
	const words = countWords(written);
	const prose = written.replace(CODE, " ");
	const found = { words, prose: prose === written ? words : countWords(prose) };
	sizes.set(turn, found);
	return found;
}

export function currentRequest({ turns }: Turns): Turn | undefined {
	const requested = turns.filter((turn) => turn.request !== undefined);
	const isTaken = (turn: Turn, index: number): boolean =>
		turn.reply !== undefined ||
		requested.slice(index).some((later) => stepsOf(later).some(({ kind }) => kind === "call"));
	return (
		requested.findLast((turn, index) => isSubstantial(turn) && isTaken(turn, index)) ??
		requested.findLast(({ request = "", isChoice }) => !isChoice && isRequest(request)) ??
		requested.at(-1)
	);
}

const MOST = 80;
const FIRST = 2.5;

const OPENING = 5;
const OPENINGS = 3;

const LINE = 200;
/** A request that begins with an error, a warning or a location in a file is treated as pasted text. */
const PRINTED =
	/^\W*(?:\[?(?:error|fatal|warning)(?:\]|:)|(?:\w+ )?[A-Z]\w*(?:Error|Exception|Warning): |Traceback\b|\S*[\\/]\S+:\d+[:\s])/i;

export function largestRequest({ turns }: Turns): Turn | undefined {
	const asking = turns.filter(({ request }) => request !== undefined);
	const opening = asking
		.slice(0, OPENINGS)
		.find((turn) => requestWords(turn) >= (isQuestion(turn.request ?? "") ? SUBSTANTIAL : OPENING));
	const sized = asking.map((turn) => {
		const words = turn === opening ? requestWords(turn) : sizesOf(turn).prose;
		if (turn !== opening && isPasted(turn)) return 0;
		if (words < (stepsAfter(turn) >= WORK ? OPENING : SUBSTANTIAL)) return 0;
		return sizeOf(turn, words) * (turn === opening ? FIRST : 1);
	});
	const most = Math.max(0, ...sized);
	return most === 0 ? undefined : asking[sized.indexOf(most)];
}

function isPasted({ request = "" }: Turn): boolean {
	const beginning = request.slice(0, LINE);
	return PRINTED.test(beginning) || isTerminal(beginning);
}

function sizeOf(turn: Turn, words: number): number {
	return Math.min(words, MOST) * (1 + Math.log2(1 + stepsAfter(turn)) / 4);
}

export function workedOn(turns: readonly Turn[]): Turn[] {
	const isNamed = (turn: Turn): boolean => requestWords(turn) >= SHORT || NAME.test(turn.request ?? "");
	return turns
		.filter((turn) => !turn.isChoice && stepsAfter(turn) >= WORK && isNamed(turn) && !isPasted(turn))
		.toSorted((a, b) => workOf(b) - workOf(a));
}

/**
 * The work that follows a request has more weight than the length of the request, because a short
 * request can cause most of the work.
 */
function workOf(turn: Turn): number {
	return Math.sqrt(Math.min(sizesOf(turn).prose, MOST)) * (2 + Math.log2(1 + stepsAfter(turn)));
}

const UNCOUNTED = 8;

export function stepsAfter({ steps, leftOut }: Turn): number {
	return steps.length + (leftOut ? (leftOut.steps ?? UNCOUNTED) : 0);
}

export function largerWork({ turns }: Turns): Turn | undefined {
	const current = currentRequest({ turns });
	const best = largestRequest({ turns: turns.slice(0, current ? turns.indexOf(current) + 1 : 0) });
	return best === current ? undefined : best;
}

/**
 * The minimum length, in words, of a request that is considered more than an answer to the agent's
 * question.
 */
const AMPLE = 12;
export const ANSWER_STEPS = 2;

export function commandOf(asking: readonly Turn[], most = Number.POSITIVE_INFINITY): Turn | undefined {
	const isWork = ({ steps, leftOut }: Turn) => steps.length > 0 || (leftOut && leftOut.steps !== 0);
	const at = asking.findLastIndex((turn) => turn.isCommand && isWork(turn));
	const isAnswer = (turn: Turn): boolean => {
		const words = requestWords(turn);
		return words < OPENING || (words < AMPLE && stepsAfter(turn) <= most);
	};
	return asking.slice(at + 1).every(isAnswer) ? asking[at] : undefined;
}

const GOAL_REACH = 45;
const IDLE_REQUESTS = 4;

export function goalText({ turns }: Pick<Timeline, "turns">): string | undefined {
	const from = turns.findLastIndex((turn) => turn.goal !== undefined);
	const since = turns.slice(Math.max(0, from));
	const isIdle =
		since.length > IDLE_REQUESTS && since.slice(-IDLE_REQUESTS).every((turn) => stepsAfter(turn) === 0);
	const isReached = since.length > GOAL_REACH || isIdle;
	return isReached ? undefined : turns[from]?.goal;
}

/** pi instructs its model to write `## Goal` in a summary. Forks of pi use a similar heading. */
const GOAL = /^#+\s.*\b(?:goal|objective|task|request|intent)\b/i;
const HEADING = /^#+\s/;
const STATUS =
	/[✅☑✔❌✗☐]|\[[ xX]\]|\((?:NEXT|DONE|IN PROGRESS|TODO)\)|\b(?:completed?|done|in progress|current(?:ly)? (?:state|status))\b/i;
const READ = 6_000;
const GOAL_LINES = 8;
const GOAL_BOUND = 420;
const GOAL_WORDS = 2;
const ITEM = /^\s*(?:[-*]|\d+\.)\s/;
const SEVERAL = 3;

export function goalOf(summary: string | undefined): string | undefined {
	const lines = (summary ?? "").slice(0, READ).split("\n");
	const at = lines.findIndex((line) => GOAL.test(line) && !STATUS.test(line));
	if (at < 0) return undefined;
	const end = lines.findIndex((line, index) => index > at && HEADING.test(line));
	const section = lines
		.slice(at + 1, end < 0 ? at + 1 + GOAL_LINES : end)
		.filter((line) => line.trim() !== "");
	if (section.filter((line) => ITEM.test(line)).length >= SEVERAL && ITEM.test(section[0] ?? ""))
		return undefined;
	const goal = section
		.map((line) =>
			line
				.replace(ITEM, "")
				.replace(/\*\*|`/g, "")
				.trim(),
		)
		.map(withoutStatus)
		.filter((line) => line !== "" && !/^[([]?no(?:ne\b| specific| goal|t )/i.test(line))
		.map((line) => (/[.!?。:]$/.test(line) ? line : `${line}.`))
		.join(" ")
		.replace(/\.$/, "");
	const text = requested(goal.slice(0, GOAL_BOUND).trim());
	return countWords(text) < GOAL_WORDS ? undefined : text;
}

function withoutStatus(line: string): string {
	const sentences = sentencesOf(line);
	const end = sentences.findIndex((sentence) => STATUS.test(sentence));
	return end < 0 ? line : sentences.slice(0, end).join(" ");
}

const REPORTED = /^The user(?:'s)?\b[^.,:;"“]{0,60}?\b(?:to|for)[:,]? (?=\S)(?:["“]([^"”]{12,})["”])?/;

function requested(goal: string): string {
	const [told, quoted] = REPORTED.exec(goal) ?? [];
	const rest = quoted ?? goal.slice(told?.length ?? 0);
	if (told === undefined || countWords(sentencesOf(rest)[0] ?? "") < GOAL_WORDS) return goal;
	return rest.charAt(0).toUpperCase() + rest.slice(1);
}

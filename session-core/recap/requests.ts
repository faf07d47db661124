import { isRequest, ownLine } from "../log/index.ts";
import {
	ANSWER_STEPS,
	actedIn,
	commandOf,
	currentRequest,
	goalText,
	isSubstantial,
	largestRequest,
	type Outcome,
	programText,
	remarksOf,
	requestWords,
	stepsOf,
	type Timeline,
	type Turn,
	workedOn,
} from "../log/timeline/index.ts";
import {
	asksOfUser,
	clipColumns,
	countWords,
	cutAtClause,
	displayWidth,
	headUnits,
	isBalanced,
	letters,
	lineThatFits,
	plainLine,
	readBlocks,
	readReply,
	sentencesOf,
	withoutFinalMark,
	withShortPaths,
} from "../text/index.ts";
import { isDocument, openingLine } from "./reply-lines.ts";

const LOG_TURNS = 8;
const GIT = /^git\b/;
export const CLEAR = 5;
export const CUT: ReadonlySet<Outcome> = new Set(["aborted", "error", "running"]);
const AMPLE = 12;
export const TOPIC = 9;
const END = 120;
export const COLUMNS = {
	recap: 360,
	headline: 205,
	earlier: 130,
	goal: 130,
	asked: 120,
	topic: 120,
	between: 72,
};
const BETWEEN = 3;

export interface EarlierRequest {
	request: string;
	answered: Turn | undefined;
	/**
	 * Requests with lower ranks are quoted first, until the card is full. Requests with rank 0 are always
	 * quoted.
	 */
	rank: number;
}

/**
 * The user's requests as they appear on a card. All strings are sanitized and redacted, and none
 * repeats the headline.
 */
export interface QuotedRequests {
	headline: string;
	larger: string;
	earlier: EarlierRequest[];
	asked: string;
	from: number;
}

export function quoteRequests(timeline: Timeline): QuotedRequests {
	const { name, turns, outcome } = timeline;
	const asking = turns.filter((turn) => turn.request !== undefined || turn.expansion !== undefined);
	const last = asking.at(-1);
	const closed = last && closedBy(last, turns);
	const current = closed ?? currentRequest(timeline) ?? last;
	const isClear = (turn: Turn | undefined) => isRequest(turn?.request ?? "") && !turn?.isChoice;
	const begun = last && begunBy(last, turns);
	const isRemark = last !== undefined && requestWords(last) < TOPIC && begun !== last;
	const newest = closed ?? [isRemark ? begun : undefined, last].find(isClear) ?? current;
	const command = commandOf(asking, ANSWER_STEPS);
	const head = command && newest && newest.number > command.number ? command : newest;
	const quote = (turn: Turn | undefined, columns: number): string =>
		turn ? requestLine(turn, columns, turns.slice(0, turns.indexOf(turn)), turn === head ? END : 0) : "";
	const title = name && cutAtClause(withoutFinalMark(plainLine(name)), COLUMNS.headline);
	const text = title ?? quote(head, COLUMNS.headline);
	const headline = text.endsWith("…") ? text : withoutFinalMark(text);
	const shown = [headline];
	const isLonger = (line: string) => title !== undefined && letters(line).length > 2 * letters(title).length;
	const fresh = (line: string): string => {
		if (shown.some((other, at) => isSame(other, line) && !(at === 0 && isLonger(line)))) return "";
		shown.push(line);
		return line;
	};
	// If the agent worked after its recap, only the recap's first clause is certain to be up to date.
	const recap = turns.slice(turns.findLastIndex(actedIn) + 1).findLast((turn) => turn.recap)?.recap;
	const larger = fresh(recap ? cutAtClause(plainLine(recap), COLUMNS.recap) : goalLine(goalText(timeline)));
	const askedColumns = title === undefined ? COLUMNS.asked : COLUMNS.headline;
	const asked = title !== undefined || head !== last ? fresh(quote(last, askedColumns)) : "";
	const isBelow = title !== undefined && head !== last;
	const answered = (turn: Turn) => answeredTurn(turn, turns, head);
	const others = asking.filter((turn) => turn === head || !isSame(headline, quote(turn, COLUMNS.headline)));
	const before = { turns: asking.slice(0, head && asking.indexOf(head)) };
	const widest = larger === "" ? (largestRequest(before) ?? commandOf(asking)) : undefined;
	const isExplained =
		widest !== undefined &&
		requestWords(head ?? widest) >= AMPLE &&
		outcomeOf(answered(widest), COLUMNS.earlier) !== "";
	const nearest = head && !isExplained ? requestBefore(others, head) : undefined;
	const explaining = (isBelow ? [head] : [...new Set([widest, nearest])]).filter(
		(turn) => turn !== undefined,
	);
	const explained = explaining.map((turn) => ({
		request: fresh(quote(turn, COLUMNS.earlier)),
		answered: answered(turn),
		number: turn.number,
		rank: 0,
	}));
	const told = [...explaining, larger === "" ? undefined : largestRequest(before)];
	// The opening request is quoted even if the session has a name, because the name may be less informative.
	const opening = before.turns.filter((turn) => title !== undefined && requestWords(turn) >= CLEAR);
	const between = [...new Set([...opening.slice(0, 1), ...workedOn(before.turns)])]
		.filter((turn) => !told.includes(turn))
		.slice(0, BETWEEN)
		.map((turn, index) => ({
			request: fresh(clipColumns(quote(turn, COLUMNS.earlier), COLUMNS.between)),
			answered: undefined,
			number: turn.number,
			rank: index + 1,
		}));
	return {
		headline,
		larger,
		asked,
		earlier: [...explained, ...between]
			.toSorted((a, b) => a.number - b.number)
			.filter(({ request }) => request !== ""),
		from: startOfRun(turns, CUT.has(outcome) && head ? head : current),
	};
}

function startOfRun(turns: readonly Turn[], current: Turn | undefined): number {
	let from = current ? turns.indexOf(current) : 0;
	while (turns[from - 1]?.end === "toolUse") from--;
	return from;
}

/**
 * If the agent ran only git commands, such as `git commit`, for a short request, this function returns
 * the earlier request that produced the changes.
 */
function closedBy(last: Turn, turns: readonly Turn[]): Turn | undefined {
	const from = startOfRun(turns, last);
	const acts = turns
		.slice(from)
		.flatMap(stepsOf)
		.filter(({ looks }) => !looks);
	const isClosing = acts.length > 0 && acts.every(({ command = "" }) => GIT.test(programText(command)));
	const before = isClosing && requestWords(last) < TOPIC && currentRequest({ turns: turns.slice(0, from) });
	return before && isSubstantial(before) ? before : undefined;
}

/**
 * After an interrupted run, a request of only a few words is assumed to continue the interrupted
 * request.
 */
function begunBy(current: Turn, turns: readonly Turn[]): Turn | undefined {
	const from = startOfRun(turns, current);
	const begun = turns[from];
	const before = turns[from - 1];
	if (!begun || before?.end !== "aborted" || requestWords(begun) >= TOPIC) return begun;
	const interrupted = turns[startOfRun(turns, before)];
	return interrupted && requestWords(interrupted) >= AMPLE ? interrupted : begun;
}

export function outcomeOf(answered: Turn | undefined, columns: number): string {
	if (answered === undefined || answered.end === "aborted" || answered.end === "error") return "";
	if (!actedIn(answered) && asksOfUser(saidIn(answered))) return "";
	return openingLine(saidIn(answered), columns);
}

function answeredTurn(turn: Turn, turns: readonly Turn[], head: Turn | undefined): Turn | undefined {
	if (turn.leftOut && saidIn(turn) === "") return undefined;
	const rest = turns.slice(turns.indexOf(turn), head && turns.indexOf(head));
	const end = rest.findIndex((one, index) => index > 0 && !one.isChoice && isRequest(one.request ?? ""));
	const rank = (one: Turn): number => countWords(saidIn(one)) * (asksOfUser(saidIn(one)) ? 0.01 : 1);
	const [fullest] = rest
		.slice(0, end < 0 ? undefined : end)
		.toSorted((one, other) => rank(other) - rank(one));
	return fullest && saidIn(fullest) !== "" ? fullest : undefined;
}

/**
 * The minimum number of words in a report. A shorter message usually only announces the agent's next
 * action or completes an earlier report.
 */
export const REPORT_WORDS = 25;

function saidIn(turn: Turn | undefined): string {
	const { reply = "" } = turn ?? {};
	const remark = turn ? (remarksOf(turn).at(-1) ?? "") : "";
	const isReported = countWords(remark) >= REPORT_WORDS && (reply === "" || asksOfUser(reply));
	return isReported ? remark : reply;
}

function requestBefore(asking: readonly Turn[], head: Turn): Turn | undefined {
	const before = asking.slice(0, asking.indexOf(head)).filter((turn) => !turn.isCommand);
	return (
		before.findLast((turn) => requestWords(turn) >= CLEAR) ??
		before.slice(-1).find(({ request = "" }) => isRequest(request))
	);
}

export function goalLine(text = ""): string {
	if (text === "") return "";
	const [goal = ""] = sentencesOf(plainLine(text));
	return lineThatFits(goal, COLUMNS.goal) ?? cutAtClause(goal.replace(/\s\([^()]*\)/g, ""), COLUMNS.goal);
}

/**
 * Shortens a request to one line, without text that the user quoted from `earlier` turns. The last sentence
 * of a long request is kept if it is at most `end` columns wide.
 */
export function requestLine(turn: Turn, columns: number, earlier: readonly Turn[] = [], end = 0): string {
	if (turn.request === undefined) return turn.expansion === undefined ? "" : plainLine(turn.expansion);
	const [own, reply] = [ownText(turn, earlier), earlier.at(-1)?.reply ?? ""];
	const { question: asked, choice } = answeredBy(turn, own, reply);
	// If the user's answer is only a path or a URL, the agent's preceding message is quoted as well.
	const question = asked || (end > 0 && LOCATOR.test(own) ? openingLine(reply, COLUMNS.asked) : "");
	const answer = choice === "" ? own : `${withoutFinalMark(own)}: ${choice}`;
	const room = question === "" ? 0 : columns - displayWidth(answer) - ANSWERS.length;
	const line = room >= QUESTION_COLUMNS ? answer + ANSWERS + cutAtClause(question, room) : answer;
	const [atClause, clipped] = [cutAtClause(line, columns), clipColumns(line, columns)];
	const cut = REFERENCE.test(atClause) && isBalanced(clipped) ? clipped : atClause;
	const isDocument = question !== "" || turn.request.length > DOCUMENT || /^#{1,6} /m.test(turn.request);
	const last = cut.endsWith("…") && !isDocument ? (sentencesOf(line).at(-1) ?? "") : "";
	const isQuotable = countWords(last) >= CLEAR && displayWidth(last) <= end && isBalanced(last);
	return isQuotable ? `${cut.replace(/ ?…$/, "")} … ${withoutFinalMark(last)}` : cut;
}

const REFERENCE = /^[^,;，；]*(?:\/|\w\.)\w+ …$/;
/**
 * A request with more characters than this limit is treated as a document. The end of a document is not
 * quoted, because it usually contains only details.
 */
const DOCUMENT = 3_500;

/** The separator between an earlier request and its outcome, as in `Fix the test → 43 passed`. */
export const ARROW = " → ";
/**
 * The separator between the user's answer and the agent's question, as in `yes ← Shall I commit it?`
 */
export const ANSWERS = " ← ";
const QUESTION_COLUMNS = 40;
/** Agents use Markdown quotations (`>`) not only for quotes but also for choices that they offer. */
const QUOTED = /^[^\S\n]*> ?/gm;
const BOLD_MARK = /^\*\*(\w{1,2}[.)]) /gm;
const LOCATOR = /^(?:https?:\/\/|~?\/[^\s/]+\/|[A-Z]:)\S+$/;
const CHOICES = /^\((?:[^()]|\([^()]*\))*\)\s*/;

function answeredBy(
	{ request = "", isChoice }: Turn,
	own: string,
	reply: string,
): { question: string; choice: string } {
	const isOther = isChoice ? request.includes("\n") : isRequest(request);
	if (isOther) return { question: "", choice: countWords(own) < CLEAR ? documentTitle(reply) : "" };
	const question = plainLine(readReply(reply).questions.at(-1) ?? "").replace(CHOICES, "");
	const chosen = readBlocks(reply.replace(QUOTED, "").replace(BOLD_MARK, "$1 **")).findLast(
		({ mark, text }) => (mark || text).replace(/[.):]*(?:\s.*)?$/s, "") === own.toUpperCase(),
	);
	const choice = chosen?.mark ? chosen.text : (chosen?.text ?? "").replace(/^\w+[.):]*/, "");
	return { question, choice: plainLine(choice) };
}

function documentTitle(reply: string): string {
	const title = isDocument(reply) && readBlocks(reply).find(({ kind }) => kind === "heading");
	return title ? plainLine(title.text) : "";
}

/**
 * The number of characters of a request that are searched for Markdown. The rest of the request is
 * never shown.
 */
const LONGEST_LINE = 8_000;

/**
 * Caches each request without its pasted text, because finding pasted text takes most of the time
 * needed to create a recap.
 */
const known = new WeakMap<Turn, { after: Turn | undefined; text: string }>();

function ownText(turn: Turn, earlier: readonly Turn[]): string {
	const { request = "", isChoice } = turn;
	if (isChoice) return plainLine(request.split("\n").filter(Boolean).join("; "));
	const after = earlier.at(-1);
	const before = known.get(turn);
	if (before && before.after === after) return before.text;
	const log = (): string[] =>
		earlier
			.slice(-LOG_TURNS)
			.flatMap((one) => [
				one.reply ?? "",
				...stepsOf(one).flatMap(({ output, edits }) => [output, ...edits.map(({ diff }) => diff)]),
			]);
	const own = headUnits(ownLine(request, log), LONGEST_LINE);
	const text = withShortPaths(plainLine(own).replace(/^[;:] /, ""));
	known.set(turn, { after, text });
	return text;
}

function isSame(one: string, other: string): boolean {
	const [a, b] = [letters(one), letters(other)];
	return a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
}

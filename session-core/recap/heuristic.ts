import { actedIn, lastTurn, remarksOf, type Timeline, type Turn } from "../log/timeline/index.ts";
import { asksOfUser, countWords, cutAtClause, displayWidth, plainLine } from "../text/index.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { type CardWords, ENGLISH } from "./card-words.ts";
import { openActions } from "./open.ts";
import { type BulletKind, HEADLINE_COLUMNS, type SessionRecord } from "./record.ts";
import { replyLines } from "./reply-lines.ts";
import {
	ARROW,
	CUT,
	type EarlierRequest,
	outcomeOf,
	type QuotedRequests,
	quoteRequests,
	REPORT_WORDS,
} from "./requests.ts";
import { actionLine, nextOf, openPoints, stateLine } from "./text.ts";
import { checksOf, didLine, lastStep } from "./work-done.ts";

/**
 * Maximum number of columns on a card, apart from the artifacts. `REPLY` is the number that is reserved for the reply: `most` if requests
 * are quoted at length, otherwise `least`.
 */
const COLUMNS = 1100;
const REPLY = { least: 400, most: 600 };
const MAX_BULLETS = 5;
/** Number of columns for the end of a long request. People often explain first and then say what to do. */
const END_COLUMNS = 160;
/** Number of columns for the outcome of an earlier request: `most` if the card has room for it, otherwise `least`. */
const OUTCOME = { least: 125, most: 250 };

/** Returns a timeline's recap. Fields whose values the timeline does not contain, such as an id, are left empty. */
export function offlineRecap(timeline: Timeline, words: CardWords = ENGLISH): SessionRecord {
	const { outcome, endReason, turns } = timeline;
	const short = quoteRequests(timeline);
	const headline = cutAtClause(short.headline, HEADLINE_COLUMNS);
	const next = openActions(timeline);
	const lineOf = ({ kind, text }: Bullet): string => words.recap[kind] + text;
	const step = CUT.has(outcome) ? lastStep(lastTurn(turns), words, true) : undefined;
	const work = [
		...bullet("error", endReason && cutAtClause(plainLine(endReason), 150)),
		...bullet("did", didLine(timeline, short.from, words.recap)),
		...bullet("step", step),
	];
	const report = earlierReport(timeline);
	const draft = ({ headline, larger, earlier, asked }: QuotedRequests, columns: number) => {
		const textOf = ({ request, answered }: EarlierRequest): string => {
			const said = request === "" || answered === report ? "" : outcomeOf(answered, columns);
			return said === "" ? request : request + ARROW + said;
		};
		const requests = [
			...bullet("larger", larger),
			...bullet("earlier", earlier.map(textOf).join(" · ")),
			// An interrupted request is already quoted as an open item.
			...bullet("asked", next[0]?.kind === "cut_short" ? "" : asked),
		];
		return { text: headline, requests };
	};
	const open = openPoints({ headline: short.headline, ...nextOf(next) }).map((point) => point.text);
	const roomIn = ({ text, requests }: ReturnType<typeof draft>) =>
		COLUMNS - widthOf([text, ...[...requests, ...work].map(lineOf), ...open]);
	const least = replyColumns(timeline, REPLY.least);
	const most = replyColumns(timeline, REPLY.most);
	const long = quoteRequests(timeline, END_COLUMNS);
	const roomy = [draft(long, OUTCOME.most), draft(long, OUTCOME.least), draft(short, OUTCOME.most)];
	const plain = draft(short, OUTCOME.least);
	const chosen =
		roomy.find((one) => roomIn(one) >= most) ?? (roomIn(plain) >= least ? plain : draft(short, 0));
	const { text, requests } = chosen;
	// The newest request explains the reply, and the larger work explains both.
	while (requests.length > 1 && roomIn(chosen) < least)
		requests.splice(requests[0]?.kind === "larger" && requests.length > 2 ? 1 : 0, 1);
	const places = MAX_BULLETS - requests.length - work.length;
	const replies = replyBullets(timeline, words, { places, room: roomIn(chosen), report });
	const bullets = [...requests, ...work, ...replies];
	return {
		id: "",
		kind: "session",
		subject_id: "",
		generator: { type: "heuristic" },
		headline,
		...(text !== headline && { text }),
		bullets: bullets.map(lineOf),
		bullet_kinds: bullets.map(({ kind }) => kind),
		...nextOf(next),
		artifacts: chooseArtifacts(timeline, short.from),
		outcome,
		...checksOf(timeline),
		last_message_id: timeline.stamp ?? "",
		created_at: 0,
	};
}

interface Bullet {
	kind: BulletKind;
	text: string;
}

function bullet(kind: BulletKind, text = ""): Bullet[] {
	return text === "" ? [] : [{ kind, text }];
}

function widthOf(lines: readonly string[]): number {
	return lines.reduce((sum, line) => sum + displayWidth(line), 0);
}

/** Maximum number of an interrupted run's newest messages that are quoted. */
const REMARKS = 3;
/** Minimum number of words in the reply to an earlier request that is quoted. Anything shorter is "Done." or "All tests pass." */
const ANSWER_WORDS = 9;
/** Minimum number of words of an earlier report that fit. */
const LEAST_QUOTED = 5;

/**
 * Returns the number of columns that are reserved for the reply: `most` or, for a shorter reply, the reply's width. A reply of only a few
 * words also gets `most`, because an earlier report may be quoted with it.
 */
function replyColumns({ turns }: Timeline, most: number): number {
	const last = lastTurn(turns);
	const said = last ? saidDuring(last) : "";
	return countWords(said) < REPORT_WORDS ? most : Math.min(most, displayWidth(said));
}

/** Returns what the agent said in the last turn and, if those words only close an earlier report, that report. */
function replyBullets(
	{ turns, outcome }: Timeline,
	{ recap: labels }: CardWords,
	{ places, room, report }: { places: number; room: number; report: Turn | undefined },
): Bullet[] {
	const last = lastTurn(turns);
	if (!last || places < 1 || room < 1) return [];
	const text = saidDuring(last);
	const lines = replyLines(text, room - labels.said.length);
	const said = bullet("said", lines.join(" · "));
	if (!report || places === said.length) return said;
	const left = room - widthOf(said.map(({ text }) => labels.said + text)) - labels.report.length;
	// The work after a report has changed the state that the end of the report describes.
	const isOutdated = !CUT.has(outcome) && actedIn(last);
	const reported = saidDuring(report);
	const all = replyLines(reported, Math.max(0, left), false);
	const earlier = isOutdated && all.length > 1 ? all.slice(0, -1) : all;
	const quoted = left < 1 ? "" : earlier.join(" · ");
	return [...said, ...bullet("report", countWords(quoted) < LEAST_QUOTED ? "" : quoted)];
}

/** Returns the turn with an earlier report if what the agent said in the last turn only closes it. */
function earlierReport({ turns }: Timeline): Turn | undefined {
	const last = lastTurn(turns);
	if (!last || countWords(saidDuring(last)) >= REPORT_WORDS) return undefined;
	const before = turns.slice(0, turns.indexOf(last)).slice(-REMARKS);
	return before.findLast((turn) => turn.end === "stop" && countWords(saidDuring(turn)) >= ANSWER_WORDS);
}

/**
 * Returns a turn's reply, preceded by the turn's report if the reply only closes that report. Without a reply, returns the newest remarks.
 */
function saidDuring(turn: Turn): string {
	const reply = completed(turn);
	const remarks = remarksOf(turn);
	if (reply === "") return remarks.slice(-REMARKS).join("\n\n");
	const report = remarks.at(-1) ?? "";
	// The report comes before a reply that only asks a question or closes the report.
	const isShort = countWords(reply) < REPORT_WORDS || asksOfUser(reply);
	const isClosed = isShort && countWords(report) > countWords(reply);
	return isClosed && report.includes("\n\n") ? `${report}\n\n${reply}` : reply;
}

/** Matches the end of a sentence, but not a period inside a name or a number. */
const SENTENCE_END = /[.!?…]["'”’)\]*`]*(?=\s|$)|[。！？]|\n/gu;

/** Returns a reply without the incomplete sentence at its end, if the reply was interrupted. */
function completed({ reply = "", end }: Turn): string {
	const stop = end === "stop" ? undefined : [...reply.matchAll(SENTENCE_END)].at(-1);
	return end === "stop" ? reply : reply.slice(0, stop ? stop.index + stop[0].length : 0);
}

export const LINE_COLUMNS = 160;

/** Shortens an offline recap to the one to three lines of a widget: the task, its state, and the first open item. */
export function recapLines(recap: SessionRecord, words: CardWords = ENGLISH): string[] {
	const headline = cutAtClause(recap.text ?? recap.headline, LINE_COLUMNS);
	const short = openPoints(recap).map(({ kind, text }) => {
		const room = LINE_COLUMNS - displayWidth(actionLine({ kind, text: "" }, words));
		return { kind, text: cutAtClause(text, room) };
	});
	// Drops each open item that, once cut to the width of the line, only repeats the headline.
	const [next] = openPoints({ headline, ...nextOf(short) });
	const state = stateWithBullets(recap, words);
	return [headline, state, next ? actionLine(next, words) : ""].filter((line) => line !== "");
}

/**
 * Returns the state of the work, followed by the bullets that fit. The headline already quotes the user, so other requests are left out.
 */
function stateWithBullets({ outcome, bullets, bullet_kinds }: SessionRecord, words: CardWords): string {
	let line = stateLine({ outcome }, words);
	for (const [index, bullet] of bullets.entries()) {
		const kind = bullet_kinds?.[index];
		if (kind === "larger" || kind === "earlier" || kind === "asked") continue;
		const longer = line === "" ? bullet : `${line} · ${bullet}`;
		if (displayWidth(longer) <= LINE_COLUMNS) line = longer;
		else if (displayWidth(line) < LINE_COLUMNS / 2) return cutAtClause(longer, LINE_COLUMNS);
	}
	return line;
}

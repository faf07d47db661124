import {
	actedIn,
	lastTurn,
	remarksOf,
	requestWords,
	type Timeline,
	type Turn,
} from "../log/timeline/index.ts";
import {
	asksOfUser,
	cleanLine,
	countWords,
	cutAtClause,
	displayWidth,
	headUnits,
	plainLine,
	readReply,
	safeText,
} from "../text/index.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { type CardWords, ENGLISH } from "./card-words.ts";
import {
	type BulletKind,
	HEADLINE_COLUMNS,
	MAX_RECORD_TEXT,
	NEXT_COLUMNS,
	type NextStep,
	type SessionRecord,
} from "./record.ts";
import { isDocument, replyLines } from "./reply-lines.ts";
import { ANSWERS, ARROW, CUT, outcomeOf, quoteRequests, REPORT_WORDS } from "./requests.ts";
import { actionLine, nextOf, openPoints, stateLine } from "./text.ts";
import { checksOf, didLine, lastStep } from "./work-done.ts";

const COLUMNS = 1100;
const REPLY_COLUMNS = 400;
const AMPLE_COLUMNS = 550;
const MORE_COLUMNS = 160;
const OUTCOMES = [200, 125, 0];
const MAX_BULLETS = 5;

/** Creates a recap without a model. Fields that the timeline cannot provide are left empty. */
export function offlineRecap(timeline: Timeline, words: CardWords = ENGLISH): SessionRecord {
	const { outcome, endReason, turns } = timeline;
	const quoted = quoteRequests(timeline);
	const headline = cutAtClause(quoted.headline, HEADLINE_COLUMNS);
	const next = openActions(timeline);
	const report = earlierReport(timeline);
	const isOpen = next[0]?.kind === "cut_short";
	const lineOf = ({ kind, text }: Bullet): string => words.recap[kind] + text;
	const work = [
		...bullet("error", endReason && cutAtClause(plainLine(endReason), 150)),
		...bullet("did", didLine(timeline, quoted.from, words.recap)),
		...bullet("step", CUT.has(outcome) ? lastStep(lastTurn(turns), words) : undefined),
	];
	const requestsWith = (columns: number, most = 0): Bullet[] => {
		const shown = quoted.earlier.filter(({ rank }) => rank <= most);
		const earlier = shown.map(({ request, answered }) => {
			const said = columns === 0 || answered === report ? "" : outcomeOf(answered, columns);
			return said === "" ? request : request + ARROW + said;
		});
		return [
			...bullet("larger", quoted.larger),
			...bullet("earlier", earlier.join(" · ")),
			...bullet("asked", isOpen && !quoted.asked.includes(ANSWERS) ? "" : quoted.asked),
		];
	};
	const open = openPoints({ headline: quoted.headline, ...nextOf(next) }).map((point) => point.text);
	const said = saidDuring(lastTurn(turns));
	const least = countWords(said) < REPORT_WORDS ? REPLY_COLUMNS : Math.min(REPLY_COLUMNS, displayWidth(said));
	const ample = Math.max(least, Math.min(AMPLE_COLUMNS, displayWidth(said)));
	const roomBeside = (some: readonly Bullet[]): number =>
		COLUMNS - widthOf([quoted.headline, ...[...some, ...work].map(lineOf), ...open]);
	const columns = OUTCOMES.find((some) => roomBeside(requestsWith(some)) >= least) ?? 0;
	const more = quoted.earlier.map(({ rank }) => rank).toSorted((a, b) => b - a);
	const most = more.find((some) => roomBeside(requestsWith(columns, some)) >= ample - MORE_COLUMNS);
	const requests = requestsWith(columns, most);
	const longer = widthOf(requests.map(lineOf)) - widthOf(requestsWith(columns).map(lineOf));
	const room = (): number => roomBeside(requests) + Math.min(MORE_COLUMNS, longer);
	while (requests.length > 1 && room() < least)
		requests.splice(requests[0]?.kind === "larger" && requests.length > 2 ? 1 : 0, 1);
	const places = MAX_BULLETS - requests.length - work.length;
	const replies = replyBullets(timeline, words, { places, room: room(), report });
	const bullets = [...requests, ...work, ...replies];
	return {
		id: "",
		kind: "session",
		subject_id: "",
		generator: { type: "heuristic" },
		headline,
		...(quoted.headline !== headline && { text: quoted.headline }),
		bullets: bullets.map(lineOf),
		bullet_kinds: bullets.map(({ kind }) => kind),
		...nextOf(next),
		artifacts: chooseArtifacts(timeline, quoted.from),
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

const REMARKS = 3;
/** The minimum length, in words, of a quoted reply. Shorter replies, such as "Done.", say little. */
const ANSWER_WORDS = 9;
const LEAST_QUOTED = 5;

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
	const all = replyLines(saidDuring(report), Math.max(0, left), false);
	const earlier = !CUT.has(outcome) && actedIn(last) && all.length > 1 ? all.slice(0, -1) : all;
	const quoted = left < 1 ? "" : earlier.join(" · ");
	return [...said, ...bullet("report", countWords(quoted) < LEAST_QUOTED ? "" : quoted)];
}

function earlierReport({ turns }: Timeline): Turn | undefined {
	const last = lastTurn(turns);
	const isBrief = last && (requestWords(last) < 2 || countWords(saidDuring(last)) < REPORT_WORDS);
	if (!isBrief) return undefined;
	const before = turns.slice(0, turns.indexOf(last)).slice(-REMARKS);
	const isReport = (turn: Turn) => turn.end === "stop" && !turns[turns.indexOf(turn) + 1]?.isAnswer;
	return before.findLast((turn) => isReport(turn) && countWords(saidDuring(turn)) >= ANSWER_WORDS);
}

/**
 * If a run ends with a short reply after a longer report, both texts are quoted. If a run has no final
 * reply, the agent's newest messages are quoted.
 */
function saidDuring(turn: Turn | undefined): string {
	if (!turn) return "";
	const reply = completed(turn);
	const remarks = remarksOf(turn);
	const plan = remarks.findLastIndex(isDocument);
	if (reply === "") return remarks.slice(Math.max(plan, remarks.length - REMARKS, 0)).join("\n\n");
	const report = remarks.at(-1) ?? "";
	const isShort = countWords(reply) < REPORT_WORDS || asksOfUser(reply);
	const isClosed = isShort && countWords(report) > countWords(reply);
	return isClosed && report.includes("\n\n") ? `${report}\n\n${reply}` : reply;
}

const SENTENCE_END = /[.!?…]["'”’)\]*`]*(?=\s|$)|[。！？]|\n/gu;

function completed({ reply = "", end }: Turn): string {
	const stop = end === "stop" ? undefined : [...reply.matchAll(SENTENCE_END)].at(-1);
	return end === "stop" ? reply : reply.slice(0, stop ? stop.index + stop[0].length : 0);
}

export const LINE_COLUMNS = 160;

export function recapLines(recap: SessionRecord, words: CardWords = ENGLISH): string[] {
	const headline = cutAtClause(recap.text ?? recap.headline, LINE_COLUMNS);
	const short = openPoints(recap).map(({ kind, text }) => {
		const room = LINE_COLUMNS - displayWidth(actionLine({ kind, text: "" }, words));
		return { kind, text: cutAtClause(text, room) };
	});
	const [next] = openPoints({ headline, ...nextOf(short) });
	const state = stateWithBullets(recap, words);
	return [headline, state, next ? actionLine(next, words) : ""].filter((line) => line !== "");
}

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

const MAX_OPEN = 3;

export function openActions(timeline: Pick<Timeline, "turns" | "outcome">): NextStep[] {
	const last = lastTurn(timeline.turns);
	if (!last) return [];
	if (timeline.outcome === "done" || timeline.outcome === "waiting") return openIn(last.reply ?? "");
	const { request = "" } = cutRequest(timeline.turns) ?? {};
	const text = headUnits(cleanLine(safeText(request)), MAX_RECORD_TEXT);
	return text === "" ? [] : [{ kind: "cut_short", text }];
}

/**
 * Returns the full text of the interrupted request, or undefined if the next step is not an interrupted
 * request. If `isTyped` is true, secrets are not redacted, because only the user's own editor shows the
 * text.
 */
export function wholeRequest(
	{ turns }: Timeline,
	{ kind, text }: NextStep,
	isTyped = false,
): string | undefined {
	const { request = "", typed = "" } = cutRequest(turns) ?? {};
	const isSame = cleanLine(safeText(request)).startsWith(text.replace(/…$/, ""));
	if (kind !== "cut_short" || !isSame) return undefined;
	return (isTyped && typed) || request;
}

/**
 * An answer to the agent's question makes no sense without the question, so the answer is not offered as a
 * separate request.
 */
function cutRequest(turns: readonly Turn[]): Turn | undefined {
	const last = lastTurn(turns);
	const isRequest = (turn: Turn) => turn.request !== undefined && !turn.isAnswer;
	return last?.isAnswer ? (turns.findLast(isRequest) ?? last) : last;
}

function openIn(reply: string): NextStep[] {
	const { questions, unticked } = readReply(reply);
	const lineOf = (kind: NextStep["kind"]) => (text: string) => ({
		kind,
		text: cutAtClause(plainLine(text), NEXT_COLUMNS),
	});
	const points = [...questions.map(lineOf("question")), ...unticked.map(lineOf("step"))];
	return points
		.filter(({ text }, index) => text !== "" && points.findIndex((other) => other.text === text) === index)
		.slice(0, MAX_OPEN);
}

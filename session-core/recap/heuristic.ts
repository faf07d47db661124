/** Generates the offline recap: quotations and evidence in fixed slots, never paraphrased. Empty slots are left out. */

import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { actedIn, lastTurn } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import { isRequest } from "../timeline/user-words.ts";
import type { Words } from "../words/en.ts";
import { ENGLISH } from "../words/en.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { CUT, chooseHeadline, HEADLINE_COLUMNS, largerLine, subjectOf, workBefore } from "./headline.ts";
import { checksOf } from "./last-run.ts";
import { openActions } from "./open.ts";
import type { SessionRecord } from "./record.ts";
import { replyLines } from "./reply-lines.ts";
import { reportOf } from "./report.ts";
import { requestInContext, requestLine, restOfRequest } from "./shorten-request.ts";
import { nextOf, recapText } from "./text.ts";
import { didLine, lastStep } from "./work-done.ts";

/** Record data that is not derived from the timeline. */
export interface RecapStamp {
	id: string;
	subjectId: string;
	/** Unix seconds. */
	createdAt: number;
	/** Default "session". */
	kind?: SessionRecord["kind"];
	/** The session's model, which is selected again when the session is resumed. */
	model?: { provider: string; model: string };
	cwd?: string;
}

/** Maximum length of the whole text in characters. A text of this length fits on a card of ten lines. */
const TEXT_BOUND = 700;
const ASKED_COLUMNS = 160;
const MAX_BULLETS = 5;
/** Number of characters that are reserved for the reply. */
const SAID_ROOM = 140;

/** The content of a bullet. */
export type Slot = "larger" | "asked" | "error" | "did" | "lastStep" | "said";

/** A record, with the kind of each of its bullets. */
export interface OfflineRecap {
	recap: SessionRecord;
	slots: Slot[];
}

export function heuristicRecap(timeline: Timeline, stamp: RecapStamp, words: Words = ENGLISH): SessionRecord {
	return offlineRecap(timeline, stamp, words).recap;
}

export function offlineRecap(timeline: Timeline, stamp: RecapStamp, words: Words = ENGLISH): OfflineRecap {
	const headline = chooseHeadline(timeline, words);
	const subject = subjectOf(timeline);
	const from = subject ? timeline.turns.indexOf(subject) : 0;
	const next = openActions(timeline);
	const artifacts = chooseArtifacts(timeline, from);
	const checks = checksOf(timeline);
	const recapOf = (bullets: readonly Bullet[]): SessionRecord => ({
		id: stamp.id,
		kind: stamp.kind ?? "session",
		subject_id: stamp.subjectId,
		generator: { type: "heuristic" },
		headline,
		bullets: bullets.map(({ text }) => text),
		...nextOf(next),
		artifacts,
		outcome: timeline.outcome,
		...checks,
		...(next[0] ? { resume_hint: { seed_instruction: next[0].text, ...stamp.model } } : {}),
		...(stamp.cwd ? { workspace: { cwd: stamp.cwd } } : {}),
		last_message_id: timeline.stamp ?? "",
		created_at: stamp.createdAt,
	});
	let bullets = fixedBullets(timeline, { headline, from, words });
	const room = (): number => TEXT_BOUND - recapText(recapOf(bullets), words).length;
	const spare = (slots: readonly Slot[], least: number): void => {
		for (const slot of slots) if (room() < least) bullets = bullets.filter((bullet) => bullet.slot !== slot);
	};
	// Makes room for the reply. The bullet with the earlier request and most of the artifacts are dropped first, so that a list of next
	// steps is kept if possible.
	while (room() < SAID_ROOM && artifacts.length > 3) artifacts.pop();
	if (next.length > 2) {
		spare(["asked"], SAID_ROOM / 2);
		while (room() < SAID_ROOM / 2 && artifacts.length > 1) artifacts.pop();
	}
	while (room() < SAID_ROOM / 2 && next.length > 1) next.pop();
	spare(["lastStep"], SAID_ROOM / 2);
	spare(["asked", "larger"], SAID_ROOM / 2);
	while (room() < 0 && artifacts.length > 1) artifacts.pop();
	spare(["did", "error"], 0);
	bullets = [...bullets, ...replyBullets(timeline, { others: bullets.length, room: room(), words })];
	// The reply was fitted by columns, but `room` counts characters, and text with combining marks has more characters than columns.
	while (room() < 0 && bullets.length > 0) bullets.pop();
	return { recap: recapOf(bullets), slots: bullets.map(({ slot }) => slot) };
}

interface Bullet {
	slot: Slot;
	text: string;
}

function fixedBullets(
	timeline: Timeline,
	{ headline, from, words }: { headline: string; from: number; words: Words },
): Bullet[] {
	const { turns, name, endReason, outcome } = timeline;
	const final = lastTurn(turns);
	const isCut = CUT.has(outcome);
	// A single word counts as a request if work was done for it, if it was interrupted, or if the agent asks what it means.
	const isHandled = (turn: Turn): boolean =>
		actedIn(turn) || (turn === final && (outcome === "waiting" || isCut));
	const last = turns.findLast(
		(turn) => isRequest(turn.request ?? "") || (turn.request !== undefined && isHandled(turn)),
	);
	const current = turns[from];
	/** Whether the interrupted request is already shown as an open item. */
	const isInterrupted = isCut && last === final && isRequest(last?.request ?? "");
	const before = turns.slice(0, from);
	// The end of a request often says what is wanted, so a headline that is cut off is not enough on its own.
	const rest =
		current &&
		(headline.endsWith("…")
			? continuation(headline, requestLine(current, HEADLINE_COLUMNS + ASKED_COLUMNS, before)) ||
				requestLine(current, ASKED_COLUMNS, before)
			: restOfRequest(current, before, headline, ASKED_COLUMNS));
	const requestText =
		last && (last !== current || name !== undefined)
			? requestInContext(last, turns, ASKED_COLUMNS, words)
			: rest;
	const larger = largerLine(timeline, headline);
	const earlier = larger === undefined ? workBefore(timeline) : undefined;
	const isNew = !isInterrupted && requestText !== headline;
	const slots: { slot: Exclude<Slot, "said">; text: string | undefined }[] = [
		{ slot: "larger", text: larger },
		{ slot: "asked", text: (isNew && requestText) || (earlier && requestLine(earlier, ASKED_COLUMNS)) },
		{ slot: "error", text: endReason && cutAtClause(plainLine(endReason), 150) },
		{ slot: "did", text: didLine(timeline, from, words.recap) },
		{ slot: "lastStep", text: isCut ? lastStep(final) : undefined },
	];
	return slots.flatMap(({ slot, text }) => (text ? [{ slot, text: words.recap[slot] + text }] : []));
}

/** Returns the part of the request that follows a truncated headline; empty if the request does not contain the headline. */
function continuation(headline: string, request: string): string {
	const quoted = headline.slice(0, -1).trimEnd();
	const at = request.toLowerCase().indexOf(quoted.toLowerCase());
	return at < 0 ? "" : `…${request.slice(at + quoted.length).replace(/^[,;:]/, "")}`;
}

/** Returns bullets that quote the agent: its last reply about the work or, if the work was interrupted, its messages during the work. */
function replyBullets(
	timeline: Timeline,
	{ others, room, words }: { others: number; room: number; words: Words },
): Bullet[] {
	const report = reportOf(timeline);
	if (report === undefined || others >= MAX_BULLETS) return [];
	const changed = timeline.files.slice(-12).map(({ path }) => path);
	const label = words.recap[report.isOlder ? "saidEarlier" : "said"];
	const columns = room - label.length - 2;
	const isAlone = others === 0;
	const lines = replyLines(report.text, { ...report, changed, columns, isAlone });
	// If there are more lines than bullets, several lines share one bullet.
	const each = Math.ceil(lines.length / (MAX_BULLETS - others));
	const starts = lines.flatMap((_, index) => (index % each === 0 ? [index] : []));
	return starts.map((start) => ({
		slot: "said",
		text: (start === 0 ? label : "") + lines.slice(start, start + each).join(" · "),
	}));
}

/** Generates the offline recap: quotations and evidence in fixed slots, never paraphrased. Empty slots are left out. */

import { countWords } from "../text/count.ts";
import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { actedIn, lastTurn, remarksOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import type { CardWords } from "../words/card-words.ts";
import { ENGLISH } from "../words/card-words.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { checksOf } from "./last-run.ts";
import { openActions } from "./open.ts";
import type { SessionRecord } from "./record.ts";
import { replyLines } from "./reply-lines.ts";
import { CUT, type QuotedRequests, quoteRequests } from "./requests.ts";
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
const MAX_BULLETS = 5;
/** Number of characters that are reserved for the reply. */
const SAID_ROOM = 140;
/** Maximum number of bullets that quote the agent. A card has few lines, and a long bullet fills them better than short ones. */
const SAID_BULLETS = 2;

/** The content of a bullet. */
export type Slot = "larger" | "first" | "asked" | "error" | "did" | "lastStep" | "said";

/** A record, with the kind of each of its bullets. */
export interface OfflineRecap {
	recap: SessionRecord;
	slots: Slot[];
}

export function heuristicRecap(
	timeline: Timeline,
	stamp: RecapStamp,
	words: CardWords = ENGLISH,
): SessionRecord {
	return offlineRecap(timeline, stamp, words).recap;
}

export function offlineRecap(
	timeline: Timeline,
	stamp: RecapStamp,
	words: CardWords = ENGLISH,
): OfflineRecap {
	const requests = quoteRequests(timeline);
	const { headline, from } = requests;
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
	let bullets = fixedBullets(timeline, requests, words);
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
	spare(["asked", "larger", "first"], SAID_ROOM / 2);
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
	{ larger, first, asked, from }: QuotedRequests,
	words: CardWords,
): Bullet[] {
	const { turns, endReason, outcome } = timeline;
	const slots: { slot: Exclude<Slot, "said">; text: string | undefined }[] = [
		{ slot: "larger", text: larger },
		{ slot: "first", text: first },
		{ slot: "asked", text: asked },
		{ slot: "error", text: endReason && cutAtClause(plainLine(endReason), 150) },
		{ slot: "did", text: didLine(timeline, from, words.recap) },
		{ slot: "lastStep", text: CUT.has(outcome) ? lastStep(lastTurn(turns)) : undefined },
	];
	return slots.flatMap(({ slot, text }) => (text ? [{ slot, text: words.recap[slot] + text }] : []));
}

/**
 * Returns bullets that quote the agent: its last reply or, if its work was interrupted, what it wrote during the work. If the last turn did
 * no work, the reply to the work before it follows if there is room.
 */
function replyBullets(
	timeline: Timeline,
	{ others, room, words }: { others: number; room: number; words: CardWords },
): Bullet[] {
	const bullets: Bullet[] = [];
	let left = room;
	for (const { text, isEarlier } of saidIn(timeline)) {
		const places = Math.min(MAX_BULLETS - others - bullets.length, isEarlier ? 1 : SAID_BULLETS);
		if (places <= 0 || (isEarlier && left < LEAST_EARLIER)) break;
		const label = words.recap[isEarlier ? "saidEarlier" : "said"];
		const lines = replyLines(text, left - label.length - 2);
		// If there are more lines than bullets, several lines share one bullet.
		const each = Math.ceil(lines.length / places);
		const starts = lines.flatMap((_, index) => (index % each === 0 ? [index] : []));
		const added = starts.map(
			(start) => (start === 0 ? label : "") + lines.slice(start, start + each).join(" · "),
		);
		bullets.push(...added.map((bullet): Bullet => ({ slot: "said", text: bullet })));
		left -= added.join("\n- ").length + 3;
	}
	return bullets;
}

/** What the agent said in a turn. `isEarlier`: the user made another request afterwards. */
interface Said {
	text: string;
	isEarlier: boolean;
}

/** Minimum number of characters that must be left for an earlier reply. */
const LEAST_EARLIER = 120;
/** Maximum number of messages of an interrupted run that are quoted, the newest ones. */
const REMARKS = 3;
/** A reply with fewer words only closes the report that was written before the last calls. */
const REPORT_WORDS = 40;
/** Matches the end of a sentence, but not a period inside a name or a number. */
const SENTENCE_END = /[.!?…]["'”’)\]*`]*(?=\s|$)|[。！？]|\n/gu;

function saidIn({ turns }: Timeline): Said[] {
	const last = lastTurn(turns);
	if (!last) return [];
	const text = saidDuring(last);
	const worked = turns
		.slice(0, turns.indexOf(last))
		.findLast((turn) => turn.reply !== undefined && actedIn(turn));
	const isBrief = !actedIn(last) && countWords(text) < REPORT_WORDS;
	const earlier = worked && isBrief ? [{ text: saidDuring(worked), isEarlier: true }] : [];
	return [...(text === "" ? [] : [{ text, isEarlier: false }]), ...earlier];
}

/** Returns the reply of a turn, preceded by the report that it only closes. Without a reply, returns the newest remarks. */
function saidDuring(turn: Turn): string {
	const reply = completed(turn);
	const remarks = remarksOf(turn);
	if (reply === "") {
		const findings = remarks.map(withoutAnnouncement).filter((remark) => remark !== "");
		const kept = (findings.length > 0 ? findings : remarks).slice(-REMARKS);
		return kept.map((remark) => remark.trimEnd().replace(/[:：]$/, ".")).join("\n\n");
	}
	const report = remarks.at(-1) ?? "";
	const isReport = /\n\s*\n/.test(report.trim()) && countWords(report) > countWords(reply);
	return countWords(reply) < REPORT_WORDS && isReport ? `${report}\n\n${reply}` : reply;
}

/** Returns a remark without its last paragraph if that only introduces a call, so that it ends with a colon. */
function withoutAnnouncement(remark: string): string {
	const paragraphs = remark.trim().split(/\n\s*\n/);
	return (/[:：]$/.test(paragraphs.at(-1) ?? "") ? paragraphs.slice(0, -1) : paragraphs).join("\n\n");
}

/** Returns a reply without the incomplete sentence at its end, if the reply was interrupted. */
function completed({ reply = "", end }: Turn): string {
	const stop = end === "stop" ? undefined : [...reply.matchAll(SENTENCE_END)].at(-1);
	return end === "stop" ? reply : reply.slice(0, stop ? stop.index + stop[0].length : 0);
}

/** Generates the offline recap: quotations and evidence in fixed slots, never paraphrased. Empty slots are left out. */

import { countWords } from "../text/count.ts";
import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { actedIn, lastTurn, remarksOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import type { CardWords } from "../words/card-words.ts";
import { ENGLISH } from "../words/card-words.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { openActions } from "./open.ts";
import type { SessionRecord } from "./record.ts";
import { replyLines } from "./reply-lines.ts";
import { CUT, type QuotedRequests, quoteRequests } from "./requests.ts";
import { nextOf, recapText } from "./text.ts";
import { checksOf, didLine, lastStep } from "./work-done.ts";

/** Maximum length of the whole text in characters. A text of this length fits on a card of ten lines. */
const TEXT_BOUND = 700;
const MAX_BULLETS = 5;
/** Number of characters that are reserved for the reply. */
const SAID_ROOM = 140;
/** Maximum number of bullets that quote the agent. A card has few lines, and a long bullet fills them better than short ones. */
const SAID_BULLETS = 2;

/** The content of a bullet. */
type Slot = "larger" | "first" | "asked" | "error" | "did" | "lastStep" | "said";

const REQUESTS: readonly Slot[] = ["larger", "first", "asked"];

/** A record, and those of its bullets that do not quote the user: the error, what was done, and what the agent said. */
export interface OfflineRecap {
	recap: SessionRecord;
	work: string[];
}

/** Returns the recap of a timeline. What the timeline does not contain, such as an id, is left empty. */
export function offlineRecap(timeline: Timeline, words: CardWords = ENGLISH): OfflineRecap {
	const requests = quoteRequests(timeline);
	const { headline, from } = requests;
	const next = openActions(timeline);
	const artifacts = chooseArtifacts(timeline, from);
	const checks = checksOf(timeline);
	const recapOf = (bullets: readonly Bullet[]): SessionRecord => ({
		id: "",
		kind: "session",
		subject_id: "",
		generator: { type: "heuristic" },
		headline,
		bullets: bullets.map(({ text }) => text),
		...nextOf(next),
		artifacts,
		outcome: timeline.outcome,
		...checks,
		...(next[0] ? { resume_hint: { seed_instruction: next[0].text } } : {}),
		last_message_id: timeline.stamp ?? "",
		created_at: 0,
	});
	let bullets = fixedBullets(timeline, requests, words);
	const room = (): number => TEXT_BOUND - recapText(recapOf(bullets), words).length;
	// Makes room for the reply. The artifacts and the bullets with requests are dropped first, so that a list of next steps is kept.
	while (room() < SAID_ROOM && artifacts.length > 3) artifacts.pop();
	for (const slot of ["lastStep", ...REQUESTS])
		if (room() < SAID_ROOM / 2) bullets = bullets.filter((bullet) => bullet.slot !== slot);
	while (room() < SAID_ROOM / 2 && artifacts.length > 1) artifacts.pop();
	while (room() < SAID_ROOM / 2 && next.length > 1) next.pop();
	for (const { text, slot, most } of saidIn(timeline)) {
		const places = Math.min(MAX_BULLETS - bullets.length, most);
		if (places > 0 && (slot === "said" || room() >= LEAST_EARLIER))
			bullets = [...bullets, ...replyBullets(text, words.recap[slot], { places, room: room() })];
	}
	// The reply was fitted by columns, but `room` counts characters, and text with combining marks has more characters than columns.
	while (room() < 0 && bullets.length > 0) bullets.pop();
	const work = bullets.filter(({ slot }) => !REQUESTS.includes(slot)).map(({ text }) => text);
	return { recap: recapOf(bullets), work };
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

/** Returns bullets that quote the agent. If there are more lines than places, several lines share one bullet. */
function replyBullets(
	text: string,
	label: string,
	{ places, room }: { places: number; room: number },
): Bullet[] {
	const lines = replyLines(text, room - label.length - 2);
	const each = Math.ceil(lines.length / places);
	const starts = lines.flatMap((_, index) => (index % each === 0 ? [index] : []));
	return starts.map((start) => {
		const quoted = lines.slice(start, start + each).join(" · ");
		return { slot: "said", text: start === 0 ? label + quoted : quoted };
	});
}

/** What the agent said in a turn, and the number of bullets that may quote it. A reply to an earlier request is marked as such. */
interface Said {
	text: string;
	slot: "said" | "saidEarlier";
	most: number;
}

/** Minimum number of characters that must be left for an earlier reply. */
const LEAST_EARLIER = 120;
/** Maximum number of messages of an interrupted run that are quoted, the newest ones. */
const REMARKS = 3;
/** Number of its newest messages among which they are found. Older ones are outdated. */
const RECENT_REMARKS = 6;
/** Number of requests after which the reply to an earlier request has nothing to do with the last one. */
const EARLIER_TURNS = 3;
/** A reply with fewer words only closes the report that was written before the last calls. */
const REPORT_WORDS = 40;
/** Matches the end of a sentence, but not a period inside a name or a number. */
const SENTENCE_END = /[.!?…]["'”’)\]*`]*(?=\s|$)|[。！？]|\n/gu;

function saidIn({ turns }: Timeline): Said[] {
	const last = lastTurn(turns);
	if (!last) return [];
	const text = saidDuring(last);
	const worked = turns
		.slice(Math.max(0, turns.indexOf(last) - EARLIER_TURNS), turns.indexOf(last))
		.findLast((turn) => turn.reply !== undefined && actedIn(turn));
	const isBrief = !actedIn(last) && countWords(text) < REPORT_WORDS;
	return [
		...(text === "" ? [] : [{ text, slot: "said", most: SAID_BULLETS } as const]),
		...(worked && isBrief ? [{ text: saidDuring(worked), slot: "saidEarlier", most: 1 } as const] : []),
	];
}

/** Returns the reply of a turn, preceded by the report that it only closes. Without a reply, returns the newest remarks. */
function saidDuring(turn: Turn): string {
	const reply = completed(turn);
	const remarks = remarksOf(turn);
	if (reply === "") {
		const findings = remarks
			.slice(-RECENT_REMARKS)
			.map(withoutAnnouncement)
			.filter((remark) => remark !== "");
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

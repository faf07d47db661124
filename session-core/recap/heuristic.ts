/** Generates the offline recap: quotations and evidence in fixed slots, never paraphrased. Empty slots are left out. */

import { displayWidth } from "../text/clip.ts";
import { countWords } from "../text/count.ts";
import { cutAtClause, plainLine } from "../text/fit-line.ts";
import { lastTurn, remarksOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import type { CardWords } from "../words/card-words.ts";
import { ENGLISH } from "../words/card-words.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { openActions } from "./open.ts";
import type { SessionRecord } from "./record.ts";
import { replyLines } from "./reply-lines.ts";
import { CUT, type QuotedRequests, quoteRequests } from "./requests.ts";
import { nextOf, openPoints } from "./text.ts";
import { checksOf, didLine, lastStep } from "./work-done.ts";

/** Number of rows of a card for the headline, the bullets and the open items, and the width for which they are chosen. */
const ROWS = 8;
const ROW_COLUMNS = 105;
/** Maximum number of rows in which a card shows an open item. */
const NEXT_ROWS = 2;
const MAX_BULLETS = 5;
/** Maximum number of bullets that quote the agent. */
const SAID_BULLETS = 2;

/** The content of a bullet. */
type Slot = "larger" | "earlier" | "asked" | "error" | "did" | "lastStep" | "said";

const REQUESTS: readonly Slot[] = ["larger", "earlier", "asked"];
/** The slots that are dropped if the reply has no bullet or fewer than this number of rows, the first one first. */
const DROPPED: readonly [Slot, number][] = [
	["lastStep", 3],
	["earlier", 2],
	["asked", 2],
	["larger", 2],
];

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
	// An interrupted request is an open item.
	const asked = next[0]?.kind === "cut_short" ? "" : requests.asked;
	let bullets = fixedBullets(timeline, { ...requests, asked }, words);
	const freeRows = (): number => {
		// The card cuts a request to one row before it cuts anything else.
		const whole = bullets.filter(({ slot }) => !REQUESTS.includes(slot)).map(({ text }) => text);
		const rowsOf = (line: string) => Math.ceil(displayWidth(line) / ROW_COLUMNS);
		const open = openPoints({ headline, ...nextOf(next) }).map(({ text }) =>
			Math.min(NEXT_ROWS, rowsOf(text)),
		);
		const rows = [...[headline, ...whole].map(rowsOf), ...open];
		return ROWS - (bullets.length - whole.length) - rows.reduce((sum, one) => sum + one, 0);
	};
	// Makes room for the reply. The bullets with requests are dropped first, so that a list of next steps is kept.
	for (const [slot, least] of DROPPED)
		if (freeRows() < least || bullets.length === MAX_BULLETS)
			bullets = bullets.filter((bullet) => bullet.slot !== slot);
	while (freeRows() < 2 && next.length > 1) next.pop();
	for (const { text, slot, most } of saidIn(timeline)) {
		// Each bullet begins a row, so two of them in little room would waste a part of it.
		const places = Math.min(MAX_BULLETS - bullets.length, most, Math.ceil(freeRows() / 2));
		const room = freeRows() * ROW_COLUMNS;
		if (places > 0 && room > 0)
			bullets = [
				...bullets,
				...replyBullets(text, words.recap[slot], {
					places,
					room,
					isOpen: slot === "said",
				}),
			];
	}
	const work = bullets.filter(({ slot }) => !REQUESTS.includes(slot)).map(({ text }) => text);
	return { recap: recapOf(bullets), work };
}

interface Bullet {
	slot: Slot;
	text: string;
}

function fixedBullets(
	timeline: Timeline,
	{ larger, earlier, asked, from }: QuotedRequests,
	words: CardWords,
): Bullet[] {
	const { turns, endReason, outcome } = timeline;
	const did = didLine(timeline, from, words.recap);
	const step = CUT.has(outcome) ? lastStep(lastTurn(turns), words) : undefined;
	const slots: { slot: Exclude<Slot, "said">; text: string | undefined }[] = [
		{ slot: "larger", text: larger },
		{ slot: "earlier", text: earlier },
		{ slot: "asked", text: asked },
		{ slot: "error", text: endReason && cutAtClause(plainLine(endReason), 150) },
		{ slot: "did", text: did },
		{ slot: "lastStep", text: step },
	];
	return slots.flatMap(({ slot, text }) => (text ? [{ slot, text: words.recap[slot] + text }] : []));
}

/** Returns one or two bullets that quote the agent. Two of them are about equally long. */
function replyBullets(
	text: string,
	label: string,
	{ places, room, isOpen }: { places: number; room: number; isOpen: boolean },
): Bullet[] {
	const lines = replyLines(text, room - label.length - 2, isOpen);
	const quoted = (some: readonly string[]): Bullet[] =>
		some.length === 0 ? [] : [{ slot: "said", text: some.join(" · ") }];
	const labelled = lines.map((line, index) => (index === 0 ? label + line : line));
	if (places === 1) return quoted(labelled);
	const widthBefore = (end: number): number => displayWidth(labelled.slice(0, end).join(" · "));
	const half = widthBefore(lines.length) / 2;
	const distances = lines.map((_, index) => Math.abs(widthBefore(index + 1) - half));
	const middle = distances.indexOf(Math.min(...distances)) + 1;
	return [...quoted(labelled.slice(0, middle)), ...quoted(labelled.slice(middle))];
}

/** What the agent said in a turn, and the number of bullets that may quote it. A reply to an earlier request is marked as such. */
interface Said {
	text: string;
	slot: "said" | "saidEarlier";
	most: number;
}

/** Maximum number of messages of an interrupted run that are quoted, the newest ones. */
const REMARKS = 3;
/** Number of requests after which the reply to an earlier request has nothing to do with the last one. */
const EARLIER_TURNS = 3;
/** A reply with fewer words only closes the report that was written before the last calls. */
const REPORT_WORDS = 25;
/** Minimum number of words in the reply to an earlier request that is quoted. Anything shorter is "Done." */
const ANSWER_WORDS = 5;
/** Matches the end of a sentence, but not a period inside a name or a number. */
const SENTENCE_END = /[.!?…]["'”’)\]*`]*(?=\s|$)|[。！？]|\n/gu;

function saidIn({ turns }: Timeline): Said[] {
	const last = lastTurn(turns);
	if (!last) return [];
	const text = saidDuring(last);
	const isBrief = countWords(text) < REPORT_WORDS;
	const before = turns.slice(0, turns.indexOf(last)).slice(-EARLIER_TURNS);
	const report = isBrief && before.map(saidDuring).findLast((one) => countWords(one) >= ANSWER_WORDS);
	return [
		...(text === "" ? [] : [{ text, slot: "said", most: SAID_BULLETS } as const]),
		...(report ? [{ text: report, slot: "saidEarlier", most: 1 } as const] : []),
	];
}

/** Returns the reply of a turn, preceded by the report that it only closes. Without a reply, returns the newest remarks. */
function saidDuring(turn: Turn): string {
	const reply = completed(turn);
	const remarks = remarksOf(turn);
	if (reply === "") return remarks.slice(-REMARKS).join("\n\n");
	const report = remarks.at(-1) ?? "";
	const isReport = /\n\s*\n/.test(report.trim()) && countWords(report) > countWords(reply);
	return countWords(reply) < REPORT_WORDS && isReport ? `${report}\n\n${reply}` : reply;
}

/** Returns a reply without the incomplete sentence at its end, if the reply was interrupted. */
function completed({ reply = "", end }: Turn): string {
	const stop = end === "stop" ? undefined : [...reply.matchAll(SENTENCE_END)].at(-1);
	return end === "stop" ? reply : reply.slice(0, stop ? stop.index + stop[0].length : 0);
}

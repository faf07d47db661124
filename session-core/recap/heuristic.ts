/** The offline recap: quotation and evidence in fixed slots, nothing put in other words. A slot with nothing true in it is absent. */

import { isRequest } from "../session/own-words.ts";
import { openDecisions } from "../text/reply.ts";
import { clause, plain } from "../text/statement.ts";
import { substance } from "../text/substance.ts";
import { currentRequest } from "../timeline/larger.ts";
import { actedIn, lastTurn, remarksOf, stepsOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import { ENGLISH } from "../words/en.ts";
import type { Words } from "../words/words.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { didLine } from "./did.ts";
import { checksOf } from "./evidence.ts";
import { chooseHeadline, largerLine, requestLine, restOfRequest } from "./headline.ts";
import { type OpenPoint, openActions } from "./open.ts";
import type { Recap } from "./record.ts";
import { saidLines } from "./said.ts";
import { nextOf, recapText } from "./text.ts";

/** What the record needs besides the timeline. */
export interface RecapStamp {
	id: string;
	subjectId: string;
	/** Unix seconds. */
	createdAt: number;
	/** Default "session". */
	kind?: Recap["kind"];
	/** The session's model, to be restored at a resume. */
	model?: { provider: string; model: string };
	cwd?: string;
}

/** Characters of the whole text: what fits on a card of ten lines. */
const TEXT_BOUND = 700;
const ASKED_COLUMNS = 120;
const MAX_BULLETS = 5;

/** What a bullet tells. */
export type Slot = "larger" | "asked" | "error" | "did" | "said";

/** A record, and of each of its bullets what it tells. */
export interface OfflineRecap {
	recap: Recap;
	slots: Slot[];
}

export function heuristicRecap(timeline: Timeline, stamp: RecapStamp, words: Words = ENGLISH): Recap {
	return offlineRecap(timeline, stamp, words).recap;
}

export function offlineRecap(timeline: Timeline, stamp: RecapStamp, words: Words = ENGLISH): OfflineRecap {
	const headline = chooseHeadline(timeline, words);
	const current = currentRequest(timeline);
	const from = current ? timeline.turns.indexOf(current) : 0;
	const next = openActions(timeline);
	const [first] = next;
	const recap: Recap = {
		id: stamp.id,
		kind: stamp.kind ?? "session",
		subject_id: stamp.subjectId,
		generator: { type: "heuristic" },
		headline,
		bullets: [],
		...nextOf(next),
		artifacts: chooseArtifacts(timeline, from),
		outcome: timeline.outcome,
		...checksOf(timeline),
		...(first ? { resume_hint: { seed_instruction: first.text, ...stamp.model } } : {}),
		...(stamp.cwd ? { workspace: { cwd: stamp.cwd } } : {}),
		last_message_id: timeline.stamp ?? "",
		created_at: stamp.createdAt,
	};
	const fixed = fixedBullets(timeline, { headline, from, words });
	const said = (room: number): string[] => saidBullets(timeline, { others: fixed.length, room, words });
	return fitted({ recap, fixed, next, words }, said);
}

/** A request that was cut short stands among what is open. */
const CUT: ReadonlySet<string> = new Set(["aborted", "error", "running"]);

interface Bullet {
	slot: Slot;
	text: string;
}

/** Of the fixed slots, those that stay longest first. */
const KEPT: readonly Slot[] = ["error", "did", "larger", "asked"];

interface Told {
	headline: string;
	/** Index of the turn with the current request. */
	from: number;
	words: Words;
}

function fixedBullets(timeline: Timeline, { headline, from, words }: Told): Bullet[] {
	const { turns, name, endReason, outcome } = timeline;
	const final = lastTurn(turns);
	// A word alone is a request where the agent asks what it means.
	const isAsked = (turn: Turn): boolean =>
		isRequest(turn.request ?? "") || (turn === final && turn.request !== undefined && outcome === "waiting");
	const last = turns.findLast(isAsked);
	const current = turns[from];
	const isCut = CUT.has(outcome) && last === final;
	const askedOf = (): string => {
		if (isCut) return "";
		if (last && (last !== current || name !== undefined)) return requestLine(last, ASKED_COLUMNS);
		return current ? restOfRequest(current, headline, ASKED_COLUMNS) : "";
	};
	const asked = askedOf();
	const slots: { slot: Exclude<Slot, "said">; text: string | undefined }[] = [
		{ slot: "larger", text: largerLine(timeline, headline) },
		{ slot: "asked", text: asked === "" || asked === headline ? undefined : asked },
		{ slot: "error", text: endReason && clause(plain(endReason), 150) },
		{ slot: "did", text: didLine(timeline, from, words.recap) },
	];
	return slots.flatMap(({ slot, text }) =>
		text === undefined ? [] : [{ slot, text: words.recap[slot] + text }],
	);
}

/** What the agent said: in its last reply that is about the work, or while it worked where it was cut short. */
function saidBullets(
	timeline: Timeline,
	{ others, room, words }: { others: number; room: number; words: Words },
): string[] {
	const count = MAX_BULLETS - others;
	const report = reportOf(timeline);
	if (report === undefined || count <= 0) return [];
	const changed = timeline.files.slice(-12).map(({ path }) => path);
	const label = words.recap[report.isOlder ? "saidBefore" : "said"];
	const columns = room - label.length - 2;
	return labelled(label, saidLines(report.text, { changed, request: report.request, columns }), count);
}

/** Words from which a reply says more than "ok". */
const ENOUGH = 4;
const REMARKS = 4;
/** Words from which a reply that asks says what it asks about. */
const ASKING_BACK = 12;

/** What tells of the newest work, and whether another request stands between. */
function reportOf({ turns }: Timeline): { text: string; request: string; isOlder: boolean } | undefined {
	const last = lastTurn(turns);
	const remarks = last?.reply === undefined && last ? remarksOf(last) : [];
	if (last && remarks.length > 0)
		return { text: remarks.slice(-REMARKS).join("\n\n"), request: last.request ?? "", isOlder: false };
	const spoken = turns.filter(({ reply }) => reply !== undefined);
	const told = spoken.findLast((turn) => !isAside(turn)) ?? spoken.at(-1);
	if (!last || told?.reply === undefined) return undefined;
	// Where work was cut short, only what it was begun on tells of it.
	const isOther = stepsOf(told).length === 0 || told !== turns[turns.indexOf(last) - 1];
	if (last.reply === undefined && stepsOf(last).length > 0 && isOther) return undefined;
	// Small talk behind it is not shown, so that nothing stands between.
	const isOlder = told !== last && isRequest(last.request ?? "");
	return { text: told.reply, request: told.request ?? "", isOlder };
}

/** A word or two that nothing was done for and nothing asked back ("ls", "ok"), or an answer of no more than that. */
function isAside(turn: Turn): boolean {
	const words = substance(turn.reply ?? "");
	if (actedIn(turn) || (words >= ASKING_BACK && openDecisions(turn.reply ?? "").asks)) return false;
	return !isRequest(turn.request ?? "") || words < ENOUGH;
}

/** At most `count` bullets: lines that are too many share one. */
function labelled(label: string, lines: readonly string[], count: number): string[] {
	const perBullet = Math.ceil(lines.length / count);
	const bullets: string[] = [];
	for (let index = 0; index < lines.length; index += perBullet)
		bullets.push((index === 0 ? label : "") + lines.slice(index, index + perBullet).join(" · "));
	return bullets;
}

/** Characters that what was said should have. */
const SAID_ROOM = 120;

interface Parts {
	recap: Recap;
	fixed: readonly Bullet[];
	next: readonly OpenPoint[];
	words: Words;
}

/** The record within its bound: open points and artifacts beyond the first give way to what was said, and that to the rest. */
function fitted({ recap, fixed, next, words }: Parts, said: (room: number) => string[]): OfflineRecap {
	const kept = [...fixed];
	const points = [...next];
	const { artifacts } = recap;
	const withBullets = (bullets: readonly Bullet[]): Recap => {
		const { next_kinds: _, ...rest } = recap;
		return { ...rest, ...nextOf(points), bullets: bullets.map(({ text }) => text) };
	};
	const room = (bullets: readonly Bullet[] = kept): number =>
		TEXT_BOUND - recapText(withBullets(bullets), words).length;
	while (room() < SAID_ROOM && points.length > 1) points.pop();
	while (room() < SAID_ROOM && artifacts.length > 3) artifacts.pop();
	while (room() < 0 && artifacts.length > 1) artifacts.pop();
	while (room() < 0 && kept.length > 0) {
		const least = KEPT.findLast((slot) => kept.some((bullet) => bullet.slot === slot));
		kept.splice(
			kept.findIndex(({ slot }) => slot === least),
			1,
		);
	}
	const bullets: Bullet[] = [...kept, ...said(room()).map((text) => ({ slot: "said" as const, text }))];
	// Columns are fewer than characters where marks combine.
	while (room(bullets) < 0 && bullets.length > 0) bullets.pop();
	return { recap: withBullets(bullets), slots: bullets.map(({ slot }) => slot) };
}

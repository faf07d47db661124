/** The offline recap: quotation and evidence in fixed slots, nothing put in other words. A slot with nothing true in it is absent. */

import { isRequest } from "../session/own-words.ts";
import { clause, plain } from "../text/statement.ts";
import { substance } from "../text/substance.ts";
import { currentRequest } from "../timeline/larger.ts";
import { actedIn, lastTurn, remarksOf } from "../timeline/turn.ts";
import type { Timeline, Turn } from "../timeline/types.ts";
import { chooseArtifacts } from "./artifacts.ts";
import { didLine } from "./did.ts";
import { checksOf } from "./evidence.ts";
import { chooseHeadline, largerLine, requestLine, restOfRequest } from "./headline.ts";
import { LABELS } from "./labels.ts";
import { openActions } from "./open.ts";
import type { Recap } from "./record.ts";
import { saidLines } from "./said.ts";
import { recapText, seedOf } from "./text.ts";

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

export function heuristicRecap(timeline: Timeline, stamp: RecapStamp): Recap {
	const headline = chooseHeadline(timeline);
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
		next_actions: next,
		artifacts: chooseArtifacts(timeline, from),
		outcome: timeline.outcome,
		...checksOf(timeline),
		...(first ? { resume_hint: { seed_instruction: seedOf(first), ...stamp.model } } : {}),
		...(stamp.cwd ? { workspace: { cwd: stamp.cwd } } : {}),
		last_message_id: timeline.stamp ?? "",
		created_at: stamp.createdAt,
	};
	const fixed = fixedBullets(timeline, headline, from);
	return fitted(recap, fixed, (room) => saidBullets(timeline, fixed.length, room));
}

/** A request that was cut short stands among what is open. */
const CUT: ReadonlySet<string> = new Set(["aborted", "error", "running"]);

interface Bullet {
	text: string;
	/** Lower stays longer. */
	rank: number;
}

function fixedBullets(timeline: Timeline, headline: string, from: number): Bullet[] {
	const { turns, name, endReason, outcome } = timeline;
	const last = turns.findLast((turn) => isRequest(turn.request ?? ""));
	const current = turns[from];
	const isCut = CUT.has(outcome) && last === lastTurn(turns);
	const askedOf = (): string => {
		if (isCut) return "";
		if (last && (last !== current || name !== undefined)) return requestLine(last, ASKED_COLUMNS);
		return current ? restOfRequest(current, headline, ASKED_COLUMNS) : "";
	};
	const asked = askedOf();
	const slots = [
		{ rank: 2, label: LABELS.larger, text: largerLine(timeline, headline) },
		{ rank: 3, label: LABELS.asked, text: asked === "" || asked === headline ? undefined : asked },
		{ rank: 0, label: LABELS.error, text: endReason && clause(plain(endReason), 150) },
		{ rank: 1, label: LABELS.did, text: didLine(timeline, from) },
	];
	return slots.flatMap(({ rank, label, text }) => (text === undefined ? [] : [{ rank, text: label + text }]));
}

/** What the agent said: in its last reply that is about the work, or while it worked where it was cut short. */
function saidBullets(timeline: Timeline, others: number, room: number): string[] {
	const count = MAX_BULLETS - others;
	const report = reportOf(timeline);
	if (report === undefined || count <= 0) return [];
	const changed = timeline.files.slice(-12).map(({ path }) => path);
	const columns = room - LABELS.said.length - 2;
	return labelled(LABELS.said, saidLines(report.text, { changed, request: report.request, columns }), count);
}

/** Words from which a reply says more than "ok". */
const ENOUGH = 4;
const REMARKS = 4;

/** What tells of the newest work, and what it answers. */
function reportOf({ turns }: Timeline): { text: string; request: string } | undefined {
	const last = lastTurn(turns);
	const remarks = last?.reply === undefined && last ? remarksOf(last) : [];
	if (last && remarks.length > 0)
		return { text: remarks.slice(-REMARKS).join("\n\n"), request: last.request ?? "" };
	const spoken = turns.filter(({ reply }) => reply !== undefined);
	const told = spoken.findLast((turn) => !isAside(turn)) ?? spoken.at(-1);
	return told?.reply === undefined ? undefined : { text: told.reply, request: told.request ?? "" };
}

/** A word or two that nothing was done for ("ls", "ok"), or an answer of no more than that. */
function isAside(turn: Turn): boolean {
	return !actedIn(turn) && (!isRequest(turn.request ?? "") || substance(turn.reply ?? "") < ENOUGH);
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

/** The record within its bound: open points and artifacts beyond the first give way to what was said, and that to the rest. */
function fitted(recap: Recap, fixed: readonly Bullet[], said: (room: number) => string[]): Recap {
	const kept = [...fixed];
	const { next_actions, artifacts } = recap;
	const room = (bullets = kept.map(({ text }) => text)): number =>
		TEXT_BOUND - recapText({ ...recap, bullets }).length;
	while (room() < SAID_ROOM && next_actions.length > 1) next_actions.pop();
	while (room() < SAID_ROOM && artifacts.length > 3) artifacts.pop();
	while (room() < 0 && artifacts.length > 1) artifacts.pop();
	while (room() < 0 && kept.length > 0) {
		const least = Math.max(...kept.map(({ rank }) => rank));
		kept.splice(
			kept.findIndex(({ rank }) => rank === least),
			1,
		);
	}
	const bullets = [...kept.map(({ text }) => text), ...said(room())];
	// Columns are fewer than characters where marks combine.
	while (room(bullets) < 0 && bullets.length > 0) bullets.pop();
	return { ...recap, bullets };
}

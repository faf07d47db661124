import { listSessions, type Place } from "../../session-core/catalog/find-sessions.ts";
import { titleOf } from "../../session-core/catalog/match.ts";
import { type Offer, Offers, TITLE_COLUMNS } from "../../session-core/catalog/offers.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { type Completion, completeOptions } from "../../session-core/command/options.ts";
import type { SessionSource } from "../../session-core/session-file/entry.ts";
import { type Point, promptsOn } from "../../session-core/session-file/prompts.ts";
import { readWholeSession } from "../../session-core/session-file/session-file.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { longAge } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { CommandName } from "../context.ts";
import { CARD_OPTIONS, FROM_OPTIONS, HERE_OPTIONS } from "./arguments.ts";

export interface Completing extends Place {
	/** The session that is open. */
	open: { id: string; source: SessionSource };
	now(): number;
	words(): Words;
}

/** Completions of a command's arguments; null: none fits. */
export type Complete = (name: CommandName, prefix: string) => Promise<Completion[] | null>;

/** Rows of the list under the editor. */
const OFFERED = 20;

/** Completion in one session. Listed and read data are cached, so that a keystroke costs nothing. */
export function createCompletion(completing: Completing): Complete {
	const { agentDir, folder, open, now, words } = completing;
	const offersNow = rememberedOffers(async () => {
		const rows = await listSessions({ agentDir, folders: [folder] });
		return rows.filter(({ id, kind }) => id !== open.id && kind !== "child" && kind !== "headless");
	}, now);
	const pointsOf = rememberedPoints();

	/** The user's prompts, as points to return to. */
	async function completePoint(wanted: string, typed: string): Promise<Completion[] | null> {
		const all = wanted === "" ? promptsOn(open.source) : await pointsIn(wanted);
		const points = all.filter(({ id }) => id.startsWith(typed.toLowerCase()));
		if (points.length === 0 || points.some(({ id }) => id === typed)) return null;
		return points.slice(0, OFFERED).map(({ id, text }) => ({
			value: [wanted, "--at", id].filter(Boolean).join(" "),
			label: id,
			description: text,
		}));
	}

	async function pointsIn(wanted: string): Promise<Point[]> {
		const [only, ...rest] = (await offersNow()).matching(wanted);
		return only && rest.length === 0 ? pointsOf(only) : [];
	}

	async function completeSession(typed: string): Promise<Completion[] | null> {
		const offers = await offersNow();
		const fitting = offers.matching(typed);
		if (fitting.length === 0 || offers.isComplete(typed)) return null;
		return fitting.slice(0, OFFERED).map((offer) => ({
			value: offers.valueOf(offer),
			label: clipColumns(titleOf(offer.row), TITLE_COLUMNS) || offer.row.id,
			description: `${longAge(offer.row.modified, now(), words().age)} · ${offers.shortId(offer.row.id)}`,
		}));
	}

	return async (name, prefix) => {
		if (name === "recap-card") return completeOptions(CARD_OPTIONS, prefix);
		if (name === "resume-here") return completeOptions(HERE_OPTIONS, prefix);
		const typed = prefix.trimStart();
		const point = /^(.*?)\s*--at\s+([0-9a-f]*)$/i.exec(typed);
		if (point) return completePoint(point[1] ?? "", point[2] ?? "");
		if (typed.startsWith("-")) return completeOptions(FROM_OPTIONS, typed);
		return completeSession(typed);
	};
}

/** Caches the points of the last session until its file changes. */
function rememberedPoints(): (offer: Offer) => Promise<Point[]> {
	let last: { key: string; points: Point[] } | undefined;
	return async ({ row: { path, size, changed } }) => {
		const key = `${path}\n${size}\n${changed}`;
		if (last?.key === key) return last.points;
		const opened = await readWholeSession(path);
		last = { key, points: opened.ok ? promptsOn(opened.session) : [] };
		return last.points;
	};
}

/** Time in ms for which a list of sessions is reused. */
const FRESH_MS = 15_000;

/** The sessions that completion offers, listed once and then kept in memory while the user types. */
export function rememberedOffers(
	list: () => Promise<SessionSummary[]>,
	now: () => number,
): () => Promise<Offers> {
	let last: { offers: Promise<Offers>; at: number } | undefined;
	return () => {
		const age = last ? now() - last.at : Number.POSITIVE_INFINITY;
		if (!last || age < 0 || age > FRESH_MS) {
			const listing = { offers: list().then((rows) => new Offers(rows)), at: now() };
			last = listing;
			// After a failure, the next keystroke tries again.
			listing.offers.catch(() => {
				if (last === listing) last = undefined;
			});
		}
		return last.offers;
	};
}

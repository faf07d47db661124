import { type Completion, completeOptions } from "../../session-core/command/options.ts";
import { type Point, promptsOn } from "../../session-core/find/entries.ts";
import { listSessions, type Place } from "../../session-core/find/list-sessions.ts";
import { titleOf } from "../../session-core/find/match.ts";
import { type Offer, TITLE_COLUMNS } from "../../session-core/find/offers.ts";
import type { SessionSource } from "../../session-core/session/entry.ts";
import { readWholeSession } from "../../session-core/store/session-file.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { longAge } from "../../session-core/words/age.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { CommandName } from "../extension.ts";
import { KnownSessions } from "../resume-from/known-sessions.ts";
import { CARD_OPTIONS } from "./card-parse.ts";
import { FROM_OPTIONS } from "./from-parse.ts";
import { HERE_OPTIONS } from "./here-parse.ts";

export interface Completing extends Place {
	/** The session that is open. */
	open: { id: string; source: SessionSource };
	now(): number;
	words(): Words;
}

/** Completions for what stands behind one of the commands; null: none fits. */
export type Complete = (name: CommandName, prefix: string) => Promise<Completion[] | null>;

/** Rows that a list under the editor is good for. */
const OFFERED = 20;

/** Completion in one session. It remembers what it has listed and read: a keystroke must not list or read it again. */
export function createCompletion(completing: Completing): Complete {
	const { agentDir, folder, open, now, words } = completing;
	const known = new KnownSessions({
		now,
		list: async () => {
			const rows = await listSessions({ agentDir, folders: [folder] });
			return rows.filter(({ id, kind }) => id !== open.id && kind !== "child" && kind !== "headless");
		},
	});
	const pointsOf = rememberedPoints();

	/** The user's prompts, as points to go back to. */
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
		const [only, ...rest] = (await known.offers()).matching(wanted);
		return only && rest.length === 0 ? pointsOf(only) : [];
	}

	async function completeSession(typed: string): Promise<Completion[] | null> {
		const offers = await known.offers();
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

/** The points of the session that was asked about last, read anew when its file has changed. */
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

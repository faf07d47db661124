import { type Point, promptsOn, readWholeSession, type SessionSource } from "../../session-core/log/index.ts";
import { type Completion, completeOptions } from "../../session-core/pi/index.ts";
import { longAge } from "../../session-core/recap/index.ts";
import {
	isBackground,
	listSessions,
	Offers,
	type SessionPlace,
	TITLE_COLUMNS,
	titleOf,
} from "../../session-core/sessions/index.ts";
import { clipColumns } from "../../session-core/text/index.ts";
import { RESUME_FROM } from "./resume-from.ts";

export type Complete = (prefix: string) => Promise<Completion[] | null>;

const OFFERED = 20;
const FRESH_MS = 15_000;

export function createCompletion(
	{ agentDir, folder }: SessionPlace,
	open: { id: string; source: SessionSource },
): Complete {
	let listed: { offers: Promise<Offers>; at: number } | undefined;
	let read: { key: string; points: Point[] } | undefined;

	const listOffers = async () => {
		const rows = await listSessions({ agentDir, folders: [folder] });
		return new Offers(rows.filter((row) => row.id !== open.id && !isBackground(row)));
	};
	const offersNow = () => {
		const now = Date.now();
		if (!listed || now - listed.at > FRESH_MS) listed = { offers: listOffers(), at: now };
		return listed.offers;
	};

	async function pointsIn(wanted: string): Promise<Point[]> {
		const [only, ...rest] = (await offersNow()).matching(wanted);
		if (!only || rest.length > 0) return [];
		const { path, size, changed } = only.row;
		const key = `${path}\n${size}\n${changed}`;
		if (read?.key !== key) {
			const opened = await readWholeSession(path);
			read = { key, points: opened.ok ? promptsOn(opened.session) : [] };
		}
		return read.points;
	}

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

	async function completeSession(typed: string): Promise<Completion[] | null> {
		const offers = await offersNow();
		const fitting = offers.matching(typed);
		if (fitting.length === 0 || offers.isComplete(typed)) return null;
		return fitting.slice(0, OFFERED).map((offer) => ({
			value: offers.valueOf(offer),
			label: clipColumns(titleOf(offer.row), TITLE_COLUMNS) || offer.row.id,
			description: `${longAge(offer.row.modified, Date.now())} · ${offers.shortId(offer.row.id)}`,
		}));
	}

	return async (prefix) => {
		const typed = prefix.trimStart();
		// Typing a space updates an open list of completions but does not open one, so prompts are offered before the space.
		const point = /^(.*?)\s*--at(?:\s+([0-9a-f]*))?$/i.exec(typed);
		if (point) return completePoint(point[1] ?? "", point[2] ?? "");
		return typed.startsWith("-") ? completeOptions(RESUME_FROM, typed) : completeSession(typed);
	};
}

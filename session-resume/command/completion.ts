import { type Point, promptsOn, readWholeSession, type SessionSource } from "../../session-core/log/index.ts";
import type { Completion } from "../../session-core/pi/index.ts";
import { longAge } from "../../session-core/recap/index.ts";
import {
	isBackground,
	listSessions,
	Offers,
	TITLE_COLUMNS,
	titleOf,
} from "../../session-core/sessions/index.ts";
import { clipColumns } from "../../session-core/text/index.ts";

const OFFERED = 20;
const FRESH_MS = 15_000;

interface OpenSession {
	id: string;
	folder: string;
	cwd: string;
	source: SessionSource;
}

/**
 * Completes the argument of `/resume-from`: another session of the project, or a prompt after `--at`.
 */
export class SessionCompletion {
	readonly #agentDir: string;
	readonly #open: OpenSession;
	#listed: { offers: Promise<Offers>; at: number } | undefined;
	#read: { key: string; points: Point[] } | undefined;

	constructor(agentDir: string, open: OpenSession) {
		this.#agentDir = agentDir;
		this.#open = open;
	}

	/** Returns undefined if the prefix is another option. */
	async complete(prefix: string): Promise<Completion[] | null | undefined> {
		const typed = prefix.trimStart();
		// Typing a space updates an open list of completions but does not open one, so prompts are offered
		// before the space.
		const point = /^(.*?)\s*--at(?:\s+([0-9a-f]*))?$/i.exec(typed);
		if (point) return this.#completePoint(point[1] ?? "", point[2] ?? "");
		return typed.startsWith("-") ? undefined : this.#completeSession(typed);
	}

	async #completePoint(wanted: string, typed: string): Promise<Completion[] | null> {
		const all = wanted === "" ? promptsOn(this.#open.source) : await this.#pointsIn(wanted);
		const points = all.filter(({ id }) => id.startsWith(typed.toLowerCase()));
		if (points.length === 0 || points.some(({ id }) => id === typed)) return null;
		return points.slice(0, OFFERED).map(({ id, text }) => ({
			value: [wanted, "--at", id].filter(Boolean).join(" "),
			label: id,
			description: text,
		}));
	}

	async #completeSession(typed: string): Promise<Completion[] | null> {
		const offers = await this.#offers();
		const fitting = offers.matching(typed);
		if (fitting.length === 0 || offers.isComplete(typed)) return null;
		return fitting.slice(0, OFFERED).map((offer) => ({
			value: offers.valueOf(offer),
			label: clipColumns(titleOf(offer.row), TITLE_COLUMNS) || offer.row.id,
			description: `${longAge(offer.row.modified, Date.now())} · ${offers.shortId(offer.row.id)}`,
		}));
	}

	async #pointsIn(wanted: string): Promise<Point[]> {
		const [only, ...rest] = (await this.#offers()).matching(wanted);
		if (!only || rest.length > 0) return [];
		const { path, size, changed } = only.row;
		const key = `${path}\n${size}\n${changed}`;
		if (this.#read?.key !== key) {
			const opened = await readWholeSession(path);
			this.#read = { key, points: opened.ok ? promptsOn(opened.session) : [] };
		}
		return this.#read.points;
	}

	#offers(): Promise<Offers> {
		const now = Date.now();
		if (!this.#listed || now - this.#listed.at > FRESH_MS) this.#listed = { offers: this.#list(), at: now };
		return this.#listed.offers;
	}

	async #list(): Promise<Offers> {
		const { id, folder, cwd } = this.#open;
		const rows = await listSessions({ agentDir: this.#agentDir, folders: [folder], project: cwd });
		return new Offers(rows.filter((row) => row.id !== id && !isBackground(row)));
	}
}

import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import type { Words } from "../../session-core/words/words.ts";
import { type Board, openBoard, withHits, withList, withRows } from "./board.ts";
import type { Facts } from "./facts.ts";
import type { Hit } from "./list.ts";
import type { LiveState } from "./live-states.ts";
import type { Marks } from "./marks.ts";
import { type BoardKey, type Effect, press, typed } from "./press.ts";
import { type Row, rowOf } from "./row.ts";

/** 2026-03-12, 14:00 UTC. */
export const NOW = Date.UTC(2026, 2, 12, 14);
export const MINUTE = 60_000;

/** A summary as the store gives it; `id` also names its file. */
export function summary(id: string, fields: Partial<SessionSummary> = {}): SessionSummary {
	return {
		path: `/sessions/app/${id}.jsonl`,
		id,
		cwd: "/code/app",
		created: NOW - 60 * MINUTE,
		modified: NOW - 5 * MINUTE,
		changed: NOW,
		size: 1_000,
		name: undefined,
		nameSource: undefined,
		nameSettled: true,
		firstPrompt: `Task of ${id}`,
		messageCount: 4,
		parentSession: undefined,
		kind: "session",
		last: { id: "m9", role: "assistant", stopReason: "stop", errorMessage: undefined, at: NOW },
		model: { provider: "acme", id: "m-1" },
		recap: undefined,
		hostReads: true,
		work: undefined,
		...fields,
	};
}

export function aRow(id: string, fields: Partial<SessionSummary> & { here?: boolean } = {}): Row {
	const { here = true, ...rest } = fields;
	return rowOf(summary(id, rest), here, ENGLISH);
}

/** Rows named r0, r1, …, each a minute older than the one before. */
export function someRows(count: number): Row[] {
	return Array.from({ length: count }, (_, index) =>
		aRow(`r${index}`, { name: `Session ${index}`, nameSource: "manual", modified: NOW - index * MINUTE }),
	);
}

export function liveState(id: string, fields: Partial<LiveState> = {}): LiveState {
	const sessionFile = `/sessions/app/${id}.jsonl`;
	return {
		pid: 4242,
		state: "working",
		since: NOW - MINUTE,
		sessionId: id,
		sessionFile,
		own: false,
		canGo: false,
		...fields,
	};
}

export function aHit(row: Row, excerpt = "what was said"): Hit {
	const place = { path: row.path, entryId: "e1", offset: 0, at: undefined };
	return { type: "hit", hit: { ...place, by: "assistant", excerpt }, row };
}

export const NO_MARKS: Marks = { pinned: new Set(), archived: new Set() };

/** The keys as they are by default. */
export const KEYS: Readonly<Record<BoardKey, string>> = {
	up: "up",
	down: "down",
	page_up: "pageUp",
	page_down: "pageDown",
	home: "ctrl+home",
	end: "ctrl+end",
	confirm: "enter",
	cancel: "esc",
	scope: "tab",
	fork: "ctrl+o",
	rename: "ctrl+r",
	transcript: "ctrl+t",
	delete: "ctrl+d",
	archive: "ctrl+x",
	pin: "ctrl+l",
	sort: "ctrl+s",
	named: "ctrl+n",
	path: "ctrl+p",
	search: "ctrl+g",
	help: "f1",
};

/** A board with keys pressed and rows added; what keys ask for is collected. */
export class TestBoard {
	board: Board;
	effects: Effect[] = [];

	constructor(start: { rows?: Row[]; page?: number; current?: string; query?: string; words?: Words } = {}) {
		const { rows = [], page = 10, current, query = "", words = ENGLISH } = start;
		const board = openBoard({ scope: "project", query, openPath: current, page, marks: NO_MARKS, words });
		this.board = withRows(board, rows);
	}

	do(change: (board: Board) => Board): this {
		this.board = change(this.board);
		return this;
	}

	rows(...rows: Row[]): this {
		return this.do((board) => withRows(board, rows));
	}

	live(...live: LiveState[]): this {
		return this.do((board) => withList(board, { live }));
	}

	marks(marks: Marks): this {
		return this.do((board) => withList(board, { marks }));
	}

	/** Hits of the search that is running. */
	hits(hits: readonly Hit[], { searched = 1, done = true } = {}): this {
		return this.do((board) => withHits(board, { query: board.search?.query ?? "", hits, searched, done }));
	}

	press(...keys: BoardKey[]): this {
		for (const key of keys) {
			const { board, effect } = press(this.board, key);
			this.board = board;
			if (effect) this.effects.push(effect);
		}
		return this;
	}

	type(text: string): this {
		return this.do((board) => typed(board, text));
	}

	/** The list in words: titles, and the types of other items. */
	get list(): string[] {
		return this.board.list.items.map((item) => ("row" in item ? item.row.title : item.type));
	}

	/** The item under the cursor, in the same words. */
	get at(): string | undefined {
		return this.list[this.board.list.cursor];
	}

	/** The effects since the last call. */
	taken(): Effect[] {
		const taken = this.effects;
		this.effects = [];
		return taken;
	}
}

/** Facts that nothing speaks against. */
export function factsAbout(row: Row, fields: Partial<Facts> = {}): Facts {
	return {
		row,
		blocked: undefined,
		damaged: false,
		cwdExists: true,
		writer: undefined,
		canGo: false,
		busy: false,
		trash: true,
		hostAsksForCwd: true,
		...fields,
	};
}

import type { SearchHit } from "../../session-core/store/search.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { ENGLISH } from "../../session-core/words/en.ts";
import type { Words } from "../../session-core/words/words.ts";
import { rowOf } from "./row.ts";
import { openBoard, step } from "./step.ts";
import type { Board, BoardEffect, BoardEvent, BoardKey, LiveState, Marks, Row } from "./types.ts";

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
	return rowOf(summary(id, rest), here);
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

export function aHit(row: Row, excerpt = "what was said"): { type: "hit"; hit: SearchHit; row: Row } {
	return { type: "hit", hit: { path: row.path, entryId: "e1", by: "assistant", excerpt }, row };
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
	keys: "f1",
};

/** A board as it runs: effects are collected, and what was begun in slices goes on by itself. */
export class TestBoard {
	board: Board;
	effects: BoardEffect[];

	constructor(start: { rows?: Row[]; page?: number; current?: string; query?: string; words?: Words } = {}) {
		const { rows = [], page = 10, current, query = "", words = ENGLISH } = start;
		const opened = openBoard({
			scope: "project",
			query,
			current: { path: current, cwd: "/code/app" },
			page,
			marks: NO_MARKS,
			words,
		});
		this.board = opened.state;
		this.effects = opened.effects;
		if (rows.length > 0) this.do({ type: "rows", rows });
	}

	do(...events: BoardEvent[]): this {
		for (const event of events) {
			const { state, effects } = step(this.board, event);
			this.board = state;
			this.effects.push(...effects.filter(({ type }) => type !== "more"));
			if (effects.some(({ type }) => type === "more")) this.do({ type: "more" });
		}
		return this;
	}

	press(...keys: Extract<BoardEvent, { type: "key" }>["key"][]): this {
		return this.do(...keys.map((key) => ({ type: "key" as const, key })));
	}

	type(text: string): this {
		return this.do({ type: "typed", text });
	}

	/** The list in words: titles, and what else stands in it. */
	get list(): string[] {
		return this.board.items.map((item) => ("row" in item ? item.row.title : item.type));
	}

	/** The item under the cursor, in the same words. */
	get at(): string | undefined {
		return this.list[this.board.cursor];
	}

	/** The effects since they were last asked for. */
	taken(): BoardEffect[] {
		const taken = this.effects;
		this.effects = [];
		return taken;
	}
}

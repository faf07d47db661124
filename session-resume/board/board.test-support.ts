import { type KeybindingsConfig, KeybindingsManager, TUI_KEYBINDINGS } from "@mariozechner/pi-tui";
import { PI } from "../../session-core/log/format.ts";
import type { Lease } from "../../session-core/sessions/live/index.ts";
import type { Marks } from "../../session-core/sessions/marks.ts";
import type { SearchHit } from "../../session-core/sessions/search/search.ts";
import type { SessionSummary } from "../../session-core/sessions/summary.ts";
import { decide } from "../leaving/ask.ts";
import type { Facts } from "../leaving/decision.ts";
import { press } from "./actions.ts";
import { Board, type BoardPorts } from "./board.ts";
import type { FeedPorts, SearchPorts } from "./feed.ts";
import { type Bindings, type BoardKey, keyNames } from "./keys.ts";
import { type Row, rowOf, type Scope } from "./list.ts";

export const NOW = Date.UTC(2026, 2, 12, 14);
export const MINUTE = 60_000;

/** A summary as the listing returns it. `id` is also the name of the file. */
export function summary(id: string, fields: Partial<SessionSummary> = {}): SessionSummary {
	return {
		path: `/sessions/app/${id}.jsonl`,
		id,
		format: PI,
		cwd: "/code/app",
		created: NOW - 60 * MINUTE,
		modified: NOW - 5 * MINUTE,
		changed: NOW,
		size: 1_000,
		name: undefined,
		nameSource: undefined,
		nameSettled: true,
		firstPrompt: `Task of ${id}`,
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

/** Creates rows named r0, r1, …, each one a minute older than the previous one. */
export function someRows(count: number): Row[] {
	return Array.from({ length: count }, (_, index) =>
		aRow(`r${index}`, { name: `Session ${index}`, nameSource: "manual", modified: NOW - index * MINUTE }),
	);
}

export function liveState(id: string, fields: Partial<Lease> = {}): Lease {
	const sessionFile = `/sessions/app/${id}.jsonl`;
	return {
		instance: `lease of ${id}`,
		pid: 4242,
		host: "here",
		state: "working",
		since: NOW - MINUTE,
		sessionId: id,
		sessionFile,
		isInteractive: true,
		...fields,
	};
}

export function aHit({ path }: Row, excerpt = "an excerpt", by: SearchHit["by"] = "assistant"): SearchHit {
	const found = { entryId: "e1", offset: 0, at: undefined, count: 1, later: undefined, section: 1 };
	return { path, ...found, by, excerpt };
}

export const NO_MARKS: Marks = { pinned: new Set(), archived: new Set() };

export function bindings(user: KeybindingsConfig = {}): Bindings {
	const own = {
		"app.session.rename": { defaultKeys: "ctrl+r" as const },
		"app.session.fork": { defaultKeys: [] },
		"app.session.delete": { defaultKeys: "ctrl+d" as const },
		"app.session.deleteNoninvasive": { defaultKeys: "ctrl+backspace" as const },
		"app.session.toggleSort": { defaultKeys: "ctrl+s" as const },
	};
	// The host's own manager only adds further names and reads a file, neither of which the board needs.
	return new KeybindingsManager({ ...TUI_KEYBINDINGS, ...own }, user) as unknown as Bindings;
}

export const KEYS = keyNames(bindings());

export function factsAbout(row: Facts["row"], fields: Partial<Facts> = {}): Facts {
	const file = { blocked: undefined, damaged: false, cwdExists: true, hostAsksForCwd: true };
	return { row, ...file, writer: undefined, canGo: false, busy: false, ...fields };
}

/** A board with fake files, processes and host. */
export class TestBoard {
	readonly board: Board;
	/** The acts that the board requested, such as `rename r0 Better`. */
	readonly acts: string[] = [];
	/** Everything else that the board did, in order. */
	readonly log: string[] = [];
	readonly #sessions = new Map<string, Row>();
	failed: Parameters<BoardPorts["feed"]>[1] = () => undefined;
	#report: FeedPorts["found"] = () => undefined;
	#found: SearchPorts["found"] = () => undefined;
	#live: Lease[] = [];
	#marks: Marks = NO_MARKS;

	constructor(
		start: { rows?: Row[]; page?: number; current?: string; query?: string } = {},
		ports: Partial<BoardPorts> = {},
	) {
		const { rows = [], page = 10, current: openPath, query = "" } = start;
		this.board = new Board({ scope: "project", query, openPath, page }, { ...this.#ports(), ...ports });
		this.board.start();
		this.rows(...rows);
	}

	#ports(): BoardPorts {
		const { log } = this;
		const acted = (...words: unknown[]) => void this.acts.push(words.join(" "));
		return {
			offerRestore: () => undefined,
			whyKept: () => undefined,
			hasTrash: () => true,
			decide: async (act = "open", row, asking) => {
				acted(act, row.id);
				const go = async () => ({ ok: true as const, message: "Went there." });
				return decide(act, factsAbout(row), { here: "/code", go, isOneKey: true, ...asking });
			},
			rename: async (row, name) => acted("rename", row.id, name) ?? { ok: true, name },
			answer: async (row, stamp, text) => acted("answer", row.id, stamp, text) ?? { ok: true },
			note: async ({ id }) => ({ ok: false, detail: `${id} has none.` }),
			overlaps: async () => new Map(),
			remove: async (_row, how) => ({ ok: true, how }),
			marks: () => this.#marks,
			setMark: (row, mark, on) => acted(mark, row.id, on) ?? { ok: true },
			live: () => this.#live,
			preview: async function* ({ id }: { id: string }) {
				log.push(`card ${id}`);
				yield { described: undefined };
			},
			changed: () => undefined,
			close: (leaving) => {
				const how = leaving?.act === "hand_over" ? "hand over " : "";
				this.log.push(`close ${how}${leaving?.path}`);
			},
			feed: (report, failed) => {
				this.#report = report;
				this.failed = failed;
				return {
					put: (row) => void this.#sessions.set(row.path, row),
					drop: (path) => void this.#sessions.delete(path),
					scan: (scope) => void this.log.push(`scan ${scope}`),
					search: (query, { rows, found }) => {
						this.log.push(`search ${query} in ${rows().map(({ path }) => path)}`);
						this.#found = found;
						return () => undefined;
					},
					stop: () => void this.log.push("stop"),
				};
			},
		};
	}

	rows(...rows: Row[]): this {
		for (const row of rows) this.#sessions.set(row.path, row);
		this.#report([...this.#sessions.values()]);
		return this;
	}

	/** Reports the end of a scan that found only these sessions; by default, those that are known. */
	scanned(scope: Scope, ids?: string[]): this {
		for (const { id, path } of this.#sessions.values())
			if (ids?.includes(id) === false) this.#sessions.delete(path);
		this.#report([...this.#sessions.values()], scope);
		return this;
	}

	live(...live: Lease[]): this {
		this.#live = live;
		this.board.refresh();
		return this;
	}

	marks(marks: Partial<Marks>): this {
		this.#marks = { ...NO_MARKS, ...marks };
		this.board.refresh();
		return this;
	}

	hits(hits: readonly SearchHit[], { searched = 1, done = true } = {}): this {
		this.#found({ hits: [...hits], searched, done });
		return this;
	}

	press(...keys: BoardKey[]): this {
		for (const key of keys) press(this.board, key);
		return this;
	}

	resize(page: number): this {
		this.board.list.resize(page);
		return this;
	}

	type(text: string): this {
		this.board.type(text);
		return this;
	}

	/** The list as text: the titles of rows, and the types of other items. */
	get list(): string[] {
		return this.board.list.items.map((item) => ("row" in item ? item.row.title : item.type));
	}

	/** The item under the cursor, as in `list`. */
	get at(): string | undefined {
		return this.list[this.board.list.cursor];
	}

	get notice(): string {
		return this.board.notice?.text ?? "";
	}
}

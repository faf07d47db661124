import { scanSessions } from "../../session-core/catalog/listing.ts";
import type { SessionSummary } from "../../session-core/catalog/summary.ts";
import { watchSessions } from "../../session-core/catalog/watch.ts";
import type { Lease } from "../../session-core/live/lease-files.ts";
import { type SessionJson, sessionJson } from "../../session-core/session-view/json.ts";
import { type SessionView, stampOf, viewOf, withLease } from "../../session-core/session-view/view.ts";
import { readWork } from "../../session-core/session-view/work.ts";

/** A session of the board. */
export interface Item {
	id: string;
	summary: SessionSummary;
	/** The view of the session without its live state. */
	view: SessionView;
}

/** A session of the board. `failed`: whether its last run ended with an error, in an open or a closed session. */
export type BoardJson = SessionJson & { failed: boolean };

/** Returns the JSON that is sent to clients for a session, with the state from its lease. */
export function jsonOf({ view }: Item, lease: Lease | undefined): BoardJson {
	const shown = lease ? withLease(view, lease) : view;
	return { ...sessionJson(shown), failed: shown.state === "failed" || shown.ending?.outcome === "error" };
}

/** What changed between two scans of the folders. */
export interface BoardChange {
	changed: Item[];
	/** Ids of removed sessions. */
	removed: string[];
}

export interface BoardOptions {
	agentDir: string;
	/** The single folder that contains all sessions, or undefined if each project has its own folder. */
	sessionDir: string | undefined;
}

/** Maximum number of milliseconds that a response waits for a new scan if the list from an earlier scan is available. */
const PATIENCE_MS = 30;

/** Keeps all sessions in memory, with one watcher and one index for all clients. */
export class SessionBoard {
	readonly #folders: { agentDir: string; folders: string[] | undefined };
	readonly #unwatch: () => void;
	#onChange: ((change: BoardChange) => void) | undefined;
	#byPath = new Map<string, Item>();
	/** Sessions by id, newest first. An id can belong to several sessions, because copies of a session file share its id. */
	#byId = new Map<string, Item[]>();
	#newestFirst: Item[] = [];
	#scan: Promise<void> | undefined;
	#isDirty = true;
	#isClosed = false;
	/** A version number that increases with every change to the list. */
	revision = 0;
	/** Time of the last scan, in ms since the epoch. */
	asOf = 0;

	constructor({ agentDir, sessionDir }: BoardOptions) {
		this.#folders = { agentDir, folders: sessionDir === undefined ? undefined : [sessionDir] };
		this.#unwatch = watchSessions({ ...this.#folders, onChange: () => this.touch() });
	}

	/** Records that something changed. The folders are scanned now if there is a listener, otherwise at the next request. */
	touch(): void {
		this.#isDirty = true;
		if (this.#onChange) this.#refresh();
	}

	/**
	 * Waits until the first list is available. If the list from an earlier scan is available, waits at most {@link PATIENCE_MS}
	 * milliseconds for an up-to-date one.
	 */
	async ready(): Promise<void> {
		if (!this.#isDirty && !this.#scan) return;
		const scan = this.#refresh();
		if (this.revision === 0) return scan;
		await Promise.race([scan, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
	}

	/** Waits for an up-to-date list. */
	async settled(): Promise<void> {
		while ((this.#isDirty || this.#scan) && !this.#isClosed) await this.#refresh();
	}

	/** Newest first. */
	get items(): readonly Item[] {
		return this.#newestFirst;
	}

	/** Finds sessions only by their complete id, so that nothing that a client sends becomes part of a path. */
	named(id: string): readonly Item[] {
		return this.#byId.get(id) ?? [];
	}

	/** Sets the listener, or removes it if undefined is passed. There is at most one listener. */
	listen(onChange: ((change: BoardChange) => void) | undefined): void {
		this.#onChange = onChange;
	}

	close(): void {
		this.#isClosed = true;
		this.#onChange = undefined;
		this.#unwatch();
	}

	#refresh(): Promise<void> {
		this.#scan ??= this.#look().finally(() => {
			this.#scan = undefined;
			if (this.#isDirty && this.#onChange && !this.#isClosed) void this.#refresh();
		});
		return this.#scan;
	}

	async #look(): Promise<void> {
		this.#isDirty = false;
		const before = this.#byPath;
		const now = new Map<string, Item>();
		// The topics are determined as well, so that a session has the same title here as in all other lists.
		for await (const batch of scanSessions({ ...this.#folders, workReader: () => readWork })) {
			if (this.#isClosed) return;
			if (batch.stage === "done") continue;
			for (const summary of batch.rows) now.set(summary.path, known(before, summary) ?? itemOf(summary));
		}
		this.#take(now);
	}

	#take(now: Map<string, Item>): void {
		const before = this.#byPath;
		this.#byPath = now;
		this.asOf = Date.now();
		const changed = [...now].filter(([path, item]) => before.get(path) !== item).map(([, item]) => item);
		const gone = [...before].filter(([path]) => !now.has(path)).map(([, { id }]) => id);
		if (changed.length === 0 && gone.length === 0 && this.revision > 0) return;
		this.revision++;
		this.#newestFirst = [...now.values()].sort(byTime);
		this.#byId = new Map();
		for (const item of this.#newestFirst) {
			const same = this.#byId.get(item.id);
			if (same) same.push(item);
			else this.#byId.set(item.id, [item]);
		}
		const removed = gone.filter((id) => !this.#byId.has(id));
		if (changed.length + removed.length > 0) this.#onChange?.({ changed, removed });
	}
}

function itemOf(summary: SessionSummary): Item {
	return { id: summary.id, summary, view: viewOf(summary) };
}

/** Returns the existing item for a session file, or undefined if the file is new or has changed since the last scan. */
function known(items: ReadonlyMap<string, Item>, summary: SessionSummary): Item | undefined {
	const item = items.get(summary.path);
	return item?.view.stamp === stampOf(summary) ? item : undefined;
}

function byTime({ summary: one }: Item, { summary: other }: Item): number {
	return other.modified - one.modified || (one.path < other.path ? -1 : 1);
}

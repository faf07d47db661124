import { type ScanBatch, scanSessions } from "../../session-core/store/scan.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { watchSessions } from "../../session-core/store/watch.ts";
import type { Words } from "../../session-core/words/words.ts";
import { type Item, itemOf } from "./item.ts";

/** What changed between two looks at the folders. */
export interface BoardChange {
	changed: Item[];
	/** Ids of sessions that are gone. */
	removed: string[];
}

export interface BoardDeps {
	/** The sessions as they are, in batches. */
	scan(): AsyncIterable<ScanBatch>;
	/** Calls `onChange` when something in the folders changed; gives the end of it. */
	watch(onChange: () => void): () => void;
	words: Words;
}

/** How long an answer waits for what changed a moment ago, where there is an older list. In milliseconds. */
const PATIENCE_MS = 30;

/** All sessions, kept in memory: one watcher and one index, however many ask. */
export class SessionBoard {
	readonly #deps: BoardDeps;
	readonly #listeners = new Set<(change: BoardChange) => void>();
	readonly #unwatch: () => void;
	#byPath = new Map<string, Item>();
	/** Newest first: a copied file has its original's id. */
	#byId = new Map<string, Item[]>();
	#newestFirst: Item[] = [];
	#scan: Promise<void> | undefined;
	#isDirty = true;
	#isClosed = false;
	/** Counts the changes of the list. */
	revision = 0;
	/** When the list was last brought up to date, in milliseconds since the epoch. */
	asOf = 0;

	constructor(deps: BoardDeps) {
		this.#deps = deps;
		this.#unwatch = deps.watch(() => this.touch());
	}

	/** Something changed; it is looked at now if anybody listens, else when somebody asks. */
	touch(): void {
		this.#isDirty = true;
		if (this.#listeners.size > 0) this.#refresh();
	}

	/** Up to date; where there is a list already, only within reason. */
	async ready(): Promise<void> {
		if (!this.#isDirty && !this.#scan) return;
		const scan = this.#refresh();
		if (this.revision === 0) return scan;
		await Promise.race([scan, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
	}

	/** Up to date, however long it takes. */
	async settled(): Promise<void> {
		while ((this.#isDirty || this.#scan) && !this.#isClosed) await this.#refresh();
	}

	/** Newest first. */
	get items(): readonly Item[] {
		return this.#newestFirst;
	}

	/** Sessions are found by their whole id and in no other way: what is asked for never becomes a part of a path. */
	named(id: string): readonly Item[] {
		return this.#byId.get(id) ?? [];
	}

	onChange(listener: (change: BoardChange) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	close(): void {
		this.#isClosed = true;
		this.#listeners.clear();
		this.#unwatch();
	}

	#refresh(): Promise<void> {
		this.#scan ??= this.#look().finally(() => {
			this.#scan = undefined;
			if (this.#isDirty && this.#listeners.size > 0 && !this.#isClosed) void this.#refresh();
		});
		return this.#scan;
	}

	async #look(): Promise<void> {
		this.#isDirty = false;
		const before = this.#byPath;
		const now = new Map<string, Item>();
		for await (const batch of this.#deps.scan()) {
			if (this.#isClosed) return;
			if (batch.stage === "done") continue;
			for (const summary of batch.rows)
				now.set(summary.path, known(before, summary) ?? itemOf(summary, this.#deps.words));
		}
		this.#take(now);
	}

	#take(now: Map<string, Item>): void {
		const before = this.#byPath;
		this.#byPath = now;
		this.asOf = Date.now();
		const changed = [...now.values()].filter((item) => before.get(item.path) !== item);
		const gone = [...before.values()].filter(({ path }) => !now.has(path));
		if (changed.length === 0 && gone.length === 0 && this.revision > 0) return;
		this.revision++;
		this.#newestFirst = [...now.values()].sort(byTime);
		this.#byId = new Map();
		for (const item of this.#newestFirst) {
			const same = this.#byId.get(item.id);
			if (same) same.push(item);
			else this.#byId.set(item.id, [item]);
		}
		const removed = gone.map(({ id }) => id).filter((id) => !this.#byId.has(id));
		if (changed.length + removed.length === 0) return;
		for (const listener of this.#listeners) listener({ changed, removed });
	}
}

/** The item of a file that is as it was. */
function known(items: ReadonlyMap<string, Item>, summary: SessionSummary): Item | undefined {
	const item = items.get(summary.path);
	return item?.stamp === itemStamp(summary) ? item : undefined;
}

function itemStamp({ size, changed, name }: SessionSummary): string {
	return `${size}:${changed}:${name ?? ""}`;
}

function byTime(one: Item, other: Item): number {
	return other.modified - one.modified || (one.path < other.path ? -1 : 1);
}

/** The board of a real agent folder, or of the one folder that all sessions are kept in. */
export function openBoard(agentDir: string, words: Words, sessionDir?: string): SessionBoard {
	const folders = sessionDir === undefined ? undefined : [sessionDir];
	return new SessionBoard({
		words,
		scan: () => scanSessions({ agentDir, folders }),
		watch: (onChange) => watchSessions({ agentDir, folders, onChange }),
	});
}

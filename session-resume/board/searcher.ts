import { lazily } from "../../session-core/lazily.ts";
import type { BoardEvent, Hit, Row } from "./types.ts";

export interface SearcherDeps {
	/** Sessions in the order in which they are searched. */
	rows(): readonly Row[];
	/** Resolves when all sessions are known. */
	known(): Promise<void>;
	dispatch(event: BoardEvent): void;
}

/** Searches everything that was said; one search at a time. */
export interface Searcher {
	start(query: string): void;
	stop(): void;
}

export function createSearcher(deps: SearcherDeps): Searcher {
	let running: AbortController | undefined;
	const stop = () => {
		running?.abort();
		running = undefined;
	};
	return {
		stop,
		start(query) {
			stop();
			running = new AbortController();
			search(query, running.signal, deps).catch(() => {
				// Unreadable files are passed over where they are read; a bug here must not take the board down.
				deps.dispatch({ type: "hits", query, hits: [], searched: 0, done: true });
			});
		},
	};
}

/** Hits are handed over at once when they are the first, then in bunches: each time, the list is made anew. */
const FLUSH_MS = 40;

/** Searches what is known at once, then what became known meanwhile. */
async function search(query: string, signal: AbortSignal, deps: SearcherDeps): Promise<void> {
	const { searchSessions } = await lazily(() => import("../../session-core/store/search.ts"));
	const done = new Set<string>();
	let hits: Hit[] = [];
	let flushed = Number.NEGATIVE_INFINITY;
	const flush = (searched: number, isEnd: boolean) => {
		if (signal.aborted || (!isEnd && performance.now() - flushed < FLUSH_MS)) return;
		deps.dispatch({ type: "hits", query, hits, searched, done: isEnd });
		hits = [];
		flushed = performance.now();
	};
	for (const when of ["now", "when all are known"] as const) {
		if (when !== "now") await deps.known();
		const before = done.size;
		const rows = deps.rows().filter(({ path }) => !done.has(path));
		const byPath = new Map(rows.map((row) => [row.path, row]));
		let searched = before;
		for await (const batch of searchSessions({ query, rows, signal })) {
			const row = "hit" in batch ? byPath.get(batch.hit.path) : undefined;
			if ("hit" in batch && row) hits.push({ type: "hit", hit: batch.hit, row });
			if ("searched" in batch) searched = before + batch.searched;
			flush(searched, false);
		}
		for (const { path } of rows) done.add(path);
	}
	flush(done.size, true);
}

import { type SearchProgress, searchSessions } from "../../session-core/search/search.ts";
import type { Row } from "./row.ts";

export interface SearchPorts {
	rows(): readonly Row[];
	/** Called with the best hits so far, one per session, best first. */
	found(progress: Pick<SearchProgress, "hits" | "searched" | "done">): void;
}

const LIMIT = 200;

/** Searches all messages until the returned function is called. `known` resolves when all sessions are known. */
export function startSearch(query: string, known: () => Promise<void>, ports: SearchPorts): () => void {
	const over = new AbortController();
	search(query, known, over.signal, ports).catch(() => {
		// The reader skips unreadable files, so an error here is a bug. It must not crash the board.
		if (!over.signal.aborted) ports.found({ hits: [], searched: 0, done: true });
	});
	return () => over.abort();
}

/**
 * Immediately searches the sessions that are known so far. If more sessions turn up by the time all are known, searches all sessions again,
 * because the rank of each hit depends on all sessions.
 */
async function search(
	query: string,
	known: () => Promise<void>,
	signal: AbortSignal,
	ports: SearchPorts,
): Promise<void> {
	let last: Parameters<SearchPorts["found"]>[0] = { hits: [], searched: 0, done: false };
	for (const isAllKnown of [false, true]) {
		if (isAllKnown) await known();
		const rows = ports.rows();
		if (isAllKnown && rows.length === last.searched) break;
		const near = rows.map((row) => ({ path: row.path, near: row.here }));
		const options = { query, rows: near, limit: LIMIT, onePerSession: true, signal };
		for await (const { hits, searched, done } of searchSessions(options)) {
			// The hits of the first search remain on the screen until the second search is done.
			if (isAllKnown && !done) continue;
			last = { hits, searched, done: false };
			if (!signal.aborted) ports.found(last);
		}
	}
	if (!signal.aborted) ports.found({ ...last, done: true });
}

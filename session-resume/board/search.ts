import { type SearchProgress, searchSessions } from "../../session-core/sessions/search/index.ts";

export interface SearchPorts {
	rows(): readonly { path: string; here: boolean }[];
	found(progress: Pick<SearchProgress, "hits" | "searched" | "done">): void;
}

const LIMIT = 200;

/** Searches all messages until the returned function is called. `known` resolves when all sessions are known. */
export function startSearch(query: string, known: Promise<void>, { rows, found }: SearchPorts): () => void {
	const over = new AbortController();
	const { signal } = over;
	async function search(): Promise<void> {
		// A hit's rank depends on all sessions.
		await known;
		const near = rows().map((row) => ({ path: row.path, near: row.here }));
		const options = { query, rows: near, limit: LIMIT, onePerSession: true, signal };
		for await (const progress of searchSessions(options)) if (!signal.aborted) found(progress);
	}
	search().catch(() => {
		// The reader skips unreadable files, so an error here is a bug. It must not crash the board.
		if (!signal.aborted) found({ hits: [], searched: 0, done: true });
	});
	return () => over.abort();
}

import { leaseFinder } from "../../session-core/live/lease-files.ts";
import { type SearchHit, searchSessions } from "../../session-core/search/search.ts";
import { sinceTime } from "../../session-core/search/since.ts";
import { hitJson } from "../sessions/hit-json.ts";
import { type Answer, answered, refused } from "./answer.ts";
import { jsonOf } from "./board.ts";
import type { RoutesDeps } from "./find.ts";
import { isIn } from "./list.ts";
import type { SearchQuery } from "./requests.ts";

/**
 * Handles `GET /v1/search`. Returns the hits in the same format as `pi-sessions search --json`. The search runs in short chunks, and stops
 * when `signal` is aborted.
 */
export async function search(
	{ q: query, project, since: given, limit = 10 }: SearchQuery,
	{ board, live, log, now }: RoutesDeps,
	signal: AbortSignal,
): Promise<Answer> {
	const since = given === undefined ? undefined : sinceTime(given, now());
	if (given !== undefined && since === undefined) {
		const message = "since: expected a time such as 90m, 8h or 2d, or a past date such as 2026-01-31.";
		return refused(422, "invalid", message, "See docs/http.md for what is expected.");
	}
	await board.ready();
	const items = board.items.filter(
		({ summary }) => isIn(summary, project) && (since === undefined || summary.modified >= since),
	);
	const byPath = new Map(items.map((item) => [item.summary.path, item]));
	let hits: SearchHit[] = [];
	let total = 0;
	let isComplete = false;
	const rows = items.map(({ summary: { path } }) => ({ path }));
	for await (const progress of searchSessions({ query, rows, since, limit, signal }))
		({ hits, total, done: isComplete } = progress);
	log("search.done", { sessions: rows.length, hits: hits.length, total, complete: isComplete });
	const leaseOf = leaseFinder(live.recent());
	const found = hits.map((hit) => {
		const item = byPath.get(hit.path);
		if (!item) return undefined;
		// The shell's format, which does not have `failed`.
		const { failed: _, ...session } = jsonOf(item, leaseOf(item.summary));
		return hitJson(hit, session);
	});
	return answered({ hits: (await Promise.all(found)).filter(Boolean) });
}

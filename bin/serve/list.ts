import type { Lease } from "../../session-core/live/lease.ts";
import { seconds } from "../../session-core/session-view/json.ts";
import { folded, hasWord } from "../../session-core/session-view/view.ts";
import { cleanText } from "../../session-core/text/sanitize.ts";
import { type Item, jsonOf } from "../sessions/item.ts";
import { type LeaseOf, leaseFinder } from "../sessions/state.ts";
import type { SessionBoard } from "./board.ts";
import { ATTENTION } from "./live.ts";
import type { Counts, SessionsAnswer, SessionsQuery } from "./requests.ts";

/** How many sessions are in which state. */
export function countsOf(live: readonly Lease[]): Counts {
	const counts: Counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	for (const { state } of live) counts[state]++;
	return counts;
}

/** Lists that are kept for the next page, and for those who ask the same. */
const KEPT = 64;

/**
 * Gives the board in pages: live sessions by how much they need a look, then the others by their last message. `live` is a new
 * array whenever anything in it changes.
 */
export function pagesOf(
	board: Pick<SessionBoard, "items" | "asOf" | "revision">,
): (live: readonly Lease[], query: SessionsQuery) => SessionsAnswer {
	const kept = new Map<string, readonly Item[]>();
	let keptOf: { items: readonly Item[]; live: readonly Lease[] } | undefined;
	return (live, { limit = 100, offset = 0, ...filter }) => {
		const { items, asOf, revision } = board;
		if (keptOf?.items !== items || keptOf.live !== live || kept.size >= KEPT) kept.clear();
		keptOf = { items, live };
		const leaseOf = leaseFinder(live);
		const key = JSON.stringify(filter);
		const rows = kept.get(key) ?? ordered(items, leaseOf).filter(filterOf(filter, leaseOf));
		kept.set(key, rows);
		const end = offset + limit;
		return {
			total: rows.length,
			offset,
			next_offset: end < rows.length ? end : null,
			as_of: seconds(asOf),
			revision,
			counts: countsOf(live),
			sessions: rows.slice(offset, end).map((item) => jsonOf(item, leaseOf(item.summary))),
		};
	};
}

/** The items come newest first; few of them are live. */
function ordered(items: readonly Item[], leaseOf: LeaseOf): readonly Item[] {
	const open: { item: Item; rank: number }[] = [];
	const rest: Item[] = [];
	for (const item of items) {
		const live = leaseOf(item.summary);
		if (live) open.push({ item, rank: ATTENTION.indexOf(live.state) });
		else rest.push(item);
	}
	return [...open.sort((one, other) => one.rank - other.rank).map(({ item }) => item), ...rest];
}

/** Whether a session is of this folder. A client knows the folder in its sanitized form. */
export function isIn({ cwd }: Item["summary"], folder: string | undefined): boolean {
	return folder === undefined || cwd === folder || cleanText(cwd) === folder;
}

function filterOf(
	{ state, kind, cwd, q = "" }: Omit<SessionsQuery, "limit" | "offset">,
	leaseOf: LeaseOf,
): (item: Item) => boolean {
	const words = folded(q).split(/\s+/).filter(Boolean);
	const isState = (item: Item) => {
		const now = leaseOf(item.summary)?.state ?? "closed";
		return state === undefined || now === state || (state === "live" && now !== "closed");
	};
	return (item) =>
		(kind === undefined || item.summary.kind === kind) &&
		isIn(item.summary, cwd) &&
		words.every((word) => hasWord(item.view, word)) &&
		isState(item);
}

import type { Static } from "typebox";
import { folded } from "../../session-resume/board/row.ts";
import type { SessionBoard } from "./board.ts";
import { type Item, jsonOf, seconds } from "./item.ts";
import { ATTENTION, type LiveSession, liveFinder } from "./live.ts";
import type { CountsSchema, SessionsAnswer, SessionsQuery } from "./schemas.ts";

export type Counts = Static<typeof CountsSchema>;

/** How many sessions are in which state. */
export function countsOf(live: readonly LiveSession[]): Counts {
	const counts: Counts = { needs_you: 0, failed: 0, working: 0, idle: 0 };
	for (const { state } of live) counts[state]++;
	return counts;
}

/** Lists that are kept for those who ask for the next page, or ask again. */
const KEPT = 64;

/** The board in pages: live ones by how much they need a look, then by when something was last said. */
export class SessionPages {
	readonly #board: Pick<SessionBoard, "items" | "asOf" | "revision">;
	readonly #lists = new Map<string, readonly Item[]>();
	#revision = -1;
	#live: readonly LiveSession[] | undefined;

	constructor(board: Pick<SessionBoard, "items" | "asOf" | "revision">) {
		this.#board = board;
	}

	/** `live` is another array whenever anything in it is another. */
	page(live: readonly LiveSession[], query: SessionsQuery): Static<typeof SessionsAnswer> {
		const { limit = 100, offset = 0, ...filter } = query;
		const liveOf = liveFinder(live);
		const rows = this.#list(live, filter);
		const end = offset + limit;
		return {
			total: rows.length,
			offset,
			next_offset: end < rows.length ? end : null,
			as_of: seconds(this.#board.asOf),
			revision: this.#board.revision,
			counts: countsOf(live),
			sessions: rows.slice(offset, end).map((item) => jsonOf(item, liveOf(item))),
		};
	}

	#list(live: readonly LiveSession[], filter: Filter): readonly Item[] {
		if (this.#revision !== this.#board.revision || this.#live !== live) this.#lists.clear();
		this.#revision = this.#board.revision;
		this.#live = live;
		const { state, kind, cwd, q } = filter;
		const key = JSON.stringify([state, kind, cwd, q]);
		const kept = this.#lists.get(key);
		if (kept) return kept;
		const liveOf = liveFinder(live);
		const accepts = filterOf(filter, liveOf);
		const all = ordered(this.#board.items, liveOf);
		const list = accepts ? all.filter(accepts) : all;
		const [oldest] = this.#lists.size >= KEPT ? this.#lists.keys() : [];
		if (oldest !== undefined) this.#lists.delete(oldest);
		this.#lists.set(key, list);
		return list;
	}
}

type Filter = Omit<SessionsQuery, "limit" | "offset">;

/** The items come newest first; few of them are live. */
function ordered(items: readonly Item[], liveOf: (item: Item) => LiveSession | undefined): readonly Item[] {
	const open: { item: Item; rank: number }[] = [];
	const rest: Item[] = [];
	for (const item of items) {
		const live = liveOf(item);
		if (live) open.push({ item, rank: ATTENTION.indexOf(live.state) });
		else rest.push(item);
	}
	if (open.length === 0) return items;
	return [...open.sort((one, other) => one.rank - other.rank).map(({ item }) => item), ...rest];
}

function filterOf(
	{ state, kind, cwd, q }: Filter,
	liveOf: (item: Item) => LiveSession | undefined,
): ((item: Item) => boolean) | undefined {
	const words = folded(q ?? "")
		.split(/\s+/)
		.filter(Boolean);
	if (state === undefined && kind === undefined && cwd === undefined && words.length === 0) return undefined;
	const isState = (item: Item) => {
		const now = liveOf(item)?.state ?? "closed";
		return state === undefined || now === state || (state === "live" && now !== "closed");
	};
	return (item) =>
		(kind === undefined || item.summary.kind === kind) &&
		(cwd === undefined || item.summary.cwd === cwd) &&
		words.every((word) => item.text.includes(word)) &&
		isState(item);
}

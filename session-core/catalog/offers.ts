import { bestMatches, type Findable, findable, fold, titleOf } from "./match.ts";
import type { SessionSummary } from "./summary.ts";

/** A session that can be offered for completion. */
export interface Offer extends Findable {
	row: SessionSummary;
}

/** Columns of a title that is offered; a session with a longer one is offered by its id. */
export const TITLE_COLUMNS = 60;

/** Characters of an id to show at least; ids from the same minute begin alike. */
const SHORTEST_ID = 8;

/**
 * The sessions of one list, prepared for completion. Unique titles are determined in advance, so a
 * keystroke compares each of ten thousand sessions only once.
 */
export class Offers {
	readonly #offers: readonly Offer[];
	/** The session with each title; undefined if several have it. */
	readonly #byTitle = new Map<string, Offer | undefined>();
	readonly #byId = new Map<string, Offer>();
	/** Sorted, so that ids with the same beginning are adjacent. */
	readonly #ids: readonly string[];

	/** Rows in the order in which they are offered. */
	constructor(rows: readonly SessionSummary[]) {
		this.#offers = rows.map((row) => ({ ...findable(row), row }));
		for (const offer of this.#offers) {
			this.#byTitle.set(offer.title, this.#byTitle.has(offer.title) ? undefined : offer);
			this.#byId.set(offer.row.id, offer);
		}
		this.#ids = [...this.#byId.keys()].sort();
	}

	/** The sessions that match the typed text; all if it is empty. */
	matching(typed: string): readonly Offer[] {
		return fold(typed) === "" ? this.#offers : bestMatches(this.#offers, typed);
	}

	/** Whether the typed text is a complete value. */
	isComplete(typed: string): boolean {
		const named = this.#byTitle.get(fold(typed));
		// If several ids have this beginning, it is not a valid value.
		const begun = this.#byId.get(this.#ids[placeOf(this.#ids, typed)] ?? "");
		return [named, begun].some((offer) => offer !== undefined && this.valueOf(offer) === typed);
	}

	/** The title if it is unique, else the beginning of the id. */
	valueOf({ row, title: folded }: Offer): string {
		const title = titleOf(row);
		const isPlain = title !== "" && !title.startsWith("-") && !title.endsWith("…") && !/\s--/.test(title);
		const isUnique = isPlain && this.#byTitle.get(folded) !== undefined;
		return isUnique && title.length <= TITLE_COLUMNS ? title : this.shortId(row.id);
	}

	/** The shortest beginning of an id that is unique. */
	shortId(id: string): string {
		const at = placeOf(this.#ids, id);
		const beside = [this.#ids[at - 1], this.#ids[at], this.#ids[at + 1]];
		const others = beside.filter((other) => other !== undefined && other !== id);
		for (let length = SHORTEST_ID; length < id.length; length++) {
			const head = id.slice(0, length);
			if (!head.endsWith("-") && !others.some((other) => other?.startsWith(head))) return head;
		}
		return id;
	}
}

/** Index of a text in a sorted list, or the index at which it would be inserted. */
function placeOf(list: readonly string[], text: string): number {
	let from = 0;
	let to = list.length;
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((list[middle] ?? "") < text) from = middle + 1;
		else to = middle;
	}
	return from;
}

import type { SessionSummary } from "../store/summary.ts";
import { bestMatches, type Findable, findable, fold, titleOf } from "./match.ts";

/** A session that can be offered for completion. */
export interface Offer extends Findable {
	row: SessionSummary;
}

/** Columns of a title that is offered as such; a longer one is known by its id. */
export const TITLE_COLUMNS = 60;

/** Characters of an id that are shown at least; ids of one minute begin alike. */
const SHORTEST_ID = 8;

/**
 * The sessions of one list, prepared once, so that a keystroke among ten thousand costs one look at each: what is unique is
 * known beforehand.
 */
export class Offers {
	readonly #offers: readonly Offer[];
	/** The one of each title; undefined where several have it. */
	readonly #byTitle = new Map<string, Offer | undefined>();
	readonly #byId = new Map<string, Offer>();
	/** In order, so that those that begin alike stand beside each other. */
	readonly #ids: readonly string[];

	/** Rows as they are to be offered, first one first. */
	constructor(rows: readonly SessionSummary[]) {
		this.#offers = rows.map((row) => ({ ...findable(row), row }));
		for (const offer of this.#offers) {
			this.#byTitle.set(offer.title, this.#byTitle.has(offer.title) ? undefined : offer);
			this.#byId.set(offer.row.id, offer);
		}
		this.#ids = [...this.#byId.keys()].sort();
	}

	/** Those that are meant by what is typed; all of them if nothing is. */
	matching(typed: string): readonly Offer[] {
		return fold(typed) === "" ? this.#offers : bestMatches(this.#offers, typed);
	}

	/** Whether what is typed is one of the values to its end. */
	isComplete(typed: string): boolean {
		const named = this.#byTitle.get(fold(typed));
		// Of several ids that begin so, none is told from the others by that beginning.
		const begun = this.#byId.get(this.#ids[placeOf(this.#ids, typed)] ?? "");
		return [named, begun].some((offer) => offer !== undefined && this.valueOf(offer) === typed);
	}

	/** The title where it says which session is meant, else the beginning of the id. */
	valueOf({ row, title: folded }: Offer): string {
		const title = titleOf(row);
		const isPlain = title !== "" && !title.startsWith("-") && !title.endsWith("…") && !/\s--/.test(title);
		const isUnique = isPlain && this.#byTitle.get(folded) !== undefined;
		return isUnique && title.length <= TITLE_COLUMNS ? title : this.shortId(row.id);
	}

	/** The shortest beginning of an id that no other session's has. */
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

/** Where a text stands, or would, in a list in order. */
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

import { bestMatches, type Findable, findable, fold, titleOf } from "./match.ts";
import type { SessionSummary } from "./summary.ts";

/** A session that can be offered for completion. */
export interface Offer extends Findable {
	row: SessionSummary;
}

/** Maximum width of an offered title, in columns. A session with a longer title is offered by its id. */
export const TITLE_COLUMNS = 60;

/**
 * Possible lengths of a displayed id, in characters and in ascending order. The first 13 characters encode the creation time in
 * milliseconds.
 */
const ID_LENGTHS = [8, 13, Number.POSITIVE_INFINITY] as const;

/**
 * The sessions of one list, prepared for completion. Unique titles are determined in advance, so that a keystroke needs only one pass
 * over ten thousand sessions.
 */
export class Offers {
	readonly #offers: readonly Offer[];
	/** Maps each title to its session, or to undefined if several sessions share the title. */
	readonly #byTitle = new Map<string, Offer | undefined>();
	/** Maps each id, and each id prefix that may be shown, to its session, or to undefined if several sessions share the prefix. */
	readonly #byId = new Map<string, Offer | undefined>();

	/** `rows` must be in the order in which they are offered. */
	constructor(rows: readonly SessionSummary[]) {
		this.#offers = rows.map((row) => ({ ...findable(row), row }));
		const add = (map: Map<string, Offer | undefined>, key: string, offer: Offer) =>
			map.set(key, map.has(key) ? undefined : offer);
		for (const offer of this.#offers) {
			add(this.#byTitle, offer.title, offer);
			for (const beginning of beginningsOf(offer.row.id)) add(this.#byId, beginning, offer);
		}
	}

	/** Returns the sessions that match the typed text; all sessions if it is empty. */
	matching(typed: string): readonly Offer[] {
		return fold(typed) === "" ? this.#offers : bestMatches(this.#offers, typed);
	}

	/** Whether the typed text is exactly the completion value of a session. */
	isComplete(typed: string): boolean {
		const offers = [this.#byTitle.get(fold(typed)), this.#byId.get(typed)];
		return offers.some((offer) => offer !== undefined && this.valueOf(offer) === typed);
	}

	/** Returns the text that a user types to refer to a session: its title if the title is unique, otherwise a prefix of its id. */
	valueOf({ row, title: folded }: Offer): string {
		const title = titleOf(row);
		const isPlain = title !== "" && !title.startsWith("-") && !title.endsWith("…") && !/\s--/.test(title);
		const isUnique = isPlain && this.#byTitle.get(folded) !== undefined;
		return isUnique && title.length <= TITLE_COLUMNS ? title : this.shortId(row.id);
	}

	/** Returns the shortest prefix of an id that is unique, or else the whole id. */
	shortId(id: string): string {
		return beginningsOf(id).find((beginning) => this.#byId.get(beginning)) ?? id;
	}
}

function beginningsOf(id: string): string[] {
	return [...new Set(ID_LENGTHS.map((length) => id.slice(0, length)))];
}

import { foldCase } from "../text/index.ts";
import { fileIdOf } from "./session-list.mjs";
import { type SessionSummary, titleOf } from "./summary.ts";

type Called = Pick<SessionSummary, "id" | "name" | "firstPrompt" | "path"> &
	Partial<Pick<SessionSummary, "work">>;

export interface Offer<Row = SessionSummary> {
	row: Row;
	id: string;
	fileId: string;
	title: string;
}

function findable<Row extends Called>(row: Row): Offer<Row> {
	return { row, id: row.id.toLowerCase(), fileId: fileIdOf(row.path), title: fold(titleOf(row)) };
}

/**
 * Text shorter than this limit is compared only with titles, because short text is more likely to be
 * part of a title than part of an id.
 */
const MIN_ID = 8;
const MIN_HEX_ID = 4;

const NO_MATCH = 5;

/**
 * Ranks how well the text matches a session. A lower rank is better. Only ids and titles are compared,
 * so that the user can see why a session matches.
 */
function matchRank({ id, fileId, title }: Offer<Called>, text: string, isId: boolean): number {
	if (isId && (id === text || fileId === text)) return 0;
	const at = title.indexOf(text);
	if (at === 0 && title.length === text.length) return 1;
	if (isId && (id.startsWith(text) || `_${fileId}`.includes(`_${text}`))) return 2;
	if (at === 0) return 3;
	return at > 0 ? 4 : NO_MATCH;
}

function mayBeId(text: string): boolean {
	return text.length >= (/^[0-9a-f-]+$/.test(text) ? MIN_HEX_ID : MIN_ID);
}

export function withId<T extends Called>(rows: readonly T[], wanted: string): T[] {
	const text = fold(wanted);
	if (!mayBeId(text)) return [];
	return rows.filter((row) => [row.id.toLowerCase(), fileIdOf(row.path)].some((id) => id.startsWith(text)));
}

function bestMatches<Row extends Called>(among: readonly Offer<Row>[], wanted: string): Offer<Row>[] {
	const text = fold(wanted);
	const isId = mayBeId(text);
	const ranks = among.map((one) => matchRank(one, text, isId));
	const best = ranks.reduce((one, other) => Math.min(one, other), NO_MATCH);
	return best === NO_MATCH ? [] : among.filter((_, index) => ranks[index] === best);
}

export function matchSessions<Row extends Called>(rows: readonly Row[], wanted: string): Row[] {
	return bestMatches(rows.map(findable), wanted).map(({ row }) => row);
}

export function fold(text: string): string {
	return foldCase(text).replace(/\s+/g, " ").trim();
}

/**
 * The maximum width, in columns, of a suggested title. If a title is wider, the session's id is
 * suggested instead.
 */
export const TITLE_COLUMNS = 60;

/**
 * A displayed session id is shortened to 8 or 13 characters if the result is unique. The first 13
 * characters of a UUIDv7 encode its creation time.
 */
const ID_LENGTHS = [8, 13, Number.POSITIVE_INFINITY] as const;

export class Offers {
	readonly #offers: readonly Offer[];
	readonly #unique = new Map<string, Offer | undefined>();

	constructor(rows: readonly SessionSummary[]) {
		this.#offers = rows.map(findable);
		for (const offer of this.#offers)
			for (const key of new Set([offer.title, ...beginningsOf(offer.row.id)]))
				this.#unique.set(key, this.#unique.has(key) ? undefined : offer);
	}

	matching(typed: string): readonly Offer[] {
		return fold(typed) === "" ? this.#offers : bestMatches(this.#offers, typed);
	}

	isComplete(typed: string): boolean {
		const offers = [this.#unique.get(fold(typed)), this.#unique.get(typed)];
		return offers.some((offer) => offer !== undefined && this.valueOf(offer) === typed);
	}

	valueOf({ row, title: folded }: Offer): string {
		const title = titleOf(row);
		const isPlain = title !== "" && !title.startsWith("-") && !title.endsWith("…") && !/\s--/.test(title);
		const isUnique = isPlain && this.#unique.get(folded) !== undefined;
		return isUnique && title.length <= TITLE_COLUMNS ? title : this.shortId(row.id);
	}

	shortId(id: string): string {
		return beginningsOf(id).find((beginning) => this.#unique.get(beginning)) ?? id;
	}
}

function beginningsOf(id: string): string[] {
	return [...new Set(ID_LENGTHS.map((length) => id.slice(0, length)))];
}

export function meant(rows: readonly SessionSummary[], wanted: string): SessionSummary[] {
	const file = rows.filter(({ path }) => path === wanted);
	return file.length > 0 ? file : matchSessions(rows, wanted);
}

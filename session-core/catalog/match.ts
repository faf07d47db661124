import { foldCase } from "../text/matching.ts";
import type { SessionSummary } from "./summary.ts";

type Called = Pick<SessionSummary, "id" | "name" | "firstPrompt" | "path"> &
	Partial<Pick<SessionSummary, "work">>;

/** Returns the title of a session: its name or, if it has none, its topic or its first prompt. */
export function titleOf({ name, work, firstPrompt }: Omit<Called, "id" | "path">): string {
	return name ?? (work?.title || firstPrompt) ?? "";
}

/** The texts of a session that are compared with a query. They are prepared once for many queries. */
interface Findable {
	id: string;
	/** The id in the file's name, in lower case. In older files, it can differ from the id in the header. */
	fileId: string;
	title: string;
	/** The first prompt, case-folded; empty if it is also the title. */
	prompt: string;
}

function findable(row: Called): Findable {
	const title = fold(titleOf(row));
	const prompt = fold(row.firstPrompt ?? "");
	return {
		id: row.id.toLowerCase(),
		fileId: fileIdOf(row.path),
		title,
		prompt: prompt === title ? "" : prompt,
	};
}

/**
 * Minimum length of text that is compared with ids. The first value applies to any text, because ids from other programs are not
 * necessarily hexadecimal. The second value applies to text that looks hexadecimal. Shorter text is more likely to be the beginning of a
 * title.
 */
const MIN_ID = 8;
const MIN_HEX_ID = 4;

const NO_MATCH = 6;

/**
 * Returns the rank of a session's match, where 0 is the best. From best to worst: the whole id, the whole title, the beginning of the id,
 * the beginning of the title, another part of the title, a part of the first prompt.
 */
function kindOf({ id, fileId, title, prompt }: Findable, text: string, isId: boolean): number {
	if (isId && (id === text || fileId === text)) return 0;
	const at = title.indexOf(text);
	if (at === 0 && title.length === text.length) return 1;
	if (isId && (id.startsWith(text) || `_${fileId}`.includes(`_${text}`))) return 2;
	if (at === 0) return 3;
	if (at > 0) return 4;
	return prompt.includes(text) ? 5 : NO_MATCH;
}

/** Returns the id in a file's name, which follows the time at which the session began: `2026-01-31T12-00-00-000Z_<id>.jsonl`. */
export function fileIdOf(path: string): string {
	const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
	return name.replace(/^\d{4}-\d\d-\d\d[T_][\d-]+Z?_|\.jsonl$/g, "").toLowerCase();
}

function mayBeId(text: string): boolean {
	return text.length >= (/^[0-9a-f-]+$/.test(text) ? MIN_HEX_ID : MIN_ID);
}

/** Returns the sessions whose id, in the header or in the file's name, begins with the text. */
export function withId<T extends Called>(rows: readonly T[], wanted: string): T[] {
	const text = fold(wanted);
	if (!mayBeId(text)) return [];
	return rows.filter((row) => [row.id.toLowerCase(), fileIdOf(row.path)].some((id) => id.startsWith(text)));
}

/** Returns the sessions with the best kind of match. Differences in letter case and in accents are ignored. */
function bestMatches<T extends Findable>(among: readonly T[], wanted: string): T[] {
	const text = fold(wanted);
	const isId = mayBeId(text);
	let best = NO_MATCH - 1;
	let found: T[] = [];
	for (const it of among) {
		const kind = kindOf(it, text, isId);
		if (kind > best) continue;
		if (kind < best) found = [];
		best = kind;
		found.push(it);
	}
	return found;
}

export function matchSessions<T extends Called>(rows: readonly T[], wanted: string): T[] {
	return bestMatches(
		rows.map((row) => ({ ...findable(row), row })),
		wanted,
	).map(({ row }) => row);
}

export function fold(text: string): string {
	return foldCase(text).replace(/\s+/g, " ").trim();
}

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

	shortId(id: string): string {
		return beginningsOf(id).find((beginning) => this.#byId.get(beginning)) ?? id;
	}
}

function beginningsOf(id: string): string[] {
	return [...new Set(ID_LENGTHS.map((length) => id.slice(0, length)))];
}

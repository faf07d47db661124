import { foldCase } from "../text/index.ts";
import { listSessions } from "./listing.ts";
import { fileIdOf } from "./session-list.mjs";
import type { SessionSummary } from "./summary.ts";

type Called = Pick<SessionSummary, "id" | "name" | "firstPrompt" | "path"> &
	Partial<Pick<SessionSummary, "work">>;

/** Returns the title of a session: its name or, if it has none, its topic or its first prompt. */
export function titleOf({ name, work, firstPrompt }: Omit<Called, "id" | "path">): string {
	return name ?? (work?.title || firstPrompt) ?? "";
}

/** The folded texts of a session that are compared with a query. The texts are prepared once for many queries. */
export interface Offer<Row = SessionSummary> {
	row: Row;
	id: string;
	/** The id in the file's name. In older files, it can differ from the id in the header. */
	fileId: string;
	title: string;
}

function findable<Row extends Called>(row: Row): Offer<Row> {
	return { row, id: row.id.toLowerCase(), fileId: fileIdOf(row.path), title: fold(titleOf(row)) };
}

/**
 * Minimum length of text that is compared with ids. The first value applies to any text, because ids from other programs are not
 * necessarily hexadecimal. The second value applies to text that looks hexadecimal. Shorter text is more likely to be the beginning of a
 * title.
 */
const MIN_ID = 8;
const MIN_HEX_ID = 4;

const NO_MATCH = 5;

/**
 * Returns the rank of a session's match, where 0 is the best. From best to worst: the whole id, the whole title, the beginning of the id,
 * the beginning of the title, another part of the title. Words that no list shows, such as the first prompt of a session with a name, do
 * not count, because the user might otherwise continue a session whose title does not contain what was typed.
 */
function kindOf({ id, fileId, title }: Offer<Called>, text: string, isId: boolean): number {
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

/** Returns the sessions whose id, in the header or in the file's name, begins with the text. */
export function withId<T extends Called>(rows: readonly T[], wanted: string): T[] {
	const text = fold(wanted);
	if (!mayBeId(text)) return [];
	return rows.filter((row) => [row.id.toLowerCase(), fileIdOf(row.path)].some((id) => id.startsWith(text)));
}

/** Returns the sessions with the best kind of match. Differences in letter case and in accents are ignored. */
function bestMatches<Row extends Called>(among: readonly Offer<Row>[], wanted: string): Offer<Row>[] {
	const text = fold(wanted);
	const isId = mayBeId(text);
	const kinds = among.map((one) => kindOf(one, text, isId));
	const best = kinds.reduce((one, other) => Math.min(one, other), NO_MATCH);
	return best === NO_MATCH ? [] : among.filter((_, index) => kinds[index] === best);
}

export function matchSessions<Row extends Called>(rows: readonly Row[], wanted: string): Row[] {
	return bestMatches(rows.map(findable), wanted).map(({ row }) => row);
}

export function fold(text: string): string {
	return foldCase(text).replace(/\s+/g, " ").trim();
}

/** Maximum width of an offered title in columns. A session with a wider title is offered by its id. */
export const TITLE_COLUMNS = 60;

/** Lengths of a displayed id. The first 13 characters encode the creation time in milliseconds. */
const ID_LENGTHS = [8, 13, Number.POSITIVE_INFINITY] as const;

/** The sessions of one list, prepared so that a keystroke needs only one pass over ten thousand sessions. */
export class Offers {
	readonly #offers: readonly Offer[];
	/** Maps each title, id, and id prefix that may be shown to its session, or to undefined if several sessions share it. */
	readonly #unique = new Map<string, Offer | undefined>();

	/** `rows` must be in the order in which they are offered. */
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

	/** Returns the text that a user types to refer to a session: its title if the title is unique, otherwise a prefix of its id. */
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

/** `folder`: the folder of the open session's file. */
export interface SessionPlace {
	agentDir: string;
	folder: string;
}

/** Finds sessions by file path, id, id prefix or title, first in this project and then, if none matches, in all projects. */
export async function findSessions(
	{ agentDir, folder }: SessionPlace,
	wanted: string,
): Promise<{ found: SessionSummary[]; isHere: boolean }> {
	const here = meant(await listSessions({ agentDir, folders: [folder] }), wanted);
	if (here.length > 0) return { found: here, isHere: true };
	return { found: meant(await listSessions({ agentDir }), wanted), isHere: false };
}

export function meant(rows: readonly SessionSummary[], wanted: string): SessionSummary[] {
	const file = rows.filter(({ path }) => path === wanted);
	return file.length > 0 ? file : matchSessions(rows, wanted);
}

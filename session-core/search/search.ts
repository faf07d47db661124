import { type RunOptions, runSteps, type Steps } from "../pace.ts";
import { readRegular, readSpan } from "../regular-file.ts";
import { secretsInFile, secretsInLine } from "../session-file/secrets.ts";
import { shownLine } from "../text/shown-line.ts";
import { entriesOf, type Safe, type Speaker, type TextEntry } from "./entry-text.ts";
import { type Query, readQuery } from "./query.ts";
import { countWords, NEAR, scoreOf, type WordCounts } from "./rank.ts";
import { safeWith, sectionAt } from "./read.ts";
import { type Candidate, Scanner } from "./scan.ts";
import { wordsIn } from "./terms.ts";

export interface SearchOptions extends RunOptions {
	/** The query. Not every word has to occur; `"…"` keeps words together. Case and accents are ignored. */
	query: string;
	/** The files to search, newest first. `near`: whether the file belongs to the current project. */
	rows: Iterable<{ path: string; near?: boolean }>;
	/** Only entries that were written at or after `since` and before `until` (both in ms) are searched. */
	since?: number | undefined;
	until?: number | undefined;
	/** Maximum number of hits. Default 10. */
	limit?: number | undefined;
	/** Whether to leave out hits that match much worse than the best one. At least three hits are kept. */
	onlyRelevant?: boolean | undefined;
	/** Whether to return only the best hit of each session. */
	onePerSession?: boolean | undefined;
	/**
	 * The session in which the search was started. Its text from the time `from` (in ms) onward is the question itself and is not searched.
	 */
	asking?: { path: string; from: number } | undefined;
}

/** The best matching entry of a turn. The excerpt is one line, sanitized, redacted and clipped. */
export interface SearchHit {
	path: string;
	entryId: string;
	/** Byte offset of the entry's line in the file. */
	offset: number;
	/** The section of the entry that contains the excerpt, counted from 1; see `sectionAt`. */
	section: number;
	/** When the entry was written, in ms; undefined if it does not contain a time. */
	at: number | undefined;
	by: Speaker;
	excerpt: string;
}

/** The best hits so far, best first, and the total number of matching turns. */
export interface SearchProgress {
	hits: SearchHit[];
	total: number;
	/** Sessions searched. */
	searched: number;
	done: boolean;
}

/** A candidate with information about its file. `near`: see {@link SearchOptions}; `order`: the number of newer files. */
interface Placed extends Candidate {
	near: boolean;
	order: number;
}

/** An entry that was read and in which the query words were counted. */
interface Scored extends Placed, WordCounts {
	entryId: string;
	at: number | undefined;
	/** The hit. It is created only when the entry ranks high enough to be shown. */
	hit?: SearchHit;
}

/** Number of candidates that are read for each progress report (`READ_EARLY`), and at the end of the scan (`READ`). */
const READ_EARLY = 10;
const READ = 1_200;
/** Milliseconds until the first progress report (`FIRST_MS`), and between subsequent reports (`PROGRESS_MS`). */
const FIRST_MS = 4;
const PROGRESS_MS = 60;
/** Maximum number of hits in the first progress report, which should arrive as early as possible. */
const FIRST_HITS = 2;
const DEFAULT_LIMIT = 10;
/** With `onlyRelevant`, this many hits are kept in any case, and further hits if they have this share of the best hit's score. */
const KEPT = 3;
const RELEVANT = 0.6;

/**
 * Searches the contents of sessions. Each progress report contains the best hits so far. The search ends early if the signal is aborted.
 */
export function searchSessions(options: SearchOptions): AsyncGenerator<SearchProgress, void, void> {
	return runSteps(searchSteps(options), options);
}

function* searchSteps(options: SearchOptions): Steps<SearchProgress> {
	const query = readQuery(options.query);
	if (!query) return yield { hits: [], total: 0, searched: 0, done: true };
	const search = new Search(query, options);
	let due = performance.now() + FIRST_MS;
	for (const { path, near = false } of options.rows) {
		if (search.scanner.isComplete) break;
		for (const candidate of search.scanner.candidatesIn(path)) {
			if (candidate) search.add({ ...candidate, near, order: search.searched });
			yield;
		}
		search.searched++;
		if (performance.now() < due) continue;
		yield* search.progress(READ_EARLY, false);
		due = performance.now() + PROGRESS_MS;
	}
	yield* search.progress(READ, true);
}

class Search {
	readonly scanner: Scanner;
	searched = 0;
	readonly #query: Query;
	readonly #options: SearchOptions;
	/** The candidates that have not been read yet, in groups of equal weight, newest first. */
	readonly #unread = new Map<string, { weight: () => number; list: Placed[] }>();
	/** The best entry of each turn. Each key consists of a file's path and the offset of a turn. */
	readonly #turns = new Map<string, Scored>();
	/** The secrets of each session that has hits. */
	readonly #secrets = new Map<string, ReadonlySet<string>>();
	#hasReported = false;
	#added = 0;
	#read = 0;
	#words = 0;

	constructor(query: Query, options: SearchOptions) {
		this.#query = query;
		this.#options = options;
		this.scanner = new Scanner(query);
	}

	add(candidate: Placed): void {
		if (!this.#isWanted(candidate)) return;
		const { mask, near, hasPhrase } = candidate;
		const key = `${mask} ${near} ${hasPhrase}`;
		const weight = () => this.#weightOf(mask) * (near ? NEAR : 1) * (hasPhrase ? 2 : 1);
		const alike = this.#unread.get(key) ?? { weight, list: [] };
		this.#unread.set(key, alike);
		if (alike.list.length < READ) alike.list.push(candidate);
		this.#added++;
	}

	/** Reads some of the most promising candidates, then ranks all candidates that have been read so far. */
	*progress(count: number, done: boolean): Steps<SearchProgress> {
		for (const candidate of this.#mostPromising(count)) {
			this.#readEntry(candidate);
			yield;
		}
		const { limit = DEFAULT_LIMIT, onlyRelevant = false, onePerSession = false } = this.#options;
		const ranked = [...this.#turns.values()]
			.map((entry) => ({ entry, score: this.#scoreOf(entry) }))
			// If two scores hardly differ, the newer entry comes first.
			.sort(
				(one, other) =>
					rounded(other.score) - rounded(one.score) ||
					one.entry.order - other.entry.order ||
					other.entry.start - one.entry.start,
			);
		const least = onlyRelevant ? RELEVANT * (ranked[0]?.score ?? 0) : 0;
		const chosen = ranked.flatMap(({ entry, score }, rank) => (rank < KEPT || score >= least ? [entry] : []));
		const shown = onePerSession ? firstOfEachFile(chosen) : chosen;
		const hits: SearchHit[] = [];
		for (const entry of shown.slice(0, this.#hasReported || done ? limit : Math.min(limit, FIRST_HITS))) {
			entry.hit ??= hitOf(entry, this.#query, yield* this.#secretsOf(entry));
			hits.push(entry.hit);
			yield;
		}
		this.#hasReported ||= hits.length > 0;
		yield { hits, total: ranked.length + this.#added - this.#read, searched: this.searched, done };
	}

	*#secretsOf(entry: Scored): Steps<never, ReadonlySet<string>> {
		const { path } = entry;
		let known = this.#secrets.get(path) ?? new Set<string>();
		if (!this.#secrets.has(path)) {
			for (const found of secretsInFile(path)) {
				if (found) known = found;
				else yield;
			}
			this.#secrets.set(path, known);
		}
		// The line may be in the middle of a large file, of which only the ends were searched.
		const own = yield* secretsInLine({ bytes: bytesOf(entry), offset: entry.start });
		return own.size === 0 ? known : new Set([...known, ...own]);
	}

	#scoreOf(entry: Scored): number {
		const averageLength = this.#words / Math.max(1, this.#read);
		return scoreOf(entry, { averageLength, weightOf: (word) => this.scanner.weightOf(word) });
	}

	#mostPromising(count: number): Placed[] {
		const groups = [...this.#unread.values()]
			.map(({ list: group, weight }) => ({ group, weight: weight() }))
			.sort((one, other) => other.weight - one.weight);
		const best: Placed[] = [];
		for (const { group } of groups) best.push(...group.splice(0, count - best.length));
		return best;
	}

	#weightOf(mask: number): number {
		const weights = this.#query.words.map((_, at) => (mask & (1 << at) ? this.scanner.weightOf(at) : 0));
		return weights.reduce((sum, weight) => sum + weight, 0);
	}

	#readEntry(candidate: Placed): void {
		this.#read++;
		const entry = scoredEntry(candidate, this.#query);
		if (!entry || !this.#isWanted(entry, true)) return;
		this.#words += entry.length;
		const key = `${entry.path}:${entry.turn}`;
		const before = this.#turns.get(key);
		if (!before || this.#scoreOf(entry) > this.#scoreOf(before)) this.#turns.set(key, entry);
	}

	/** Whether an entry is in the wanted period. An entry whose time is unknown is wanted until it has been read. */
	#isWanted({ path, at }: Pick<Scored, "path" | "at">, isRead = false): boolean {
		const { asking, since = 0, until = Number.POSITIVE_INFINITY } = this.#options;
		if (at === undefined) return !isRead || (since === 0 && until === Number.POSITIVE_INFINITY);
		return at >= since && at < until && !(path === asking?.path && at >= asking.from);
	}
}

function firstOfEachFile(ranked: readonly Scored[]): Scored[] {
	const first = new Map<string, Scored>();
	for (const entry of ranked) if (!first.has(entry.path)) first.set(entry.path, entry);
	return [...first.values()];
}

/** In steps of five percent. */
function rounded(score: number): number {
	return Math.round(20 * Math.log(score));
}

function entriesIn(candidate: Candidate, safe?: Safe): TextEntry[] {
	return entriesOf(bytesOf(candidate), candidate.start, safe);
}

/** Returns a line; empty if the file has just been removed or changed, so that the hit is dropped. */
function bytesOf({ path, start, end }: Candidate): Buffer {
	const read = readRegular(path, (file) => readSpan(file, start, end - start));
	return Buffer.isBuffer(read) ? read : Buffer.alloc(0);
}

/** Returns whichever entry in a line contains the most query words. Only a damaged line contains more than one entry. */
function scoredEntry(candidate: Placed, query: Query): Scored | undefined {
	const entries = entriesIn(candidate).map(({ entryId, at, texts }) => ({
		...candidate,
		...countWords(texts, query),
		entryId,
		at,
	}));
	const [best] = entries.filter(({ total }) => total > 0).sort((one, other) => other.total - one.total);
	return best;
}

/** Maximum number of code units in an excerpt before its first match (`LEAD`), and in the whole excerpt (`EXCERPT`). */
const LEAD = 60;
const EXCERPT = 500;
const EXCERPT_COLUMNS = 240;

function hitOf(entry: Scored, query: Query, known: ReadonlySet<string>): SearchHit {
	const { path, entryId, start: offset, at, by } = entry;
	const texts = entriesIn(entry, safeWith(known)).flatMap((found) => found.texts);
	const first = texts.findIndex((part) => part.by === by);
	const before = texts.slice(0, first).reduce((sum, part) => sum + part.text.length, 0);
	const text = texts
		.filter((part) => part.by === by)
		.map((part) => part.text)
		.join("\n");
	const { excerpt, position } = excerptOf(text, query);
	return { path, entryId, offset, section: sectionAt(before + position), at, by, excerpt };
}

/** Returns the part of a text that contains the most words of the query, and the position of its first match. */
function excerptOf(text: string, { matchOf }: Query): { excerpt: string; position: number } {
	const places: { at: number; word: number; like: number }[] = [];
	for (const { index, 0: raw } of text.matchAll(/[\p{L}\p{N}_]+(?:[-./][\p{L}\p{N}_]+)*/gu)) {
		for (const word of new Set(wordsIn(raw))) {
			const match = matchOf(word);
			if (match) places.push({ at: index, word: match.at, like: match.like });
		}
	}
	let best = { at: 0, value: 0 };
	for (const [first, { at }] of places.entries()) {
		const likes = new Map<number, number>();
		for (
			let next = first;
			(places[next]?.at ?? Number.POSITIVE_INFINITY) < at + EXCERPT_COLUMNS - LEAD;
			next++
		) {
			const { word, like } = places[next] ?? { word: 0, like: 0 };
			likes.set(word, Math.max(likes.get(word) ?? 0, like));
		}
		const value = [...likes.values()].reduce((sum, like) => sum + like, 0);
		if (value > best.value) best = { at, value };
	}
	const from = best.at <= LEAD ? 0 : wordStart(text, best.at - LEAD, best.at);
	const line = `${from > 0 ? "…" : ""}${text.slice(from, from + EXCERPT)}`;
	return { excerpt: shownLine(line, EXCERPT_COLUMNS), position: best.at };
}

/** Returns the start of the first word in a span, or the end of the span if it contains none. */
function wordStart(text: string, from: number, to: number): number {
	const space = text.slice(from, to).search(/\s/);
	return space < 0 ? to : from + space + 1;
}

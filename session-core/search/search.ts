import { createHash } from "node:crypto";
import { type RunOptions, runSteps, type Steps } from "../pace.ts";
import { secretsInFile, secretsInLine } from "../session-file/secrets.ts";
import { type EntryText, entriesOf, type Speaker } from "./entry-text.ts";
import { type Shown, shownOf } from "./excerpt.ts";
import { type Query, readQuery } from "./query.ts";
import {
	type Corpus,
	NEAR,
	noWords,
	type Part,
	partScore,
	partsOf,
	sum,
	turnScore,
	type WordCounts,
} from "./rank.ts";
import { bytesOf, otherHalves, safeWith } from "./read.ts";
import { type Candidate, Scanner } from "./scan.ts";

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
	/** Number of turns with the same text, of which only this one is listed. */
	count: number;
	/** The last later place in the session that contains the same words. */
	later: { offset: number; at: number | undefined } | undefined;
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

/** A part of an entry that was read. */
interface Scored extends Placed, Omit<Part, "by"> {
	by: Speaker;
	entryId: string;
	/** Identifies the text of the entry. Forks and repeated prompts have the same text. */
	text: string;
	/** What is shown of it. This is found only when the turn ranks high enough. */
	shown?: Shown;
	/** The score of the part or, for the best part of a turn, of the turn. */
	score: number;
}

/** The words of all entries of a turn that were read, and the parts that contain words of the query. */
interface Turn extends WordCounts {
	parts: Scored[];
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
const RELEVANT = 0.65;
/** The share of a hit's words, by weight, that a later place of the session must contain to be mentioned with the hit. */
const SAME_WORDS = 0.8;

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
	readonly #unread = new Map<string, Placed[]>();
	/** Each key consists of a file's path and the offset of a turn. */
	readonly #turns = new Map<string, Turn>();
	/** A bit mask of the query words that occur in each session. */
	readonly #sessions = new Map<string, number>();
	/** The secrets of each session that has hits. */
	readonly #secrets = new Map<string, ReadonlySet<string>>();
	#hasReported = false;
	#added = 0;
	#read = 0;
	#parts = 0;
	#words = 0;

	constructor(query: Query, options: SearchOptions) {
		this.#query = query;
		this.#options = options;
		this.scanner = new Scanner(query);
	}

	add(candidate: Placed): void {
		const { mask, near, path } = candidate;
		this.#sessions.set(path, (this.#sessions.get(path) ?? 0) | mask);
		if (!this.#isWanted(candidate)) return;
		const key = `${mask} ${near}`;
		const alike = this.#unread.get(key) ?? [];
		this.#unread.set(key, alike);
		if (alike.length < READ) alike.push(candidate);
		this.#added++;
	}

	/** Reads some of the most promising candidates, then ranks all candidates that have been read so far. */
	*progress(count: number, done: boolean): Steps<SearchProgress> {
		for (const candidate of this.#mostPromising(count)) {
			this.#readLine(candidate);
			yield;
		}
		const { limit = DEFAULT_LIMIT, onlyRelevant, onePerSession } = this.#options;
		const corpus = this.#corpus();
		const ranked = this.#ranked(corpus);
		const least = onlyRelevant ? RELEVANT * (ranked[0]?.score ?? 0) : 0;
		const alike = new Map<string, Scored[]>();
		for (const best of ranked) {
			const key = onePerSession ? best.path : best.text;
			alike.set(key, [...(alike.get(key) ?? []), best]);
		}
		const chosen = [...alike.values()].filter(([best], rank) => rank < KEPT || (best?.score ?? 0) >= least);
		const hits: SearchHit[] = [];
		for (const same of chosen.slice(0, this.#hasReported || done ? limit : Math.min(limit, FIRST_HITS))) {
			const [best] = same as [Scored];
			best.shown ??= yield* this.#shown(best, corpus.weights);
			const { path, entryId, start: offset, at, by, shown } = best;
			const later = laterThan(best, ranked, corpus.weights);
			hits.push({ path, entryId, offset, at, by, ...shown, count: onePerSession ? 1 : same.length, later });
			yield;
		}
		this.#hasReported ||= hits.length > 0;
		yield { hits, total: ranked.length + this.#added - this.#read, searched: this.searched, done };
	}

	/** Returns the best part of each turn, best first. If two scores hardly differ, the newer turn comes first. */
	#ranked(corpus: Corpus): Scored[] {
		const found = [...this.#turns.values()].flatMap((turn) => {
			for (const part of turn.parts) part.score = partScore(part, corpus);
			const [best] = turn.parts.sort((one, other) => other.score - one.score);
			if (!best) return [];
			const inSession = this.#sessions.get(best.path) ?? 0;
			best.score = (best.near ? NEAR : 1) * turnScore(best, turn, inSession, corpus);
			return best;
		});
		return found.sort(
			(one, other) =>
				rounded(other.score) - rounded(one.score) || one.order - other.order || other.start - one.start,
		);
	}

	#corpus(): Corpus {
		return {
			weights: this.#query.weights.map((weight, at) => weight * this.scanner.weightOf(at)),
			partLength: this.#words / Math.max(1, this.#parts),
			turnLength: this.#words / Math.max(1, this.#turns.size),
		};
	}

	/** Returns the excerpt of a hit, with the secrets redacted that the session reveals at its ends and in the lines that are shown. */
	*#shown(best: Scored, weights: readonly number[]): Steps<never, Shown> {
		const { path, start: offset } = best;
		let known = this.#secrets.get(path) ?? new Set<string>();
		if (!this.#secrets.has(path)) {
			for (const found of secretsInFile(path)) {
				if (found) known = found;
				else yield;
			}
			this.#secrets.set(path, known);
		}
		const lines = [{ bytes: bytesOf(best), offset }, ...otherHalves(best)];
		for (const line of lines) known = new Set([...known, ...(yield* secretsInLine(line))]);
		return shownOf(best, lines, { query: this.#query, weights, safe: safeWith(known) });
	}

	#mostPromising(count: number): Placed[] {
		const { weights } = this.#corpus();
		const weightOf = ([first]: readonly Placed[]) =>
			first ? sum(weights.filter((_, at) => first.mask & (1 << at))) * (first.near ? NEAR : 1) : 0;
		const groups = [...this.#unread.values()]
			.map((group) => ({ group, weight: weightOf(group) }))
			.sort((one, other) => other.weight - one.weight);
		const best: Placed[] = [];
		for (const { group } of groups) best.push(...group.splice(0, count - best.length));
		return best;
	}

	/** Reads the entries of a line. Only a damaged line contains more than one. */
	#readLine(candidate: Placed): void {
		this.#read++;
		const bytes = bytesOf(candidate);
		for (const entry of entriesOf(bytes, candidate.start)) {
			const { entryId, at, texts } = entry;
			if (!this.#isWanted({ path: candidate.path, at }, true)) continue;
			const key = `${candidate.path}:${candidate.turn}`;
			const turn = this.#turns.get(key) ?? { parts: [], ...noWords(this.#query.words) };
			this.#turns.set(key, turn);
			for (const { by, ...part } of partsOf(entry, this.#query)) {
				this.#parts++;
				this.#words += part.length;
				turn.length += part.length;
				turn.counts = turn.counts.map((count, word) => count + (part.counts[word] ?? 0));
				if (by === "thought" || part.counts.every((count) => count === 0)) continue;
				turn.parts.push({
					...candidate,
					...part,
					by,
					entryId,
					at,
					text: textKey(by, texts, bytes),
					score: 0,
				});
			}
		}
	}

	/** Whether an entry is in the wanted period. An entry whose time is unknown is wanted until it has been read. */
	#isWanted({ path, at }: Pick<Candidate, "path" | "at">, isRead = false): boolean {
		const { asking, since = 0, until = Number.POSITIVE_INFINITY } = this.#options;
		if (at === undefined) return !isRead || (since === 0 && until === Number.POSITIVE_INFINITY);
		return at >= since && at < until && !(path === asking?.path && at >= asking.from);
	}
}

/** Returns the last place in the same session after a hit at which nearly all of its words occur again. */
function laterThan(hit: Scored, ranked: readonly Scored[], weights: readonly number[]): SearchHit["later"] {
	const shared = (other: Scored) => sum(weights.filter((_, at) => hit.counts[at] && other.counts[at]));
	const [last] = ranked
		.filter(({ path, start }) => path === hit.path && start > hit.start)
		.filter((other) => shared(other) >= SAME_WORDS * shared(hit))
		.sort((one, other) => other.start - one.start);
	return last && { offset: last.start, at: last.at };
}

/** Identifies a text. Commands, output and notes are the same only in a fork, which contains the same line. */
function textKey(by: Speaker, texts: readonly EntryText[], line: Buffer): string {
	const text = texts.flatMap((part) => (part.by === by ? [part.text] : [])).join("\n");
	const isSaid = by === "user" || by === "assistant";
	return (
		by +
		createHash("sha1")
			.update(isSaid ? text : line)
			.digest("base64")
	);
}

/** In steps of five percent. */
function rounded(score: number): number {
	return Math.round(20 * Math.log(score));
}

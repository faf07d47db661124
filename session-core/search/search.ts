import { type RunOptions, runSteps, type Steps } from "../pace.ts";
import { closeRegular, openRegular, readSpan } from "../regular-file.ts";
import { parseLine } from "../session-file/parse-line.ts";
import { secretsIn } from "../text/redact.ts";
import { shownLine } from "../text/shown-line.ts";
import { type EntryText, entryIdentity, entryTexts, type Speaker } from "./entry-text.ts";
import { type Query, readQuery } from "./query.ts";
import { type Candidate, Scanner } from "./scan.ts";
import { foldText, likeness, wordsIn } from "./terms.ts";

export interface SearchOptions extends RunOptions {
	/** The query. Not all words need to occur; `"…"` keeps words together. Case and accents are ignored. */
	query: string;
	/** The files to search, newest first. `near`: the file belongs to the project of the query. */
	rows: Iterable<{ path: string; near?: boolean }>;
	/** Only entries from this time range, in ms. */
	since?: number | undefined;
	until?: number | undefined;
	/** Number of wanted hits. Default 10. */
	limit?: number | undefined;
	/** Return only the best hit of each session. */
	onePerSession?: boolean | undefined;
	/** The session that searches: its text from this time on (ms) is the question itself, and is not searched. */
	asking?: { path: string; from: number } | undefined;
}

/** One entry that matches: the best of its turn. The excerpt is one line: sanitized, redacted, clipped. */
export interface SearchHit {
	path: string;
	entryId: string;
	/** Place of its line in the file, in bytes. */
	offset: number;
	/** When it was written, in ms; undefined if the entry does not say. */
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

/** An entry that was read and counted. */
interface Scored extends Candidate {
	entryId: string;
	at: number | undefined;
	by: Speaker;
	/** How often each word occurs. */
	counts: number[];
	/** Words in all. */
	length: number;
	/** Phrases of the query that it contains. */
	phrases: number;
	/** Number of adjacent words of the query that are adjacent in the entry. */
	pairs: number[];
	near: boolean;
	/** Number of newer sessions that were searched before it. */
	order: number;
}

/** BM25's constants: how fast repetitions of a word stop counting, and how much longer entries are penalized. */
const K1 = 0.8;
const B = 0.5;
/** The bonus for a word next to its neighbor in the query. */
const PAIR = 0.4;
/**
 * Number of entries that are read per set of words, and in total, during the scan; the best of the others
 * are read afterwards.
 */
const READ_PER_MASK = 300;
const READ = 2_500;
const READ_LATER = 1_000;
const KEPT_FOR_LATER = 10_000;
/** Share of the best weight so far; entries with less are read only after the scan. */
const PROMISING = 0.5;
/** Milliseconds between two progress reports. */
const NOTICE_MS = 60;
const DEFAULT_LIMIT = 10;
/** Weight of an entry of the current project relative to others. */
const NEAR = 1.3;
/** Users remember what was discussed, while output repeats the words of many topics. */
const WEIGHTS: Readonly<Record<Speaker, number>> = {
	user: 1.2,
	assistant: 1,
	action: 1,
	note: 1,
	result: 0.6,
};

/**
 * Searches the contents of sessions. Each progress report contains the best hits so far. Ends early if
 * the signal is aborted.
 */
export function searchSessions(options: SearchOptions): AsyncGenerator<SearchProgress, void, void> {
	return runSteps(searchSteps(options), options);
}

function* searchSteps(options: SearchOptions): Steps<SearchProgress> {
	const query = readQuery(options.query);
	if (!query) {
		yield { hits: [], total: 0, searched: 0, done: true };
		return;
	}
	const search = new Search(query, options);
	let noticed = performance.now();
	for (const { path, near = false } of options.rows) {
		if (search.scanner.isComplete) break;
		let isNew = false;
		for (const candidate of search.scanner.candidatesIn(path)) {
			if (candidate) isNew = search.add(candidate, near) || isNew;
			yield;
		}
		search.searched++;
		if (!isNew || performance.now() - noticed < NOTICE_MS) continue;
		yield* search.progress(false);
		noticed = performance.now();
	}
	for (const candidate of search.rest()) {
		search.read(candidate, candidate.near);
		yield;
	}
	yield* search.progress(true);
}

type Waiting = Candidate & { near: boolean; order: number };

class Search {
	readonly scanner: Scanner;
	searched = 0;
	readonly #query: Query;
	readonly #options: SearchOptions;
	/** The best entries of each turn, by file and turn. */
	readonly #turns = new Map<string, Scored>();
	/** Creating excerpts takes most of the time, and the best entries rarely change. */
	readonly #hits = new WeakMap<Scored, SearchHit>();
	readonly #readByMask = new Map<number, number>();
	#waiting: Waiting[] = [];
	#read = 0;
	#words = 0;
	#best = 0;

	constructor(query: Query, options: SearchOptions) {
		this.#query = query;
		this.#options = options;
		this.scanner = new Scanner(query);
	}

	/** Reads a candidate, or keeps it for later. True if it is a hit. */
	add(candidate: Candidate, near: boolean): boolean {
		const weight = this.#weightOf(candidate.mask);
		this.#best = Math.max(this.#best, weight);
		const read = this.#readByMask.get(candidate.mask) ?? 0;
		if (weight >= PROMISING * this.#best && read < READ_PER_MASK && this.#read < READ) {
			this.#readByMask.set(candidate.mask, read + 1);
			return this.read(candidate, near);
		}
		this.#waiting.push({ ...candidate, near, order: this.searched });
		if (this.#waiting.length >= 2 * KEPT_FOR_LATER) this.#waiting = this.#mostPromising(KEPT_FOR_LATER);
		return false;
	}

	rest(): Waiting[] {
		return this.#mostPromising(READ_LATER);
	}

	#mostPromising(count: number): Waiting[] {
		return this.#waiting
			.map((candidate) => ({ candidate, weight: this.#weightOf(candidate.mask) }))
			.sort((one, other) => other.weight - one.weight)
			.slice(0, count)
			.map(({ candidate }) => candidate);
	}

	#weightOf(mask: number): number {
		let weight = 0;
		for (let at = 0; at < this.#query.words.length; at++)
			if (mask & (1 << at)) weight += this.scanner.weightOf(at);
		return weight;
	}

	read(candidate: Candidate, near: boolean): boolean {
		this.#read++;
		const line = readLine(candidate);
		if (line === undefined) return false;
		const scored = scoreLine(line, candidate, this.#query);
		if (!scored || !this.#isInTime(scored.at) || this.#isQuestion(scored)) return false;
		this.#words += scored.length;
		const order = "order" in candidate ? (candidate as Waiting).order : this.searched;
		const entry: Scored = { ...scored, near, order };
		const key = `${candidate.path}:${candidate.turn}`;
		const before = this.#turns.get(key);
		if (!before || this.#scoreOf(entry) > this.#scoreOf(before)) this.#turns.set(key, entry);
		return true;
	}

	#isQuestion({ path, at }: Unplaced): boolean {
		const { asking } = this.#options;
		return path === asking?.path && at !== undefined && at >= asking.from;
	}

	#isInTime(at: number | undefined): boolean {
		const { since, until } = this.#options;
		if (since === undefined && until === undefined) return true;
		return at !== undefined && at >= (since ?? 0) && at < (until ?? Number.POSITIVE_INFINITY);
	}

	#scoreOf({ counts, length, phrases, pairs, by, near }: Scored): number {
		const average = this.#words / Math.max(1, this.#read);
		let score = 0;
		for (const [at, count] of counts.entries()) {
			if (count === 0) continue;
			const weight = this.scanner.weightOf(at);
			const frequency = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / Math.max(1, average)));
			score += weight * (WEIGHTS[by] * frequency + (pairs.includes(at) ? PAIR : 0));
		}
		return score * (near ? NEAR : 1) * (1 + phrases);
	}

	*progress(done: boolean): Steps<SearchProgress> {
		const { limit = DEFAULT_LIMIT, onePerSession = false } = this.#options;
		const ranked = [...this.#turns.values()]
			.map((entry) => ({ entry, score: this.#scoreOf(entry) }))
			// Nearly equal scores count as equal: then the newer one comes first.
			.sort(
				(one, other) =>
					round(other.score) - round(one.score) ||
					one.entry.order - other.entry.order ||
					other.entry.start - one.entry.start,
			)
			.map(({ entry }) => entry);
		const listed = onePerSession ? firstOfEachFile(ranked) : ranked;
		const hits: SearchHit[] = [];
		for (const entry of listed.slice(0, limit)) {
			const hit = this.#hits.get(entry) ?? hitOf(entry, this.#query);
			this.#hits.set(entry, hit);
			hits.push(hit);
			yield;
		}
		const waiting = done ? Math.max(0, this.#waiting.length - READ_LATER) : 0;
		yield { hits, total: ranked.length + waiting, searched: this.searched, done };
	}
}

function firstOfEachFile(ranked: readonly Scored[]): Scored[] {
	const first = new Map<string, Scored>();
	for (const entry of ranked) if (!first.has(entry.path)) first.set(entry.path, entry);
	return [...first.values()];
}

/** In steps of five percent. */
function round(score: number): number {
	return Math.round(20 * Math.log(score));
}

function readLine({ path, start, end }: Candidate): string | undefined {
	const opened = openRegular(path);
	if (!opened.ok) return undefined;
	try {
		return readSpan(opened.file, start, end - start).toString("utf8");
	} catch {
		// The file existed a moment ago; a hit that cannot be read is dropped.
		return undefined;
	} finally {
		closeRegular(opened.file);
	}
}

type Unplaced = Omit<Scored, "near" | "order">;

function scoreLine(line: string, candidate: Candidate, query: Query): Unplaced | undefined {
	let best: Unplaced | undefined;
	for (const [index, object] of parseLine(line).objects.entries()) {
		const texts = entryTexts(object);
		if (texts.length === 0) continue;
		const counted = countWords(texts, query);
		if (counted.total <= (best?.counts.reduce((sum, count) => sum + count, 0) ?? 0)) continue;
		best = { ...candidate, ...counted, ...entryIdentity(object, candidate.start, index) };
	}
	return best;
}

function countWords(
	texts: readonly EntryText[],
	{ words, phrases }: Query,
): Pick<Scored, "counts" | "length" | "phrases" | "pairs" | "by"> & { total: number } {
	const counts = words.map(() => 0);
	const pairs = new Set<number>();
	const known = new Map<string, { at: number; like: number } | undefined>();
	let length = 0;
	let by: Speaker = texts[0]?.by ?? "note";
	let bestPart = 0;
	let held = 0;
	for (const part of texts) {
		let inPart = 0;
		let last = -1;
		let lastAt = -2;
		for (const word of wordsIn(part.text)) {
			length++;
			let match = known.get(word);
			if (!known.has(word)) {
				match = bestWord(word, words);
				known.set(word, match);
			}
			if (!match) continue;
			counts[match.at] = (counts[match.at] ?? 0) + match.like;
			inPart += match.like;
			if (match.at === last + 1 && length - lastAt <= 2) pairs.add(match.at);
			last = match.at;
			lastAt = length;
		}
		if (inPart > bestPart) {
			bestPart = inPart;
			by = part.by;
		}
		if (phrases.length > 0) {
			const folded = foldText(part.text).replace(/\s+/g, " ");
			held = Math.max(held, phrases.filter((phrase) => folded.includes(phrase)).length);
		}
	}
	const total = counts.reduce((sum, count) => sum + count, 0);
	return { counts, length, phrases: held, pairs: [...pairs], by, total };
}

function bestWord(word: string, words: readonly string[]): { at: number; like: number } | undefined {
	let best: { at: number; like: number } | undefined;
	for (const [at, wanted] of words.entries()) {
		const like = likeness(word, wanted);
		if (like > (best?.like ?? 0)) best = { at, like };
	}
	return best;
}

/** Code units of an excerpt before its first match, and in total. */
const LEAD = 60;
const EXCERPT = 500;
const EXCERPT_COLUMNS = 240;
/** Number of code units around an excerpt that are checked for secrets. */
const AROUND = 16_384;

function hitOf(entry: Scored, { words }: Query): SearchHit {
	const { path, entryId, start: offset, at, by } = entry;
	const texts = parseLine(readLine(entry) ?? "").objects.flatMap(entryTexts);
	const text = texts
		.filter((part) => part.by === by)
		.map((part) => part.text)
		.join("\n");
	return { path, entryId, offset, at, by, excerpt: excerptOf(text, words) };
}

/** The part of a text that contains the most words of the query. */
function excerptOf(text: string, words: readonly string[]): string {
	const places: { at: number; word: number; like: number }[] = [];
	for (const { index, 0: raw } of text.matchAll(/[\p{L}\p{N}_]+(?:[-./][\p{L}\p{N}_]+)*/gu)) {
		for (const word of new Set(wordsIn(raw))) {
			const match = bestWord(word, words);
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
	// The text that marks a word as a secret may be before the excerpt.
	const known = secretsIn([text.slice(Math.max(0, from - AROUND), from + EXCERPT + AROUND)]);
	return shownLine(`${from > 0 ? "…" : ""}${text.slice(from, from + EXCERPT)}`, EXCERPT_COLUMNS, known);
}

/** The start of the first word in a span; the span's end if there is none. */
function wordStart(text: string, from: number, to: number): number {
	const space = text.slice(from, to).search(/\s/);
	return space < 0 ? to : from + space + 1;
}

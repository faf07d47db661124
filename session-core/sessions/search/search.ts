import { createHash } from "node:crypto";
import { partOfLog, secretsInFile, secretsInLines, withoutImages } from "../../log/index.ts";
import { Pace } from "../../text/index.ts";
import { isUnmistakable } from "../../text/secrets/values.ts";
import { entriesOn, type Speaker, safeEntries } from "./entry-text.ts";
import { type Query, readQuery } from "./query.ts";
import {
	bestOf,
	type Corpus,
	noWords,
	partsWith,
	type Shown,
	shownOf,
	sum,
	type WordCounts,
} from "./rank.ts";
import { withOtherHalves } from "./read.ts";
import { type ScannedLine, Scanner } from "./scan.ts";

export interface SearchOptions {
	signal?: AbortSignal | undefined;
	/** A hit need not contain all words of the query. Letter case and accents are ignored. */
	query: string;
	rows: Iterable<{ path: string; near?: boolean }>;
	/**
	 * The search includes entries from `since` up to, but not including, `until`. Both times are in
	 * milliseconds since the epoch.
	 */
	since?: number | undefined;
	until?: number | undefined;
	limit?: number | undefined;
	/**
	 * Leaves out hits whose score is much lower than the best score. The best three hits are always
	 * kept.
	 */
	onlyRelevant?: boolean | undefined;
	onePerSession?: boolean | undefined;
	/**
	 * The session that runs the search. Its entries from the time `from` onward are left out, because they
	 * contain the query itself.
	 */
	asking?: { path: string; from: number } | undefined;
}

export interface SearchHit {
	path: string;
	entryId: string;
	offset: number;
	section: number;
	at: number | undefined;
	by: Speaker;
	excerpt: string;
	/**
	 * The number of turns that contain the same text. Forks repeat the turns of the original session, so
	 * each text is shown only once.
	 */
	count: number;
	later: { offset: number; at: number | undefined } | undefined;
}

export interface SearchProgress {
	hits: SearchHit[];
	total: number;
	searched: number;
	done: boolean;
}

interface Source {
	path: string;
	near: boolean;
	order: number;
	words: number;
	secrets?: ReadonlySet<string>;
}

interface FoundLine extends ScannedLine {
	source: Source;
}

interface Read extends FoundLine, WordCounts {
	by: Speaker;
	entryId: string;
	text: string;
	shown?: Shown;
}

interface SearchedTurn extends WordCounts {
	parts: Read[];
}

const NEAR = 1.3;
const READ_EARLY = 10;
const READ = 1_200;
const FIRST_MS = 4;
const PROGRESS_MS = 60;
/**
 * The first progress report contains only a few hits, so that the user sees a result as early as
 * possible.
 */
const FIRST_HITS = 2;
export const DEFAULT_LIMIT = 10;
const KEPT = 3;
const RELEVANT = 0.8;
/**
 * A search hit refers to a later turn of the same session if that turn contains at least 80% (by
 * weight) of the query words that the hit contains.
 */
const SAME_WORDS = 0.8;

export async function* searchSessions(options: SearchOptions): AsyncGenerator<SearchProgress, void, void> {
	const query = readQuery(options.query);
	if (!query) return yield { hits: [], total: 0, searched: 0, done: true };
	const search = new Search(query, options);
	let due = performance.now() + FIRST_MS;
	try {
		for (const { path, near = false } of options.rows) {
			if (search.isComplete) break;
			await search.scan(path, near);
			if (performance.now() < due) continue;
			yield await search.progress(READ_EARLY, false);
			due = performance.now() + PROGRESS_MS;
		}
		yield await search.progress(READ, true);
	} catch (error) {
		if (!options.signal?.aborted) throw error;
	}
}

export async function searchToEnd(options: SearchOptions): Promise<SearchProgress | undefined> {
	let last: SearchProgress | undefined;
	for await (const progress of searchSessions(options)) last = progress;
	return last?.done ? last : undefined;
}

class Search {
	readonly #scanner: Scanner;
	readonly #pace: Pace;
	#searched = 0;
	readonly #query: Query;
	readonly #options: SearchOptions;
	readonly #unread = new Map<string, FoundLine[]>();
	readonly #turns = new Map<string, SearchedTurn>();
	#hasReported = false;
	#waiting = 0;
	#parts = 0;
	#words = 0;

	constructor(query: Query, options: SearchOptions) {
		this.#query = query;
		this.#options = options;
		this.#scanner = new Scanner(query);
		this.#pace = new Pace(options.signal);
	}

	get isComplete(): boolean {
		return this.#scanner.isComplete;
	}

	async scan(path: string, near: boolean): Promise<void> {
		const source = { path, near, order: this.#searched, words: 0 };
		await this.#scanner.scan(path, (line) => this.#add({ ...line, source }), this.#pace.step);
		this.#options.signal?.throwIfAborted();
		this.#searched++;
	}

	#add(place: FoundLine): void {
		const { mask, at, source } = place;
		source.words |= mask;
		if (at !== undefined && !this.#isWanted(source, at)) return;
		const key = `${mask} ${source.near}`;
		const alike = this.#unread.get(key) ?? [];
		this.#unread.set(key, alike);
		if (alike.length < READ) alike.push(place);
		this.#waiting++;
	}

	async progress(count: number, done: boolean): Promise<SearchProgress> {
		for (const place of this.#mostPromising(count)) {
			await this.#readLine(place);
			await this.#pace.step();
		}
		const { limit = DEFAULT_LIMIT, onlyRelevant, onePerSession } = this.#options;
		const corpus = this.#corpus();
		const ranked = this.#ranked(corpus);
		const least = onlyRelevant ? RELEVANT * (ranked[0]?.score ?? 0) : 0;
		const alike = new Map<string, Read[]>();
		for (const { part, score } of ranked) {
			const key = onePerSession ? part.source.path : part.text;
			const same = alike.get(key) ?? [];
			if (same.length > 0 || alike.size < KEPT || score >= least) alike.set(key, [...same, part]);
		}
		const parts = ranked.map(({ part }) => part);
		const hits: SearchHit[] = [];
		const most = this.#hasReported || done ? limit : Math.min(limit, FIRST_HITS);
		for (const [best, ...copies] of [...alike.values()].slice(0, most)) {
			if (!best) continue;
			best.shown ??= await this.#shown(best, corpus.weights);
			const { source, entryId, start: offset, at, by, shown } = best;
			const later = laterThan(best, parts, corpus.weights);
			const count = onePerSession ? 1 : copies.length + 1;
			hits.push({ path: source.path, entryId, offset, at, by, ...shown, count, later });
			await this.#pace.step();
		}
		this.#hasReported ||= hits.length > 0;
		return { hits, total: ranked.length + this.#waiting, searched: this.#searched, done };
	}

	#ranked(corpus: Corpus): { part: Read; score: number }[] {
		const found = [...this.#turns.values()].flatMap((turn) => {
			const { source } = turn.parts[0] ?? {};
			const best = source && bestOf(turn, source.words, corpus);
			return best ? { part: best.part, score: best.score * (source.near ? NEAR : 1) } : [];
		});
		return found.sort(
			(one, other) =>
				rounded(other.score) - rounded(one.score) ||
				one.part.source.order - other.part.source.order ||
				other.part.start - one.part.start,
		);
	}

	#corpus(): Corpus {
		return {
			weights: this.#query.words.map((_, at) => this.#scanner.weightOf(at)),
			partLength: this.#words / this.#parts,
			turnLength: this.#words / this.#turns.size,
		};
	}

	async #shown({ source, start: offset, end, by }: Read, weights: readonly number[]): Promise<Shown> {
		const { path } = source;
		const { step } = this.#pace;
		source.secrets ??= await secretsInFile(path, step);
		const bytes = await partOfLog(path, offset, end - offset);
		const lines = await withOtherHalves(path, { bytes, offset });
		// A suspected secret that may be an ordinary word is redacted only where it was found.
		const revealed = [...(await secretsInLines(lines, step))].filter(isUnmistakable);
		const entries = await safeEntries(lines, new Set([...source.secrets, ...revealed]), step);
		const [own = [], others = []] = [true, false].map((isOwn) =>
			entries.flatMap((entry) => ((entry.offset === offset) === isOwn ? entry.texts : [])),
		);
		return shownOf(by, own, others, { query: this.#query, weights });
	}

	#mostPromising(count: number): FoundLine[] {
		const { weights } = this.#corpus();
		const weightOf = ([first]: readonly FoundLine[]) =>
			first ? sum(weights.filter((_, at) => first.mask & (1 << at))) * (first.source.near ? NEAR : 1) : 0;
		const groups = [...this.#unread.values()]
			.map((group) => ({ group, weight: weightOf(group) }))
			.sort((one, other) => other.weight - one.weight);
		const best: FoundLine[] = [];
		for (const { group } of groups) best.push(...group.splice(0, count - best.length));
		return best;
	}

	async #readLine(place: FoundLine): Promise<void> {
		this.#waiting--;
		const { source, start, end } = place;
		const bytes = withoutImages(await partOfLog(source.path, start, end - start));
		for (const entry of entriesOn({ bytes, offset: start })) {
			const { entryId, at, texts } = entry;
			if (!this.#isWanted(source, at)) continue;
			const key = `${source.path}:${place.turn}`;
			const turn = this.#turns.get(key) ?? { parts: [], ...noWords(this.#query.words) };
			this.#turns.set(key, turn);
			for (const part of partsWith(entry, this.#query)) {
				this.#parts++;
				this.#words += part.length;
				turn.length += part.length;
				turn.counts = turn.counts.map((count, word) => count + (part.counts[word] ?? 0));
				const { by } = part;
				if (by === "thought" || part.counts.every((count) => count === 0)) continue;
				// Messages are considered duplicates if their text is identical. Other entries must be byte-identical.
				const said = texts.flatMap((one) => (one.by === by ? [one.text] : [])).join("\n");
				const same = by === "user" || by === "assistant" ? said : bytes;
				const id = by + createHash("sha1").update(same).digest("base64");
				turn.parts.push({ ...place, ...part, by, entryId, at, text: id });
			}
		}
	}

	#isWanted({ path }: Source, at: number | undefined): boolean {
		const { asking, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = this.#options;
		if (at === undefined) return since === Number.NEGATIVE_INFINITY && until === Number.POSITIVE_INFINITY;
		return at >= since && at < until && !(path === asking?.path && at >= asking.from);
	}
}

function laterThan(hit: Read, ranked: readonly Read[], weights: readonly number[]): SearchHit["later"] {
	const shared = (other: Read) => sum(weights.filter((_, at) => hit.counts[at] && other.counts[at]));
	const [last] = ranked
		.filter(({ source, start }) => source === hit.source && start > hit.start)
		.filter((other) => shared(other) >= SAME_WORDS * shared(hit))
		.sort((one, other) => other.start - one.start);
	return last && { offset: last.start, at: last.at };
}

function rounded(score: number): number {
	return Math.round(20 * Math.log(score));
}

/** Finds lines that contain words of the query. For speed, the lines are not parsed as JSON. */

import { piecesOf, readLogSlowly, withoutImages } from "../../log/index.ts";
import { type Pace, readTime } from "../../text/index.ts";
import { mayHaveAccents, type Query } from "./query.ts";

export interface ScannedLine {
	start: number;
	end: number;
	/** Bit n is set if the line may contain the n-th word of the query. */
	mask: number;
	/** The byte offset of the user request that began the turn. */
	turn: number;
	at: number | undefined;
}

/** The number of bytes to read at a time. Lines that have more bytes are not searched. */
const CHUNK = 1024 * 1024;
const HEAD = 320;
const USER = '"role":"user"';

/**
 * After `THOROUGH` bytes, the scan ignores words that occur in more than 10% of the lines, because
 * searching for them takes too long.
 */
const THOROUGH = 32 * 1024 * 1024;
const COMMON = 0.1;
const LINE = 1_300;

export class Scanner {
	readonly #patterns: readonly RegExp[];
	readonly #scratch = Buffer.allocUnsafe(CHUNK);
	readonly #plainPatterns: readonly RegExp[];
	#anyWord: RegExp;
	#anyPlainWord: RegExp;
	#active: boolean[];
	readonly counts: number[];
	#linesForCommon = 0;
	#candidates = 0;
	bytes = 0;
	isComplete = false;

	constructor({ patterns, plainPatterns }: Query) {
		this.#patterns = patterns;
		this.#plainPatterns = plainPatterns;
		this.#active = patterns.map(() => true);
		this.counts = patterns.map(() => 0);
		this.#anyWord = this.#compile(this.#patterns);
		this.#anyPlainWord = this.#compile(this.#plainPatterns);
	}

	get lines(): number {
		return Math.max(this.#candidates, this.bytes / LINE, 1);
	}

	/** Rare words have a higher weight, as in BM25 (inverse document frequency). */
	weightOf(word: number): number {
		const lines = this.#active[word] ? this.lines : this.#linesForCommon;
		const count = Math.min(this.counts[word] ?? 0, lines);
		return Math.log(1 + (lines - count + 0.5) / (count + 0.5));
	}

	async scan(path: string, found: (line: ScannedLine) => void, step: Pace["step"]): Promise<void> {
		// If a file cannot be read completely, the lines that were found before the error are kept.
		await readLogSlowly(path, async (file) => {
			let turn = 0;
			for (const piece of piecesOf(file, { scratch: this.#scratch })) {
				const { start } = piece;
				const bytes = withoutImages(piece.bytes);
				if (bytes.length <= CHUNK) {
					const hidden = piece.bytes.length - bytes.length;
					turn = this.#scanPiece(bytes, { turn, start, hidden }, found);
				}
				// If every query word is too common, the search pattern matches everywhere, so the scan stops.
				if (this.isComplete) break;
				await step();
			}
			return { ok: true };
		});
	}

	#scanPiece(
		bytes: Buffer,
		piece: { turn: number; start: number; hidden: number },
		found: (line: ScannedLine) => void,
	): number {
		const { start: offset, hidden } = piece;
		const text = bytes.toString("latin1");
		const any = mayHaveAccents(bytes) ? this.#anyWord : this.#anyPlainWord;
		any.lastIndex = 0;
		let { turn } = piece;
		let user = text.indexOf(USER);
		for (let match = any.exec(text); match; match = any.exec(text)) {
			const start = text.lastIndexOf("\n", match.index) + 1;
			const newline = text.indexOf("\n", match.index);
			const end = newline < 0 ? text.length : newline;
			while (user >= 0 && user < Math.min(start + HEAD, end)) {
				turn = offset + text.lastIndexOf("\n", user) + 1;
				user = text.indexOf(USER, user + 1);
			}
			found({
				start: offset + start,
				end: offset + end + hidden,
				mask: this.#maskOf(text.slice(start, end)),
				turn,
				at: timeIn(text.slice(start, Math.min(start + HEAD, end))),
			});
			any.lastIndex = end;
		}
		if (this.bytes < THOROUGH && this.bytes + bytes.length >= THOROUGH) this.#leaveOutCommon();
		this.bytes += bytes.length;
		const last = text.lastIndexOf(USER);
		return last >= 0 ? offset + text.lastIndexOf("\n", last) + 1 : turn;
	}

	#maskOf(line: string): number {
		let mask = 0;
		for (const [at, pattern] of this.#patterns.entries()) {
			if (!pattern.test(line)) continue;
			mask |= 1 << at;
			if (this.#active[at]) this.counts[at] = (this.counts[at] ?? 0) + 1;
		}
		this.#candidates++;
		return mask;
	}

	#leaveOutCommon(): void {
		this.#linesForCommon = this.lines;
		this.#active = this.counts.map((count) => count < COMMON * this.lines);
		this.isComplete = !this.#active.includes(true);
		this.#anyWord = this.#compile(this.#patterns);
		this.#anyPlainWord = this.#compile(this.#plainPatterns);
	}

	#compile(patterns: readonly RegExp[]): RegExp {
		const sources = patterns.filter((_, at) => this.#active[at]).map(({ source }) => source);
		return new RegExp(sources.join("|"), "gi");
	}
}

function timeIn(head: string): number | undefined {
	return readTime(/"timestamp":\s?"([^"]{10,40})"/.exec(head)?.[1]);
}

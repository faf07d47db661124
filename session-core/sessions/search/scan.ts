/** Finds lines that contain words of the query, in one pass over the session files. Nothing is parsed here. */

import { piecesOf, readLogSlowly, withoutImages } from "../../log/index.ts";
import { type Pace, readTime } from "../../text/files/index.ts";
import { mayHaveAccents, type Query } from "./query.ts";

export interface ScannedLine {
	start: number;
	end: number;
	/** A bit mask: bit n is set if the n-th word of the query may occur in the line. */
	mask: number;
	/** Byte offset of the request whose turn the line belongs to; 0 before the first request. */
	turn: number;
	/** When the entry was written, in ms; undefined if its time is not near the beginning of the line. */
	at: number | undefined;
}

/** Number of bytes that are read at once. The number is also the maximum length of a line that is searched, not counting its images. */
const CHUNK = 1024 * 1024;
/** Number of bytes at the beginning of a line that contain the type and the role of its entry. */
const HEAD = 320;
const USER = '"role":"user"';

/**
 * After `THOROUGH` bytes, words that occur in more than the fraction `COMMON` of the lines are skipped, because they are not worth the
 * time.
 */
const THOROUGH = 32 * 1024 * 1024;
const COMMON = 0.1;
/** Average length of a line in bytes, used to estimate the number of lines. */
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

	/** Returns the weight of a word, which is higher for rare words (BM25's inverse document frequency). */
	weightOf(word: number): number {
		const lines = this.#active[word] ? this.lines : this.#linesForCommon;
		const count = Math.min(this.counts[word] ?? 0, lines);
		return Math.log(1 + (lines - count + 0.5) / (count + 0.5));
	}

	/** Passes one file's candidates to `found`, in file order. `step` is called after each piece of the file. */
	async scan(path: string, found: (line: ScannedLine) => void, step: Pace["step"]): Promise<void> {
		// If a file cannot be read to its end, what was found before that point is kept.
		await readLogSlowly(path, async (file) => {
			let turn = 0;
			for (const piece of piecesOf(file, { scratch: this.#scratch })) {
				const { start } = piece;
				const bytes = withoutImages(piece.bytes);
				if (bytes.length <= CHUNK) {
					/** The size of the images that were left out of a long line. */
					const hidden = piece.bytes.length - bytes.length;
					turn = this.#scanPiece(bytes, { turn, start, hidden }, found);
				}
				// Without this check, a scan without remaining words would match an empty pattern everywhere and never end.
				if (this.isComplete) return;
				await step();
			}
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
			// Finds the request to which this line belongs. The line may itself be the request.
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

	/** Excludes common words from the rest of the scan. If there are no rarer words, the scan is complete. */
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

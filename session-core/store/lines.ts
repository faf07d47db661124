const NEWLINE = 0x0a;

/** One line of a file, without its newline. The bytes are a view: they hold as long as the buffer behind them. */
export interface Line {
	bytes: Buffer;
	/** Offset of its first byte in the file. */
	offset: number;
}

/** The lines of a buffer whose first byte stands at `offset` in the file. Only `\n` ends a line, never U+2028. */
export function* linesOf(bytes: Buffer, offset = 0): Generator<Line> {
	let start = 0;
	while (start < bytes.length) {
		const newline = bytes.indexOf(NEWLINE, start);
		const end = newline < 0 ? bytes.length : newline;
		if (end > start) yield { bytes: bytes.subarray(start, end), offset: offset + start };
		start = end + 1;
	}
}

/** The same lines, last first: the end of a session is read without touching the rest. */
export function* linesFromEnd(bytes: Buffer, offset = 0): Generator<Line> {
	let end = bytes.length;
	while (end > 0) {
		const newline = bytes.lastIndexOf(NEWLINE, end - 1);
		if (end - newline > 1) yield { bytes: bytes.subarray(newline + 1, end), offset: offset + newline + 1 };
		end = Math.max(newline, 0);
	}
}

/** What a {@link LineSplitter} gives: a line, or notice of one that was too long to keep. */
export type ChunkedLine = Line | { tooLong: true; offset: number };

/**
 * Lines from chunks that follow each other. A line above `maxBytes` is passed over without being put together. Chunks must stay
 * unchanged until the line that they end in was given.
 */
export class LineSplitter {
	readonly #maxBytes: number;
	#parts: Buffer[] = [];
	#held = 0;
	#lineStart: number;
	#chunkStart: number;

	constructor(maxBytes: number, offset = 0) {
		this.#maxBytes = maxBytes;
		this.#lineStart = this.#chunkStart = offset;
	}

	/** The lines that this chunk ends. */
	*add(chunk: Buffer): Generator<ChunkedLine> {
		let from = 0;
		while (from < chunk.length) {
			const newline = chunk.indexOf(NEWLINE, from);
			const end = newline < 0 ? chunk.length : newline;
			this.#held += end - from;
			if (this.#held <= this.#maxBytes) this.#parts.push(chunk.subarray(from, end));
			else this.#parts = [];
			if (newline < 0) break;
			yield* this.end();
			from = newline + 1;
			this.#lineStart = this.#chunkStart + from;
		}
		this.#chunkStart += chunk.length;
	}

	/** The line that nothing ended. */
	*end(): Generator<ChunkedLine> {
		if (this.#held > 0) yield finished(this.#parts, this.#held, this.#maxBytes, this.#lineStart);
		this.#parts = [];
		this.#held = 0;
	}
}

function finished(parts: Buffer[], held: number, maxBytes: number, offset: number): ChunkedLine {
	if (held > maxBytes) return { tooLong: true, offset };
	const [first] = parts;
	return { bytes: parts.length === 1 && first ? first : Buffer.concat(parts), offset };
}

/** Drops what stands before the first newline: the end of a line that began before the buffer did. */
export function afterFirstNewline(bytes: Buffer): { bytes: Buffer; dropped: number } {
	const newline = bytes.indexOf(NEWLINE);
	const dropped = newline < 0 ? bytes.length : newline + 1;
	return { bytes: bytes.subarray(dropped), dropped };
}

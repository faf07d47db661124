import { Pace } from "../pace.ts";
import { errorIn, type FileStamp, type NotOpened, openLater } from "../regular-file.ts";

const NEWLINE = 0x0a;

/** A line of a file, without its newline. `bytes` is a view of a buffer and is valid only as long as the buffer is. */
export interface Line {
	bytes: Buffer;
	/** The offset of the line's first byte in the file. */
	offset: number;
}

/** Yields the lines in a buffer that begins at `offset` in the file. Only `\n` ends a line; U+2028 does not. */
export function* linesOf(bytes: Buffer, offset = 0): Generator<Line> {
	let start = 0;
	while (start < bytes.length) {
		const newline = bytes.indexOf(NEWLINE, start);
		const end = newline < 0 ? bytes.length : newline;
		if (end > start) yield { bytes: bytes.subarray(start, end), offset: offset + start };
		start = end + 1;
	}
}

/** Yields the lines of {@link linesOf} in reverse order, so that the end of a session can be read without the rest. */
export function* linesFromEnd(bytes: Buffer, offset = 0): Generator<Line> {
	let end = bytes.length;
	while (end > 0) {
		const newline = bytes.lastIndexOf(NEWLINE, end - 1);
		if (end - newline > 1) yield { bytes: bytes.subarray(newline + 1, end), offset: offset + newline + 1 };
		end = Math.max(newline, 0);
	}
}

/** A line, or a note that a line was too long to keep. */
export type ChunkedLine = Line | { tooLong: true; offset: number };

/**
 * Splits consecutive chunks into lines. A line longer than `maxBytes` is skipped without being assembled. A chunk must not change until
 * every line that contains bytes of it has been returned.
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

	/** Yields the lines that end in this chunk. */
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

	/** Yields the last line if it does not end with a newline. */
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

/** Removes everything up to the first newline: the rest of a line that began before the buffer. */
export function afterFirstNewline(bytes: Buffer): { bytes: Buffer; dropped: number } {
	const newline = bytes.indexOf(NEWLINE);
	const dropped = newline < 0 ? bytes.length : newline + 1;
	return { bytes: bytes.subarray(dropped), dropped };
}

interface WholeOptions {
	/** Maximum length of a line in bytes; longer lines are skipped. Default: no limit. */
	maxLineBytes?: number;
	/** If this signal is aborted, reading stops early, without an error. */
	signal?: AbortSignal | undefined;
}

/** Bytes per read. */
const CHUNK = 1024 * 1024;

/**
 * Passes the lines of a regular file to `take` until it returns `"enough"`. Never blocks the event loop, even for a large file or a slow
 * disk, because it reads asynchronously and pauses between lines. If reading fails, the result says why.
 */
export async function wholeLines(
	path: string,
	take: (line: ChunkedLine) => "enough" | undefined,
	{ maxLineBytes = Number.POSITIVE_INFINITY, signal }: WholeOptions = {},
): Promise<{ ok: true; stamp: FileStamp } | NotOpened> {
	const opened = await openLater(path);
	if (!opened.ok) return opened;
	const { handle, stamp } = opened;
	try {
		const splitter = new LineSplitter(maxLineBytes);
		const pace = new Pace();
		const isEnough = async (lines: Iterable<ChunkedLine>) => {
			for (const line of lines) {
				if (take(line) === "enough") return true;
				if (pace.isDue) await pace.rest();
			}
			return signal?.aborted === true;
		};
		for (let at = 0; at < stamp.size; ) {
			const length = Math.min(CHUNK, stamp.size - at);
			const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
			if (bytesRead === 0) break;
			at += bytesRead;
			if (await isEnough(splitter.add(buffer.subarray(0, bytesRead)))) return { ok: true, stamp };
		}
		await isEnough(splitter.end());
		return { ok: true, stamp };
	} catch (error) {
		return errorIn(error);
	} finally {
		await handle.close();
	}
}

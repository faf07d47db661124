import { type FileStamp, type NotOpened, Pace, type RegularFile, readSpan } from "../text/files/index.ts";
import { readLogSlowly } from "./log-file.ts";

export const NEWLINE = 0x0a;

/** `bytes` excludes the newline, and is valid only until its buffer is reused. */
export interface Line {
	bytes: Buffer;
	offset: number;
}

/** Only `\n` ends a line; U+2028 does not. `offset` is the position of the buffer in the file. */
export function* linesOf(bytes: Buffer, offset = 0): Generator<Line> {
	for (let start = 0; start < bytes.length; ) {
		const newline = bytes.indexOf(NEWLINE, start);
		const end = newline < 0 ? bytes.length : newline;
		if (end > start) yield { bytes: bytes.subarray(start, end), offset: offset + start };
		start = end + 1;
	}
}

export function* linesFromEnd(bytes: Buffer, offset = 0): Generator<Line> {
	for (let end = bytes.length; end > 0; ) {
		const newline = bytes.lastIndexOf(NEWLINE, end - 1);
		if (end - newline > 1) yield { bytes: bytes.subarray(newline + 1, end), offset: offset + newline + 1 };
		end = Math.max(newline, 0);
	}
}

const CHUNK = 1024 * 1024;
/** Lines with more bytes than this are skipped. */
export const MAX_LINE_BYTES = 8 * CHUNK;

/** If the line is longer than 1 MB, `bytes` contains only its beginning. */
export interface EarlierLine extends Line {
	length: number;
}

const FIRST = 64 * 1024;
const BEGINNING = 4 * 1024;

/** Reads backward, so that the last line comes first. */
export function* linesBefore(file: RegularFile, before: number): Generator<EarlierLine> {
	let scratch: Buffer | undefined;
	for (let end = before, size = FIRST; end > 0; size = Math.min(size * 4, CHUNK)) {
		const start = Math.max(0, end - size);
		if (end - start > (scratch?.length ?? FIRST)) scratch = Buffer.allocUnsafe(size);
		const bytes = readSpan(file, start, end - start, scratch);
		const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
		if (start > 0 && (first === 0 || first === bytes.length)) {
			const offset = lineStart(file, start);
			const length = end - offset - (first === 0 ? 0 : 1);
			yield { bytes: readSpan(file, offset, length > CHUNK ? BEGINNING : length), offset, length };
			end = offset;
			continue;
		}
		for (const { bytes: line, offset } of linesFromEnd(bytes.subarray(first), start + first))
			yield { bytes: line, offset, length: line.length };
		end = start + first;
	}
}

function lineStart(file: RegularFile, before: number): number {
	for (let end = before; end > 0; end -= CHUNK) {
		const start = Math.max(0, end - CHUNK);
		const newline = readSpan(file, start, end - start).lastIndexOf(NEWLINE);
		if (newline >= 0) return start + newline + 1;
	}
	return 0;
}

export interface LineSpan {
	bytes: Buffer;
	start: number;
}

/** If `from` is in the middle of a line, that line is left out. */
export function wholeLinesBetween(file: RegularFile, from: number, to: number): LineSpan {
	if (from <= 0) return { bytes: readSpan(file, 0, to), start: 0 };
	// If the preceding byte is a newline, the first line is complete.
	const bytes = readSpan(file, from - 1, to - from + 1);
	const dropped = bytes.indexOf(NEWLINE) + 1 || bytes.length;
	return { bytes: bytes.subarray(dropped), start: from - 1 + dropped };
}

interface PieceOptions {
	/** Default: the beginning of the file. A line that begins before this position is left out. */
	from?: number;
	longest?: number | undefined;
	/** The length of this buffer determines how many bytes are read at once. */
	scratch?: Buffer;
}

/**
 * Each piece consists of whole lines and is valid until the next piece is read. A line that is longer than the buffer becomes a piece of
 * its own.
 */
export function* piecesOf(file: RegularFile, options: PieceOptions = {}): Generator<LineSpan> {
	const { from: begin = 0, longest = MAX_LINE_BYTES, scratch = Buffer.allocUnsafe(CHUNK) } = options;
	const { size } = file.stamp;
	/** True while the bytes belong to a line that is skipped, because it is too long or began before `from`. */
	let isRest = begin > 0;
	for (let start = Math.max(0, begin - 1), length = scratch.length; start < size; ) {
		const bytes = readSpan(file, start, Math.min(length, size - start), scratch);
		if (bytes.length === 0) return;
		// `lastIndexOf` is many times slower than `indexOf`, so a forward search first checks whether there is a newline.
		const first = bytes.indexOf(NEWLINE);
		const isOneLine = length > scratch.length || first < 0;
		const isLast = start + bytes.length >= size && (first < 0 || !isOneLine);
		const end = isLast ? bytes.length : (isOneLine ? first : bytes.lastIndexOf(NEWLINE)) + 1;
		if (end === 0 && !isRest && length < longest) {
			length = Math.min(length * 4, longest);
			continue;
		}
		const from = isRest ? first + 1 || end : 0;
		if (end > from) yield { bytes: bytes.subarray(from, end), start: start + from };
		isRest = end === 0;
		start += end || bytes.length;
		length = scratch.length;
	}
}

/** In a long line, a string of this many bytes without a space is treated as the data of an image. */
const IMAGE = 16 * 1024;

/** Removes image data from a line of more than 1 MB. A shorter line is returned as it is, without a copy. */
export function withoutImages(line: Buffer): Buffer {
	if (line.length <= CHUNK) return line;
	const kept: Buffer[] = [];
	let from = 0;
	for (let quote = line.indexOf('"'), next = 0; quote >= 0; quote = next) {
		next = line.indexOf('"', quote + 1);
		if (next - quote < IMAGE || line.subarray(quote, next).includes(" ")) continue;
		kept.push(line.subarray(from, quote + 1));
		from = next;
	}
	return Buffer.concat([...kept, line.subarray(from)]);
}

export const EVERY_LINE = { longest: Number.POSITIVE_INFINITY };

/** Passes lines to `take` until it returns `"enough"` or the signal is aborted. Pauses regularly, so that the event loop is not blocked. */
export async function wholeLines(
	path: string,
	take: (line: Line) => "enough" | undefined,
	{ signal, longest }: { signal?: AbortSignal | undefined; longest?: number } = {},
): Promise<{ ok: true; stamp: FileStamp } | NotOpened> {
	const pace = new Pace();
	return readLogSlowly(path, async (file) => {
		const read = { ok: true as const, stamp: file.stamp };
		for (const { bytes, start } of piecesOf(file, { longest })) {
			for (const line of linesOf(bytes, start)) {
				if (signal?.aborted || take(line) === "enough") return read;
				if (pace.isDue) await pace.rest();
			}
		}
		return read;
	});
}

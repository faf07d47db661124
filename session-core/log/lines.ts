import {
	type FileStamp,
	type NotOpened,
	Pace,
	type RegularFile,
	readSpan,
	type Steps,
} from "../text/files/index.ts";
import { readLogSlowly } from "./log-file.ts";

export const NEWLINE = 0x0a;

/**
 * The `bytes` of a line do not include the newline. They are valid only until their buffer is reused.
 */
export interface Line {
	bytes: Buffer;
	offset: number;
}

/** Splits bytes into lines at `\n`, but not at U+2028. `offset` is the position in the file. */
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

export const CHUNK = 1024 * 1024;
export const MAX_LINE_BYTES = 8 * CHUNK;
/**
 * The maximum length in bytes of a line that contains a request. The limit is high, because a request may
 * contain several images.
 */
export const LONGEST = 2 * MAX_LINE_BYTES;

export interface EarlierLine extends Line {
	length: number;
}

const FIRST = 64 * 1024;
const BEGINNING = 4 * 1024;

/**
 * Yields the lines that end before an offset, beginning with the last line. Yields undefined wherever
 * the search may pause.
 */
export function* linesBefore(file: RegularFile, before: number): Generator<EarlierLine | undefined> {
	let scratch: Buffer | undefined;
	for (let end = before, size = FIRST; end > 0; size = Math.min(size * 4, CHUNK)) {
		const start = Math.max(0, end - size);
		if (end - start > (scratch?.length ?? FIRST)) scratch = Buffer.allocUnsafe(size);
		const bytes = readSpan(file, start, end - start, scratch);
		const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
		if (start > 0 && (first === 0 || first === bytes.length)) {
			const offset = yield* lineStart(file, start);
			const length = end - offset - (first === 0 ? 0 : 1);
			yield { bytes: readSpan(file, offset, length > CHUNK ? BEGINNING : length), offset, length };
			end = offset;
			continue;
		}
		for (const { bytes: line, offset } of linesFromEnd(bytes.subarray(first), start + first))
			yield { bytes: line, offset, length: line.length };
		end = start + first;
		yield;
	}
}

/** The step size, in bytes, for searching a long line. Each step takes less than a millisecond. */
const SLICE = 256 * 1024;

function* lineStart(file: RegularFile, before: number): Steps<number> {
	const scratch = Buffer.allocUnsafe(SLICE);
	for (let end = before; end > 0; end -= SLICE) {
		const start = Math.max(0, end - SLICE);
		const bytes = readSpan(file, start, end - start, scratch);
		// `includes` is called first, because it is many times faster than `lastIndexOf`.
		if (bytes.includes(NEWLINE)) return start + bytes.lastIndexOf(NEWLINE) + 1;
		yield;
	}
	return 0;
}

export function* lineEnd(file: RegularFile, offset: number, most: number): Steps<number | undefined> {
	const scratch = Buffer.allocUnsafe(SLICE);
	const { size } = file.stamp;
	for (let at = offset; at < size; at += SLICE) {
		if (at - offset > most) return undefined;
		const newline = readSpan(file, at, Math.min(SLICE, size - at), scratch).indexOf(NEWLINE);
		if (newline >= 0) return at + newline + 1;
		yield;
	}
	return size;
}

export interface LineSpan {
	bytes: Buffer;
	start: number;
}

/** Returns the complete lines between two offsets. A line that begins before `from` is not included. */
export function wholeLinesBetween(file: RegularFile, from: number, to: number): LineSpan {
	if (from <= 0) return { bytes: readSpan(file, 0, to), start: 0 };
	const bytes = readSpan(file, from - 1, to - from + 1);
	const dropped = bytes.indexOf(NEWLINE) + 1 || bytes.length;
	return { bytes: bytes.subarray(dropped), start: from - 1 + dropped };
}

interface PieceOptions {
	/**
	 * The offset at which reading begins (default: 0). A line that begins before the offset is left out.
	 */
	from?: number;
	longest?: number | undefined;
	scratch?: Buffer;
}

/**
 * Yields a file in pieces of one or more complete lines. Each piece is valid only until the next piece
 * is read. A line that is longer than the buffer becomes a separate piece.
 */
export function* piecesOf(file: RegularFile, options: PieceOptions = {}): Generator<LineSpan> {
	const { from: begin = 0, longest = MAX_LINE_BYTES, scratch = Buffer.allocUnsafe(SLICE) } = options;
	const { size } = file.stamp;
	let isRest = begin > 0;
	for (let start = Math.max(0, begin - 1), length = scratch.length; start < size; ) {
		const bytes = readSpan(file, start, Math.min(length, size - start), scratch);
		if (bytes.length === 0) return;
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

/** The minimum length, in bytes, of a string without spaces that is treated as image data. */
const IMAGE = 16 * 1024;

/** Removes image data from a line longer than 1 MB. A shorter line is returned without being copied. */
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

/**
 * The number of bytes that are kept at each end of a long string. The limit allows for strings in which
 * every character is an escape sequence.
 */
const STRING_END = 160 * 1024;
const CUT = Buffer.from("\\n");

/**
 * Reads a long line without its images and without the middle of its long strings, because a line can
 * contain many megabytes of pasted text.
 */
export function* readLongLine(file: RegularFile, offset: number, length: number): Steps<Buffer> {
	const kept: Buffer[] = [];
	const partOf = (from: number, to: number) => readSpan(file, offset + from, to - from);
	let from = 0;
	for (const { start, end, isImage } of yield* longStringsIn(file, offset, length)) {
		kept.push(partOf(from, start));
		from = end;
		if (isImage) continue;
		const tail = partOf(end - STRING_END, end);
		kept.push(withoutCutEscape(partOf(start, start + STRING_END)), CUT, tail.subarray(escapeEnd(tail)));
		yield;
	}
	kept.push(partOf(from, length));
	return Buffer.concat(kept);
}

const BACKSLASH = 0x5c;
const ESCAPE = 6;

function withoutCutEscape(bytes: Buffer): Buffer {
	const last = bytes.lastIndexOf(BACKSLASH);
	if (last < bytes.length - ESCAPE) return bytes;
	let first = last;
	while (bytes[first - 1] === BACKSLASH) first--;
	return (last - first) % 2 === 1 && last === bytes.length - 1 ? bytes : bytes.subarray(0, first);
}

function escapeEnd(bytes: Buffer): number {
	let at = 1;
	while (at < bytes.length && bytes[at - 1] === BACKSLASH) at++;
	return at;
}

interface LongString {
	start: number;
	end: number;
	isImage: boolean;
}

function* longStringsIn(file: RegularFile, offset: number, length: number): Steps<LongString[]> {
	const found: LongString[] = [];
	const scratch = Buffer.allocUnsafe(SLICE);
	let start: number | undefined;
	let hasSpace = false;
	let slashes = 0;
	for (let at = 0; at < length; at += SLICE) {
		const text = readSpan(file, offset + at, Math.min(SLICE, length - at), scratch).toString("latin1");
		const slashesBefore = (index: number): number => {
			let first = index;
			while (text[first - 1] === "\\") first--;
			return index - first + (first === 0 ? slashes : 0);
		};
		for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote + 1)) {
			const end = at + quote;
			if (start === undefined) {
				start = end + 1;
				hasSpace = false;
				continue;
			}
			if (slashesBefore(quote) % 2 === 1) continue;
			if (end - start >= IMAGE) {
				const isImage = !hasSpace && !text.slice(Math.max(0, start - at), quote).includes(" ");
				if (isImage || end - start > 2 * STRING_END) found.push({ start, end, isImage });
			}
			start = undefined;
		}
		if (start !== undefined) hasSpace ||= text.includes(" ", Math.max(0, start - at));
		slashes = slashesBefore(text.length);
		yield;
	}
	return found;
}

export const EVERY_LINE = { longest: Number.POSITIVE_INFINITY };

/**
 * Passes the lines of a file to `take` until `take` returns `"enough"` or the signal is aborted.
 * Reading pauses regularly, so that the event loop is not blocked.
 */
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

import { EntryCollector, type ParsedEntries } from "./entries.ts";
import { afterFirstNewline, LineSplitter, linesOf } from "./lines.ts";

/** How much of a file is read. In bytes. */
export interface FileLimits {
	/** Files up to this size are read whole. Default 2 MiB. */
	wholeBytes: number;
	/** Of longer ones, the beginning (header, first request). Default 64 KiB. */
	headBytes: number;
	/** And the end. Default 1 MiB. */
	tailBytes: number;
	/** The end is read again, doubled, up to this, while it holds no entry: the last line may be an image. Default 16 MiB. */
	maxTailBytes: number;
	/** Longer lines are passed over. Default 8 MiB. */
	lineBytes: number;
}

/** A part of the file that is wanted next; undefined: nothing is, and others may have their turn. */
export type Wanted = { position: number; length: number } | undefined;

/** Reads a session by asking for its parts: whoever answers decides whether the event loop waits for the disk. */
export type SessionSteps = Generator<Wanted, ParsedEntries, Buffer>;

const CHUNK = 1024 * 1024;

export function isReadWhole(size: number, { wholeBytes, headBytes }: FileLimits): boolean {
	return size <= Math.max(wholeBytes, headBytes);
}

export function* sessionSteps(size: number, limits: FileLimits): SessionSteps {
	const collector = new EntryCollector();
	if (isReadWhole(size, limits)) yield* addWhole(collector, size, limits.lineBytes);
	else yield* addEnds(collector, size, limits);
	return collector.parsed;
}

function* addWhole(
	collector: EntryCollector,
	size: number,
	lineBytes: number,
): Generator<Wanted, void, Buffer> {
	const splitter = new LineSplitter(lineBytes);
	for (let position = 0; position < size; position += CHUNK) {
		const chunk = yield { position, length: Math.min(CHUNK, size - position) };
		// It was cut off meanwhile.
		if (chunk.length === 0) break;
		for (const line of splitter.add(chunk)) {
			collector.add(line);
			yield undefined;
		}
	}
	for (const line of splitter.end()) collector.add(line);
}

function* addEnds(
	collector: EntryCollector,
	size: number,
	limits: FileLimits,
): Generator<Wanted, void, Buffer> {
	const head = yield { position: 0, length: Math.min(limits.headBytes, size) };
	const cut = head.lastIndexOf(0x0a) + 1;
	for (const line of linesOf(head.subarray(0, cut))) collector.add(line);
	collector.skipGap();
	const before = collector.parsed.entries.length;
	// Never a byte before `cut`: that is the beginning's.
	for (let bytes = limits.tailBytes; ; bytes *= 2) {
		const start = Math.max(cut, size - bytes);
		yield* addTail(collector, { start, size, lineBytes: limits.lineBytes });
		if (collector.parsed.entries.length > before || start === cut || bytes >= limits.maxTailBytes) return;
	}
}

/** The lines that stand whole behind `start`. */
function* addTail(
	collector: EntryCollector,
	{ start, size, lineBytes }: { start: number; size: number; lineBytes: number },
): Generator<Wanted, void, Buffer> {
	// One byte more on the left: if that is a newline, the first line is whole.
	const from = Math.max(0, start - 1);
	const span = yield { position: from, length: size - from };
	const { bytes, dropped } = start === 0 ? { bytes: span, dropped: 0 } : afterFirstNewline(span);
	const splitter = new LineSplitter(lineBytes, from + dropped);
	for (const line of splitter.add(bytes)) {
		collector.add(line);
		yield undefined;
	}
	for (const line of splitter.end()) collector.add(line);
}

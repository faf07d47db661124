import type { FileHandle } from "node:fs/promises";
import { Pace } from "../pace.ts";
import {
	errorIn,
	type FileStamp,
	type OpenFailure,
	openLater,
	readRegular,
	readSpan,
} from "../regular-file.ts";
import {
	EntryCollector,
	isSessionLog,
	MAX_LINE_BYTES,
	type ParsedEntries,
	type SessionHeader,
	UNREADABLE,
} from "./entries.ts";
import type { Entry, SessionSource } from "./entry.ts";
import { afterFirstNewline, LineSplitter, linesOf } from "./lines.ts";

/**
 * A session that is read from its file and behaves as in the host: the leaf is the last entry, and of
 * several equal ids the later one counts.
 */
export interface SessionFile extends SessionSource {
	readonly path: string;
	readonly stamp: FileStamp;
	/** Undefined if its line is lost; the host would not read such a file at all. */
	readonly header: SessionHeader | undefined;
	/** A part between beginning and end was not read. */
	readonly truncated: boolean;
	readonly badLines: number;
	readonly longLines: number;
}

export type SessionFileFailure = OpenFailure | "empty" | "not_session";

export type SessionFileOutcome =
	| { ok: true; session: SessionFile }
	| { ok: false; reason: SessionFileFailure; detail: string };

const KIB = 1024;
const DEFAULTS: FileLimits = {
	wholeBytes: 2_048 * KIB,
	headBytes: 64 * KIB,
	tailBytes: 1_024 * KIB,
	maxTailBytes: 16_384 * KIB,
	lineBytes: MAX_LINE_BYTES,
};

/**
 * Reads a session file synchronously within bounds that keep it fast: at most a few megabytes. Opens for reading only, because the host's
 * own opening rewrites old versions.
 */
export function openSessionFile(path: string, limits: Partial<FileLimits> = {}): SessionFileOutcome {
	return readRegular(path, (file): SessionFileOutcome => {
		const bounds = { ...DEFAULTS, ...limits };
		const steps = sessionSteps(file.stamp.size, bounds);
		let step = steps.next();
		while (!step.done) {
			const { value: wanted } = step;
			step = steps.next(wanted ? readSpan(file, wanted.position, wanted.length) : NOTHING);
		}
		return outcomeOf(path, file.stamp, step.value, bounds);
	});
}

export interface ReadOptions extends Partial<FileLimits> {
	/** Stops reading; the entries read so far are used. */
	signal?: AbortSignal | undefined;
}

/** The same without blocking the event loop: reads are asynchronous, and it yields between lines. */
export async function readSessionFile(
	path: string,
	{ signal, ...limits }: ReadOptions = {},
): Promise<SessionFileOutcome> {
	const opened = await openLater(path);
	if (!opened.ok) return opened;
	const { handle, stamp } = opened;
	const bounds = { ...DEFAULTS, ...limits };
	try {
		const pace = new Pace();
		const steps = sessionSteps(stamp.size, bounds);
		let step = steps.next();
		while (!step.done) {
			const { value: wanted } = step;
			if (!wanted && pace.isDue) await pace.rest();
			// A sentinel with which a reader stops.
			const isOver = !wanted || signal?.aborted;
			step = steps.next(isOver ? NOTHING : await readPart(handle, wanted));
		}
		return outcomeOf(path, stamp, step.value, bounds);
	} catch (error) {
		return errorIn(error);
	} finally {
		await handle.close();
	}
}

/** Reads a complete session file of any size. */
export function readWholeSession(
	path: string,
	options: Pick<ReadOptions, "signal"> = {},
): Promise<SessionFileOutcome> {
	return readSessionFile(path, { ...options, wholeBytes: Number.POSITIVE_INFINITY });
}

const NOTHING = Buffer.alloc(0);

async function readPart(
	handle: FileHandle,
	{ position, length }: { position: number; length: number },
): Promise<Buffer> {
	const target = Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await handle.read(target, filled, length - filled, position + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return target.subarray(0, filled);
}

function outcomeOf(
	path: string,
	stamp: FileStamp,
	parsed: ParsedEntries,
	limits: FileLimits,
): SessionFileOutcome {
	if (stamp.size === 0) return { ok: false, reason: "empty", detail: `${path} is empty` };
	const truncated = !isReadWhole(stamp.size, limits);
	if (isSessionLog(parsed)) return { ok: true, session: sourceOf(path, stamp, parsed, truncated) };
	return { ok: false, reason: "not_session", detail: `${path} is not a session of the host` };
}

function sourceOf(path: string, stamp: FileStamp, parsed: ParsedEntries, truncated: boolean): SessionFile {
	const { entries, headers, badLines, longLines } = parsed;
	const byId = new Map<string, Entry>();
	for (const entry of entries) {
		if (entry.type !== UNREADABLE || !byId.has(entry.id)) byId.set(entry.id, entry);
	}
	const leaf = entries.findLast((entry) => entry.type !== UNREADABLE);
	return {
		path,
		stamp,
		header: headers[0],
		truncated,
		badLines,
		longLines,
		getLeafEntry: () => leaf && byId.get(leaf.id),
		getEntry: (id) => byId.get(id),
		getEntries: () => [...entries],
	};
}

/** How much of a file is read. In bytes. */
export interface FileLimits {
	/** Files up to this size are read whole. Default 2 MiB. */
	wholeBytes: number;
	/** Of larger ones, the head (header, first request). Default 64 KiB. */
	headBytes: number;
	/** And the tail. Default 1 MiB. */
	tailBytes: number;
	/** The tail is read again, doubled, up to this, until it holds an entry: the last line may be an image. Default 16 MiB. */
	maxTailBytes: number;
	/** Longer lines are skipped. Default 8 MiB. */
	lineBytes: number;
}

/** The part of the file to read next; undefined: a point at which to yield. */
type Wanted = { position: number; length: number } | undefined;

/** Reads a session by requesting its parts; the caller reads them, synchronously or not. */
type SessionSteps = Generator<Wanted, ParsedEntries, Buffer>;

const CHUNK = 1024 * 1024;

function isReadWhole(size: number, { wholeBytes, headBytes }: FileLimits): boolean {
	return size <= Math.max(wholeBytes, headBytes);
}

function* sessionSteps(size: number, limits: FileLimits): SessionSteps {
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
		// The file was truncated meanwhile.
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
	// Bytes before `cut` belong to the head.
	for (let bytes = limits.tailBytes; ; bytes *= 2) {
		const start = Math.max(cut, size - bytes);
		yield* addTail(collector, { start, size, lineBytes: limits.lineBytes });
		if (collector.parsed.entries.length > before || start === cut || bytes >= limits.maxTailBytes) return;
	}
}

/** The lines that are complete after `start`. */
function* addTail(
	collector: EntryCollector,
	{ start, size, lineBytes }: { start: number; size: number; lineBytes: number },
): Generator<Wanted, void, Buffer> {
	// One byte more on the left: if that is a newline, the first line is complete.
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

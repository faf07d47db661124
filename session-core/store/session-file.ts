import type { Entry, SessionSource } from "../session/entry.ts";
import {
	EntryCollector,
	MAX_LINE_BYTES,
	type ParsedEntries,
	type SessionHeader,
	UNREADABLE,
} from "./entries.ts";
import { isSessionLog } from "./kind.ts";
import { linesOf, linesOfChunks } from "./lines.ts";
import {
	chunksOf,
	type FileStamp,
	type OpenFailure,
	type RegularFile,
	readRegular,
	readSpan,
} from "./regular-file.ts";
import { lastLines } from "./span.ts";
import { type WholeOptions, wholeLines } from "./whole-lines.ts";

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

/** A session read from its file, with the host's answers: the leaf is the last entry, of equal ids the later one counts. */
export interface SessionFile extends SessionSource {
	readonly path: string;
	readonly stamp: FileStamp;
	/** Undefined where its line is lost; the host would then not read the file at all. */
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
 * Reads a session file within bounds that keep it short: at once, so it is for a few megabytes at most. Opens for reading
 * only: the host's own opening rewrites old versions.
 */
export function openSessionFile(path: string, limits: Partial<FileLimits> = {}): SessionFileOutcome {
	return readRegular(path, (file): SessionFileOutcome => {
		const bounds = { ...DEFAULTS, ...limits };
		const whole = file.stamp.size <= Math.max(bounds.wholeBytes, bounds.headBytes);
		const parsed = whole ? readSmall(file, bounds) : readBeginningAndEnd(file, bounds);
		return outcomeOf(path, file.stamp, parsed, !whole);
	});
}

/** Reads a session file whole, whatever its size: asynchronously and in slices. */
export async function readWholeSession(
	path: string,
	options: Omit<WholeOptions, "maxLineBytes"> = {},
): Promise<SessionFileOutcome> {
	const collector = new EntryCollector();
	const read = await wholeLines(
		path,
		(line) => {
			collector.add(line);
			return undefined;
		},
		{ ...options, maxLineBytes: DEFAULTS.lineBytes },
	);
	return read.ok ? outcomeOf(path, read.stamp, collector.parsed, false) : read;
}

function outcomeOf(
	path: string,
	stamp: FileStamp,
	parsed: ParsedEntries,
	truncated: boolean,
): SessionFileOutcome {
	if (stamp.size === 0) return { ok: false, reason: "empty", detail: `${path} is empty` };
	if (isSessionLog(parsed)) return { ok: true, session: sourceOf(path, stamp, parsed, truncated) };
	return { ok: false, reason: "not_session", detail: `${path} is not a session of the host` };
}

function readSmall(file: RegularFile, limits: FileLimits): ParsedEntries {
	const collector = new EntryCollector();
	for (const line of linesOfChunks(chunksOf(file), limits.lineBytes)) collector.add(line);
	return collector.parsed;
}

function readBeginningAndEnd(file: RegularFile, limits: FileLimits): ParsedEntries {
	const collector = new EntryCollector();
	const head = readSpan(file, 0, limits.headBytes);
	const cut = head.lastIndexOf(0x0a) + 1;
	for (const line of linesOf(head.subarray(0, cut))) collector.add(line);
	collector.skipGap();
	addTail(collector, file, limits, cut);
	return collector.parsed;
}

/** Adds the end of the file, never a byte before `from`: that is the beginning's. */
function addTail(collector: EntryCollector, file: RegularFile, limits: FileLimits, from: number): void {
	const before = collector.parsed.entries.length;
	for (let bytes = limits.tailBytes; ; bytes *= 2) {
		const lines = lastLines(file, bytes, undefined, from);
		for (const line of linesOfChunks([lines.bytes], limits.lineBytes, lines.start)) collector.add(line);
		if (
			collector.parsed.entries.length > before ||
			bytes >= file.stamp.size - from ||
			bytes >= limits.maxTailBytes
		)
			return;
	}
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

import {
	type FileStamp,
	type OpenFailure,
	type RegularFile,
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
import { afterFirstNewline, type ChunkedLine, linesOf, wholeLines } from "./lines.ts";

/**
 * A session that is read from its file. As in the host, the leaf is the last entry, and if several entries have the same id, the last one
 * counts.
 */
export interface SessionFile extends SessionSource {
	readonly path: string;
	readonly stamp: FileStamp;
	/** The session's header; undefined if its line is lost. In that case, the host would not read the file at all. */
	readonly header: SessionHeader | undefined;
	/** Whether a section between the beginning and the end of the file was not read. */
	readonly truncated: boolean;
}

export type SessionFileFailure = OpenFailure | "empty" | "not_session";

type SessionFileOutcome =
	| { ok: true; session: SessionFile }
	| { ok: false; reason: SessionFileFailure; detail: string };

const NEWLINE = 0x0a;
const KIB = 1024;
const DEFAULTS: FileLimits = {
	wholeBytes: 2_048 * KIB,
	headBytes: 64 * KIB,
	tailBytes: 1_024 * KIB,
	maxTailBytes: 16_384 * KIB,
	requestBytes: 0,
	lineBytes: MAX_LINE_BYTES,
};

/**
 * Reads a session file synchronously. A small file is read completely; of a larger file, only the beginning and the end are read. The file
 * is never changed (the host, in contrast, would rewrite a file in an older format).
 */
export function openSessionFile(path: string, limits: Partial<FileLimits> = {}): SessionFileOutcome {
	return readRegular(path, (file): SessionFileOutcome => {
		const bounds = { ...DEFAULTS, ...limits };
		const collector = new EntryCollector();
		const isWhole = file.stamp.size <= bounds.wholeBytes;
		if (isWhole) addLines(collector, readSpan(file, 0, file.stamp.size), 0, bounds.lineBytes);
		else addEnds(collector, file, bounds);
		return outcomeOf(path, file.stamp, collector.parsed, !isWhole);
	});
}

export interface ReadOptions extends Partial<FileLimits> {
	/** If this signal is aborted, reading stops, and the entries that have been read so far are used. */
	signal?: AbortSignal | undefined;
}

/** Like {@link openSessionFile}, but without blocking the event loop. */
export async function readSessionFile(
	path: string,
	{ signal, ...limits }: ReadOptions = {},
): Promise<SessionFileOutcome> {
	const { wholeBytes, lineBytes } = { ...DEFAULTS, ...limits };
	const size = readRegular(path, ({ stamp }) => stamp.size);
	if (typeof size !== "number") return size;
	if (size > wholeBytes) return openSessionFile(path, limits);
	const collector = new EntryCollector();
	const take = (line: ChunkedLine) => {
		collector.add(line);
		return undefined;
	};
	const read = await wholeLines(path, take, { signal, maxLineBytes: lineBytes });
	return read.ok ? outcomeOf(path, read.stamp, collector.parsed, false) : read;
}

/** Reads a complete session file of any size. */
export function readWholeSession(
	path: string,
	options: Pick<ReadOptions, "signal"> = {},
): Promise<SessionFileOutcome> {
	return readSessionFile(path, { ...options, wholeBytes: Number.POSITIVE_INFINITY });
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

function sourceOf(path: string, stamp: FileStamp, parsed: ParsedEntries, truncated: boolean): SessionFile {
	const { entries, headers } = parsed;
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
		getLeafEntry: () => leaf && byId.get(leaf.id),
		getEntry: (id) => byId.get(id),
		getEntries: () => [...entries],
	};
}

/** Limits, in bytes, for reading a session file. */
interface FileLimits {
	/** Files up to this many bytes are read completely. Default: 2 MiB. */
	wholeBytes: number;
	/**
	 * Number of bytes that are read at the beginning of a file that is too large to be read completely (header, first request). Default: 64
	 * KiB.
	 */
	headBytes: number;
	/** Number of bytes that are read at the end of a file that is too large to be read completely. Default: 1 MiB. */
	tailBytes: number;
	/**
	 * Maximum length of the tail in bytes. If the tail contains no message, for example because the last one contains an image, its length
	 * is doubled until it contains a message or reaches this limit. Default: 16 MiB.
	 */
	maxTailBytes: number;
	/**
	 * A tail that is shorter than this, in bytes, is also doubled if it contains no message of the user. Default: 0, which means that it is
	 * not.
	 */
	requestBytes: number;
	/** Maximum length of a line in bytes. Longer lines are skipped. Default: 8 MiB. */
	lineBytes: number;
}

function addEnds(collector: EntryCollector, file: RegularFile, limits: FileLimits): void {
	const { size } = file.stamp;
	let head = readSpan(file, 0, Math.min(limits.headBytes, size));
	// The header alone can be longer than the head.
	for (let length = head.length * 4; !head.includes(NEWLINE) && head.length < limits.lineBytes; length *= 4) {
		const more = readSpan(file, 0, Math.min(length, size));
		if (more.length === head.length) break;
		head = more;
	}
	const cut = head.lastIndexOf(NEWLINE) + 1;
	addLines(collector, head.subarray(0, cut), 0, limits.lineBytes);
	collector.skipGap();
	// The bytes before `cut` belong to the head.
	for (let length = limits.tailBytes; ; length *= 2) {
		const start = Math.max(cut, size - length);
		// Includes the preceding byte. If that byte is a newline, the first line is complete.
		const from = Math.max(0, start - 1);
		const span = readSpan(file, from, size - from);
		const { bytes, dropped } = start === 0 ? { bytes: span, dropped: 0 } : afterFirstNewline(span);
		const isAsked = bytes.includes(USER);
		const isEnough = isAsked || (length >= limits.requestBytes && bytes.includes(AGENT));
		if (!isEnough && start > cut && length < limits.maxTailBytes) continue;
		addLines(collector, bytes, from + dropped, limits.lineBytes);
		return;
	}
}

/** What a message of the user and of the agent contains in the host's and in other agents' files. In quoted JSON, it is escaped. */
const USER = '"role":"user"';
const AGENT = '"role":"assistant"';

function addLines(collector: EntryCollector, bytes: Buffer, offset: number, maxBytes: number): void {
	for (const line of linesOf(bytes, offset))
		collector.add(line.bytes.length > maxBytes ? { tooLong: true, offset: line.offset } : line);
}

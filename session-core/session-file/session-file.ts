import { headerAt } from "../agents/agents.ts";
import { readLog } from "../agents/log-file.ts";
import { type FileStamp, type OpenFailure, type RegularFile, readSpan } from "../regular-file.ts";
import {
	EntryCollector,
	isSessionLog,
	type ParsedEntries,
	readEntries,
	type SessionHeader,
	UNREADABLE,
} from "./entries.ts";
import type { Entry, SessionSource } from "./entry.ts";
import { type LineSpan, linesOf, MAX_LINE_BYTES, NEWLINE, wholeLinesBetween } from "./lines.ts";

/** As in the host, the leaf is the last entry, and if several entries have the same id, the last one counts. */
export interface SessionFile extends SessionSource {
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

const KIB = 1024;

/** Limits, in bytes, for reading a session file. */
const LIMITS = {
	/** Files up to this size are read completely. */
	wholeBytes: 2_048 * KIB,
	/** Number of bytes that are read at the beginning of a larger file, for its header and the first request. */
	headBytes: 64 * KIB,
	/** Number of bytes that are read at the end of a larger file. */
	tailBytes: 1_024 * KIB,
	/**
	 * Maximum length of the tail. If the tail contains no message, for example because the last one contains an image, its length is doubled
	 * until it contains a message or reaches this limit.
	 */
	maxTailBytes: 16_384 * KIB,
	/** A tail that is shorter than this is also doubled if it contains no message of the user. */
	requestBytes: 0,
};

export type FileLimits = Partial<typeof LIMITS>;

/**
 * Reads a session file. A small file is read completely; of a larger file, only the beginning and the end are read. The file is never
 * changed (the host, in contrast, would rewrite a file in an older format).
 */
export function openSessionFile(path: string, limits: FileLimits = {}): SessionFileOutcome {
	return readLog(path, (file): SessionFileOutcome => {
		const bounds = { ...LIMITS, ...limits };
		const collector = new EntryCollector();
		const isWhole = file.stamp.size <= bounds.wholeBytes;
		if (isWhole) addLines(collector, { bytes: readSpan(file, 0, file.stamp.size), start: 0 });
		else addEnds(collector, file, bounds);
		return outcomeOf(path, file.stamp, collector.parsed, !isWhole);
	});
}

export async function readWholeSession(path: string): Promise<SessionFileOutcome> {
	const read = await readEntries(path);
	return read.ok ? outcomeOf(path, read.stamp, read.parsed, false) : read;
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
		stamp,
		header: headers[0] && headerAt(path, headers[0]),
		truncated,
		getLeafEntry: () => leaf && byId.get(leaf.id),
		getEntry: (id) => byId.get(id),
		getEntries: () => [...entries],
	};
}

function addEnds(collector: EntryCollector, file: RegularFile, limits: typeof LIMITS): void {
	const { size } = file.stamp;
	let head = readSpan(file, 0, limits.headBytes);
	// The header alone can be longer than the head.
	for (let length = head.length * 4; !head.includes(NEWLINE) && head.length < MAX_LINE_BYTES; length *= 4) {
		const more = readSpan(file, 0, Math.min(length, size));
		if (more.length === head.length) break;
		head = more;
	}
	const cut = head.lastIndexOf(NEWLINE) + 1;
	addLines(collector, { bytes: head.subarray(0, cut), start: 0 });
	collector.skipGap();
	for (let length = limits.tailBytes; ; length *= 2) {
		// The bytes before `cut` belong to the head.
		const from = Math.max(cut, size - length);
		const tail = wholeLinesBetween(file, from, size);
		const isAsked = tail.bytes.includes(USER);
		const isEnough = isAsked || (length >= limits.requestBytes && tail.bytes.includes(AGENT));
		if (isEnough || from === cut || length >= limits.maxTailBytes) {
			addLines(collector, tail);
			return;
		}
	}
}

/** What a message of the user and of the agent contains in the host's and in other agents' files. In quoted JSON, it is escaped. */
const USER = '"role":"user"';
const AGENT = '"role":"assistant"';

function addLines(collector: EntryCollector, { bytes, start }: LineSpan): void {
	for (const line of linesOf(bytes, start)) collector.add(line);
}

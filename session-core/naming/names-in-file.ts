import type { JsonObject } from "../json.ts";
import { parseLine } from "../store/line-objects.ts";
import {
	closeRegular,
	type OpenFailure,
	openRegular,
	type RegularFile,
	readSpan,
} from "../store/regular-file.ts";
import { type NameRecord, readNameRecord, TITLE_ENTRY } from "./record.ts";

/** How far back names are looked for, in bytes. */
const MAX_SCAN = 64 * 1024 * 1024;
const CHUNK = 512 * 1024;
/** Name and title records are short; a longer line is none. */
const MAX_RECORD = 64 * 1024;
/** What is read of the lines that others appended since a look. */
const MAX_APPENDED = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
const MARKS = ['"session_info"', `"${TITLE_ENTRY}"`] as const;

/** What the end of a session's file says of its name. */
export interface FileLook {
	/** The newest name and the newest title record, oldest first. */
	records: NameRecord[];
	/** Bytes up to the end of the last whole line. */
	end: number;
}

export type LookOutcome = { ok: true; look: FileLook } | { ok: false; reason: OpenFailure };

/**
 * The newest name and the newest title record of a file from `from` on, from one pass back over it: at most 64 MB,
 * nothing behind a symlink. Lines that cannot be read count for nothing.
 */
export function lookAtNames(path: string, from = 0): LookOutcome {
	const opened = openRegular(path);
	if (!opened.ok) return { ok: false, reason: opened.reason };
	try {
		const { size } = opened.file.stamp;
		const records = newestRecords(opened.file, from > size ? 0 : from, size);
		return { ok: true, look: { records, end: wholeEnd(opened.file, size) } };
	} catch {
		// It went away or the disk failed while it was read: the same as not readable.
		return { ok: false, reason: "unreadable" };
	} finally {
		closeRegular(opened.file);
	}
}

/** The entries on whole lines from `from` on, oldest first; of a very long piece, those at its end. */
export function entriesSince(path: string, from: number): JsonObject[] {
	const opened = openRegular(path);
	if (!opened.ok) return [];
	try {
		const { size } = opened.file.stamp;
		const start = Math.max(from, size - MAX_APPENDED);
		const bytes = readSpan(opened.file, start, Math.max(0, size - start));
		const whole = bytes.toString("utf8", 0, bytes.lastIndexOf(NEWLINE) + 1);
		return whole.split("\n").flatMap((line) => parseLine(line).objects);
	} catch {
		// Unreadable now: nothing is known to have been appended.
		return [];
	} finally {
		closeRegular(opened.file);
	}
}

function wholeEnd(file: RegularFile, size: number): number {
	for (let end = size; end > 0; end = Math.max(0, end - CHUNK)) {
		const start = Math.max(0, end - CHUNK);
		const newline = readSpan(file, start, end - start).lastIndexOf(NEWLINE);
		if (newline >= 0) return start + newline + 1;
	}
	return 0;
}

function newestRecords(file: RegularFile, from: number, size: number): NameRecord[] {
	const found = new Map<NameRecord["kind"], { at: number; record: NameRecord }>();
	const floor = Math.max(from, size - MAX_SCAN);
	for (let end = size; end > floor && found.size < 2; ) {
		const start = Math.max(floor, end - CHUNK);
		const bytes = readSpan(file, start, end - start);
		// The look begins at a line; every other piece begins somewhere in one.
		const first = start === from ? 0 : bytes.indexOf(NEWLINE) + 1;
		for (const { at, record } of recordsIn(bytes, first)) {
			if (!found.has(record.kind)) found.set(record.kind, { at: start + at, record });
		}
		// A record that lies across the cut is seen whole by the next look.
		end = start > floor ? start + Math.min(MAX_RECORD, (end - start) >> 1) : floor;
	}
	return [...found.values()].sort((a, b) => a.at - b.at).map(({ record }) => record);
}

/**
 * The records in these bytes from the line at `first` on, newest first. The mark alone may stand in anybody's text, so
 * the line is read, and never half a line: the end of a tool call's arguments could look like an entry.
 */
function* recordsIn(bytes: Buffer, first: number): Generator<{ at: number; record: NameRecord }> {
	const marks = MARKS.map((mark) => ({ mark, at: bytes.lastIndexOf(mark) }));
	for (;;) {
		const hit = Math.max(...marks.map(({ at }) => at));
		if (hit < first) return;
		const start = bytes.lastIndexOf(NEWLINE, hit) + 1;
		const newline = bytes.indexOf(NEWLINE, hit);
		if (newline >= 0 && newline - start <= MAX_RECORD) {
			for (const object of parseLine(bytes.toString("utf8", start, newline)).objects.reverse()) {
				const record = readNameRecord(object);
				if (record) yield { at: start, record };
			}
		}
		for (const found of marks) {
			if (found.at >= start) found.at = start === 0 ? -1 : bytes.lastIndexOf(found.mark, start - 1);
		}
	}
}

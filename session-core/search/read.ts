/** Reads the entries around one place of a session file, whatever the file's size. */

import type { JsonObject } from "../json.ts";
import { closeRegular, openRegular, type RegularFile, readSpan } from "../regular-file.ts";
import { syntheticId } from "../session-file/entries.ts";
import { parseLine } from "../session-file/parse-line.ts";
import { redact, secretsIn } from "../text/redact.ts";
import { cleanText } from "../text/sanitize.ts";
import { type EntryText, entryTexts, type Speaker } from "./entry-text.ts";

/** One entry as it may be shown: sanitized, redacted, clipped. */
export interface ReadEntry {
	/** Its place in the file: `@` and the offset in base 36. */
	place: string;
	entryId: string;
	/** Milliseconds since the epoch. */
	at: number | undefined;
	parts: { by: Speaker; text: string }[];
}

export type ReadOutcome =
	| { ok: true; entries: ReadEntry[]; earlier: string | undefined; later: string | undefined }
	| { ok: false; reason: "unreadable" | "not_found" };

/** Characters of the entry that was asked for, and of each one around it. */
const ASKED = 3_000;
const AROUND = 900;
/** Characters in all. */
const TOTAL = 7_400;
/** Bytes read at once, and of one line at most: a longer one is passed over. */
const CHUNK = 256 * 1024;
const MAX_LINE = 8 * 1024 * 1024;
/** Lines passed over on either side in search of entries that say something. */
const MAX_LINES = 400;

/**
 * The entries around `at`, an entry's id or its place (`@…`): `around` on either side of those that say something. A place is
 * found at once; an id is searched for from the beginning of the file.
 */
export function readAround(path: string, at: string, around: number): ReadOutcome {
	const opened = openRegular(path);
	if (!opened.ok) return { ok: false, reason: "unreadable" };
	const { file } = opened;
	try {
		const start = at.startsWith("@") ? placeOf(file, at) : offsetOf(file, at);
		if (start === undefined) return { ok: false, reason: "not_found" };
		const asked = lineAt(file, start);
		const before = entriesBefore(file, start, around);
		const after = entriesAfter(file, asked.end, around);
		const entries = [...before.found, ...entriesIn(asked.text, start), ...after.found];
		return { ok: true, entries: shown(entries, start), earlier: before.more, later: after.more };
	} catch {
		// The file failed while it was read.
		return { ok: false, reason: "unreadable" };
	} finally {
		closeRegular(file);
	}
}

/** The place of an entry, as a short word. */
export function placeName(offset: number): string {
	return `@${offset.toString(36)}`;
}

interface Found {
	offset: number;
	object: JsonObject;
	index: number;
	texts: EntryText[];
}

function entriesIn(line: string, offset: number): Found[] {
	return parseLine(line).objects.flatMap((object, index) => {
		const texts = entryTexts(object);
		return texts.length === 0 ? [] : [{ offset, object, index, texts }];
	});
}

function placeOf(file: RegularFile, at: string): number | undefined {
	const offset = Number.parseInt(at.slice(1).split(".")[0] ?? "", 36);
	if (!Number.isSafeInteger(offset) || offset < 0 || offset >= file.stamp.size) return undefined;
	// A line begins there, or it is no place of this file.
	return offset === 0 || readSpan(file, offset - 1, 1)[0] === NEWLINE ? offset : undefined;
}

const NEWLINE = 0x0a;

function offsetOf(file: RegularFile, id: string): number | undefined {
	if (!/^[\w-]{1,64}$/.test(id)) return undefined;
	const wanted = `"id":"${id}"`;
	const scratch = Buffer.allocUnsafe(1024 * 1024);
	for (let from = 0; from < file.stamp.size; ) {
		const bytes = readSpan(file, from, Math.min(scratch.length, file.stamp.size - from), scratch);
		if (bytes.length <= wanted.length) return undefined;
		for (let hit = bytes.indexOf(wanted); hit >= 0; hit = bytes.indexOf(wanted, hit + 1)) {
			const start = lineStart(file, from + hit);
			if (parseLine(lineAt(file, start).text).objects.some((object) => object["id"] === id)) return start;
		}
		if (from + bytes.length >= file.stamp.size) return undefined;
		from += bytes.length - wanted.length;
	}
	return undefined;
}

/** Where the line begins that holds this byte. */
function lineStart(file: RegularFile, offset: number): number {
	for (let end = offset; end > 0; ) {
		const from = Math.max(0, end - CHUNK);
		const newline = readSpan(file, from, end - from).lastIndexOf(NEWLINE);
		if (newline >= 0) return from + newline + 1;
		end = from;
	}
	return 0;
}

/** The line from its beginning; empty if it is too long. `end`: where the next one begins. */
function lineAt(file: RegularFile, start: number): { text: string; end: number } {
	const parts: Buffer[] = [];
	let at = start;
	while (at < file.stamp.size) {
		const bytes = readSpan(file, at, Math.min(CHUNK, file.stamp.size - at));
		if (bytes.length === 0) break;
		const newline = bytes.indexOf(NEWLINE);
		const part = newline < 0 ? bytes : bytes.subarray(0, newline);
		if (at - start <= MAX_LINE) parts.push(part);
		at += newline < 0 ? bytes.length : newline + 1;
		if (newline >= 0) break;
	}
	return { text: at - start > MAX_LINE ? "" : Buffer.concat(parts).toString("utf8"), end: at };
}

function entriesBefore(
	file: RegularFile,
	start: number,
	count: number,
): { found: Found[]; more: string | undefined } {
	const found: Found[] = [];
	let at = start;
	for (let lines = 0; lines < MAX_LINES && at > 0 && found.length < count; lines++) {
		at = lineStart(file, at - 1);
		found.unshift(...entriesIn(lineAt(file, at).text, at));
	}
	return { found, more: at > 0 && found[0] ? placeName(found[0].offset) : undefined };
}

function entriesAfter(
	file: RegularFile,
	start: number,
	count: number,
): { found: Found[]; more: string | undefined } {
	const found: Found[] = [];
	let at = start;
	for (let lines = 0; lines < MAX_LINES && at < file.stamp.size && found.length < count; lines++) {
		const line = lineAt(file, at);
		found.push(...entriesIn(line.text, at));
		at = line.end;
	}
	const last = found.at(-1);
	return { found, more: at < file.stamp.size && last ? placeName(last.offset) : undefined };
}

function shown(found: readonly Found[], asked: number): ReadEntry[] {
	const known = secretsIn(found.flatMap(({ texts }) => texts.map(({ text }) => text)));
	const nearest = found.map((entry) => entry.offset).indexOf(asked);
	let room = TOTAL;
	const entries = new Map<Found, ReadEntry>();
	// What was asked for takes its room first, then what stands nearest to it.
	for (const [index, entry] of [...found.entries()].sort(
		(a, b) => Math.abs(a[0] - nearest) - Math.abs(b[0] - nearest),
	)) {
		const each = Math.floor((index === nearest ? ASKED : AROUND) / entry.texts.length);
		const parts = entry.texts.map(({ by, text }) => {
			const clean = redact(cleanText(text.slice(0, 4 * each)), known);
			return { by, text: clipped(clean, Math.max(0, Math.min(each, room))) };
		});
		const length = parts.reduce((sum, { text }) => sum + text.length, 0);
		if (length === 0) continue;
		room -= length;
		entries.set(entry, readEntry(entry, parts));
	}
	return found.flatMap((entry) => entries.get(entry) ?? []);
}

function readEntry({ offset, object, index }: Found, parts: ReadEntry["parts"]): ReadEntry {
	const id = object["id"];
	const time = typeof object["timestamp"] === "string" ? Date.parse(object["timestamp"]) : Number.NaN;
	return {
		place: placeName(offset),
		entryId: typeof id === "string" ? id : syntheticId(offset, index),
		at: Number.isNaN(time) ? undefined : time,
		parts,
	};
}

/** Both ends of a text that is too long: what was done stands at its beginning, how it went at its end. */
function clipped(text: string, room: number): string {
	if (text.length <= room) return text;
	const tail = Math.floor(room / 3);
	return `${text.slice(0, room - tail).toWellFormed()} … ${text.slice(-tail).toWellFormed()}`;
}

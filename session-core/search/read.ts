/** Reads the entries around a position in a session file of any size. */

import { Pace } from "../pace.ts";
import { readRegular, readSpan } from "../regular-file.ts";
import { type Line, linesFromEnd, linesOf, MAX_LINE_BYTES, wholeLines } from "../session-file/lines.ts";
import { parseLine } from "../session-file/parse-line.ts";
import { secretsInFile } from "../session-file/secrets.ts";
import { safeText } from "../text/safe.ts";
import { type EntryText, entriesOf, type Safe, type Speaker, type TextEntry } from "./entry-text.ts";
import { withoutImages } from "./scan.ts";

export interface ReadEntry {
	/** The entry's position in the file: `@` followed by the byte offset in base 36. */
	place: string;
	entryId: string;
	at: number | undefined;
	parts: { by: Speaker; text: string }[];
}

export type ReadOutcome =
	| {
			ok: true;
			entries: ReadEntry[];
			/** The position of the next section of the entry, if it is too long to be shown completely. */
			next: string | undefined;
			earlier: string | undefined;
			later: string | undefined;
	  }
	| { ok: false; reason: "unreadable" | "not_found" };

/** Maximum number of characters of the requested entry, of each entry around it, and of it with the other halves of its calls. */
const AT = 4_000;
const AROUND = 200;
const TOTAL = 6_400;
/** A long entry is read in sections of `AT` characters, each of which begins this many characters after the previous one. */
const STEP = AT - 200;
/** Number of bytes that are read before and after the target position. Lines that exceed this limit are not shown. */
const WINDOW = MAX_LINE_BYTES;
/** Number of bytes before the target position that are searched for secrets, besides both ends of the file. */
const NEARBY = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Returns the entry `at`, which is given by its id or its position (`@…`), and up to `around` entries with text on either side. A position
 * is found immediately; to find an id, the file is searched from its beginning.
 */
export async function readAround(path: string, at: string, around: number): Promise<ReadOutcome> {
	const [, place, section = "1"] = /^@([0-9a-z]+)(?:\.([1-9]\d{0,4}))?$/.exec(at) ?? [];
	const start = place === undefined ? await offsetOf(path, at) : Number.parseInt(place, 36);
	const from = Math.max(0, (start ?? 0) - NEARBY);
	const nearby = { start: from, length: NEARBY + WINDOW };
	const safe = safeWith(await secretsInFile(path, new Pace().step, nearby));
	const read = readRegular(path, (file): ReadOutcome => {
		const { size } = file.stamp;
		if (start === undefined || !(start >= 0 && start < size)) return { ok: false, reason: "not_found" };
		const from = Math.max(0, start - WINDOW);
		const before = readSpan(file, from, start - from);
		if (start > 0 && before.at(-1) !== NEWLINE) return { ok: false, reason: "not_found" };
		const [line, ...after] = linesOf(readSpan(file, start, Math.min(WINDOW, size - start)), start);
		const halves = line ? otherHalves({ path, start, end: start + line.bytes.length }) : [];
		const own = (line ? [line, ...halves] : []).flatMap((half) => entriesIn(half, safe));
		const earlier = firstEntries(linesFromEnd(before, from), around, safe, halves).reverse();
		const later = firstEntries(after, around, safe, halves);
		const entries = [...earlier, ...own.toSorted((one, two) => one.offset - two.offset), ...later];
		const more = (side: readonly Found[], end: Found | undefined) =>
			end && side.length >= around ? placeName(end.offset) : undefined;
		const target = { start, section: Number(section) };
		const isCut = entries.some(
			({ offset, texts }) => offset === start && lengthOf(texts) > target.section * STEP + 200,
		);
		return {
			ok: true,
			entries: shown(entries, target, own),
			next: isCut ? placeName(start, target.section + 1) : undefined,
			earlier: more(earlier, earlier[0]),
			later: more(later, later.at(-1)),
		};
	});
	return read.ok || read.reason === "not_found" ? read : { ok: false, reason: "unreadable" };
}

/** Returns the short form of an entry's position in the file: `@…` or, for a later section of the entry, `@….2`. */
export function placeName(offset: number, section = 1): string {
	return `@${offset.toString(36)}${section > 1 ? `.${section}` : ""}`;
}

export function sectionAt(position: number): number {
	return Math.floor(position / STEP) + 1;
}

function lengthOf(texts: readonly { text: string }[]): number {
	return texts.reduce((sum, { text }) => sum + text.length, 0);
}

interface Target {
	start: number;
	section: number;
}

interface Found extends TextEntry {
	offset: number;
}

function entriesIn({ bytes, offset }: Line, safe: Safe): Found[] {
	return entriesOf(withoutImages(bytes), offset, safe).map((entry) => ({ ...entry, offset }));
}

/** Returns a function that makes the whole text of an entry safe to show, given the secrets that the session reveals elsewhere. */
export function safeWith(known: ReadonlySet<string>): Safe {
	return (text, ends) => safeText(text, known, ends);
}

/** Returns the bytes of a line without its images; empty if the file has just been removed or changed. */
export function bytesOf({ path, start, end }: { path: string; start: number; end: number }): Buffer {
	const read = readRegular(path, (file) => readSpan(file, start, end - start));
	return Buffer.isBuffer(read) ? withoutImages(read) : Buffer.alloc(0);
}

const OTHER_HALF: Readonly<Partial<Record<Speaker, Speaker>>> = { action: "result", result: "action" };

export function isOtherHalf(one: EntryText, other: EntryText): boolean {
	return one.call === other.call && one.by === OTHER_HALF[other.by];
}

/** Returns the lines near a line that contain the results of its calls, or the call that led to its result. */
export function otherHalves(place: { path: string; start: number; end: number }): Line[] {
	const { path, start, end } = place;
	const own = entriesOf(bytesOf(place), start).flatMap(({ texts }) => texts.filter(({ call }) => call));
	if (own.length === 0) return [];
	const from = Math.max(0, start - NEARBY);
	return [...linesOf(bytesOf({ path, start: from, end: end + NEARBY }), from)].filter(
		({ bytes, offset }) =>
			offset !== start &&
			own.some(({ call = "" }) => bytes.includes(call)) &&
			entriesOf(bytes, offset).some(({ texts }) =>
				texts.some((text) => own.some((one) => isOtherHalf(text, one))),
			),
	);
}

function firstEntries(lines: Iterable<Line>, count: number, safe: Safe, without: readonly Line[]): Found[] {
	const found: Found[] = [];
	for (const line of lines) {
		if (found.length >= count) break;
		if (without.every(({ offset }) => offset !== line.offset)) found.push(...entriesIn(line, safe));
	}
	return found;
}

async function offsetOf(path: string, id: string): Promise<number | undefined> {
	let offset: number | undefined;
	await wholeLines(path, (line) => {
		if (!line.bytes.includes(id)) return undefined;
		const { objects } = parseLine(line.bytes.toString("utf8"));
		if (!objects.some((object) => object["id"] === id)) return undefined;
		offset = line.offset;
		return "enough";
	});
	return offset;
}

/** `own`: the requested entry and the other halves of its calls. */
function shown(found: readonly Found[], { start, section }: Target, own: readonly Found[]): ReadEntry[] {
	return found.map(({ offset, entryId, at, texts }) => {
		if (offset === start) {
			const parts = sectionOf(texts, (section - 1) * STEP);
			return { place: placeName(offset, section), entryId, at, parts };
		}
		const isOwn = own.some((one) => one.offset === offset);
		const room = isOwn ? (TOTAL - AT) / (own.length - 1) : AROUND;
		const each = Math.floor(room / texts.length);
		const parts = texts.map(({ by, text }) => ({ by, text: clipped(text, each) }));
		return { place: placeName(offset), entryId, at, parts };
	});
}

/** Returns `AT` characters of the texts of an entry. */
function sectionOf(texts: ReadEntry["parts"], from: number): ReadEntry["parts"] {
	let before = 0;
	return texts.flatMap(({ by, text }) => {
		const [start, end] = [Math.max(0, from - before), from + AT - before];
		before += text.length;
		if (end <= 0 || start >= text.length) return [];
		const part = text.slice(start, end).toWellFormed();
		return [{ by, text: `${start > 0 ? "… " : ""}${part}${end < text.length ? " …" : ""}` }];
	});
}

/** Shortens a text that is too long to its beginning, which shows what was done, and its end, which shows the result. */
export function clipped(text: string, room: number): string {
	if (text.length <= room) return text;
	const tail = Math.floor(room / 3);
	return `${text.slice(0, room - tail).toWellFormed()} … ${text.slice(-tail).toWellFormed()}`;
}

import {
	type Line,
	linesBefore,
	linesOf,
	MAX_LINE_BYTES,
	parseLine,
	partOfLog,
	piecesOf,
	readLogSlowly,
	secretsInFile,
	wholeLines,
	withoutImages,
} from "../../log/index.ts";
import { Pace, type RegularFile, readSpan } from "../../text/index.ts";
import { type EntryText, entriesOn, type Speaker, safeEntries, type TextEntry } from "./entry-text.ts";

export interface ReadEntry {
	/** The position of the entry: `@` and the byte offset in base 36, such as `@1f`. */
	place: string;
	entryId: string;
	at: number | undefined;
	parts: { by: Speaker; text: string }[];
}

export type ReadOutcome =
	| {
			ok: true;
			entries: ReadEntry[];
			next: string | undefined;
			earlier: string | undefined;
			later: string | undefined;
	  }
	| { ok: false; reason: "unreadable" | "not_found" };

/**
 * Limits in characters: `AT` for the requested entry, `AROUND` for each neighboring entry, and `TOTAL` for
 * the requested entry with its calls and results.
 */
const AT = 4_000;
const AROUND = 200;
const TOTAL = 6_400;
const STEP = AT - 200;
const NEARBY = 256 * 1024;

/**
 * `at` is either an entry id or a position such as `@1f`. To find an id, the file is searched from its
 * beginning.
 */
export async function readAround(path: string, at: string, around: number): Promise<ReadOutcome> {
	const { step } = new Pace();
	const [, place, part = "1"] = /^@([0-9a-z]{1,10})(?:\.([1-9]\d{0,4}))?$/.exec(at) ?? [];
	const found = place === undefined ? await offsetOf(path, at) : Number.parseInt(place, 36);
	const start = found ?? 0;
	const section = Number(part);
	const read = await readLogSlowly(path, async (file) => {
		const lines = linesFrom(file, start);
		const { value: line } = lines.next();
		if (found === undefined || line?.offset !== start) return { ok: false, reason: "not_found" } as const;
		const own = await withOtherHalves(path, copied(line));
		await step();
		const before = firstLines(linesUpTo(file, start), around, own).reverse();
		await step();
		return { ok: true, own, before, after: firstLines(lines, around, own) } as const;
	});
	if (!read.ok) return { ok: false, reason: read.reason === "not_found" ? "not_found" : "unreadable" };
	const nearby = { start: Math.max(0, start - NEARBY), length: NEARBY + MAX_LINE_BYTES };
	const known = await secretsInFile(path, step, nearby);
	const safe = (lines: readonly Line[]) => safeEntries(lines, known, step);
	const own = (await safe(read.own)).toSorted((one, two) => one.offset - two.offset);
	const [earlier, later] = [await safe(read.before), await safe(read.after)];
	const more = (side: readonly TextEntry[], end: TextEntry | undefined) =>
		end && side.length >= around ? placeName(end.offset) : undefined;
	const lengthOf = ({ texts }: TextEntry) => texts.reduce((length, { text }) => length + text.length, 0);
	const isCut = own.some((entry) => entry.offset === start && lengthOf(entry) > section * STEP + 200);
	return {
		ok: true,
		entries: [
			...earlier.map((entry) => shortened(entry, AROUND)),
			...own.map((entry) =>
				entry.offset === start
					? sectionOf(entry, section)
					: shortened(entry, (TOTAL - AT) / (own.length - 1)),
			),
			...later.map((entry) => shortened(entry, AROUND)),
		],
		next: isCut ? placeName(start, section + 1) : undefined,
		earlier: more(earlier, earlier[0]),
		later: more(later, later.at(-1)),
	};
}

function* linesFrom(file: RegularFile, from: number): Generator<Line, undefined> {
	for (const { bytes, start } of piecesOf(file, { from })) {
		if (start > from + MAX_LINE_BYTES) return;
		yield* linesOf(bytes, start);
	}
}

function* linesUpTo(file: RegularFile, end: number): Generator<Line> {
	for (const line of linesBefore(file, end)) {
		if (!line) continue;
		const { bytes, offset, length } = line;
		if (offset < end - MAX_LINE_BYTES) return;
		yield { bytes: length > bytes.length ? readSpan(file, offset, length) : bytes, offset };
	}
}

/** The buffer will be reused for the next line, so the bytes are copied. */
function copied({ bytes, offset }: Line): Line {
	return { bytes: Buffer.from(bytes), offset };
}

export function placeName(offset: number, section = 1): string {
	return `@${offset.toString(36)}${section > 1 ? `.${section}` : ""}`;
}

export function sectionAt(position: number): number {
	return Math.floor(position / STEP) + 1;
}

const OTHER_HALF: Readonly<Partial<Record<Speaker, Speaker>>> = { action: "result", result: "action" };

export function isOtherHalf(one: EntryText, other: EntryText): boolean {
	return one.call === other.call && one.by === OTHER_HALF[other.by];
}

export async function withOtherHalves(path: string, line: Line): Promise<Line[]> {
	const calls = textsOn(line).filter(({ call }) => call);
	const from = Math.max(0, line.offset - NEARBY);
	const length = line.offset + line.bytes.length + NEARBY - from;
	const near = calls.length > 0 ? [...linesOf(await partOfLog(path, from, length), from)] : [];
	const others = near.filter(
		(other) =>
			other.offset !== line.offset &&
			calls.some(({ call = "" }) => other.bytes.includes(call)) &&
			textsOn(other).some((text) => calls.some((one) => isOtherHalf(text, one))),
	);
	return [line, ...others].map(({ bytes, offset }) => ({ bytes: withoutImages(bytes), offset }));
}

function textsOn(line: Line): EntryText[] {
	return entriesOn(line).flatMap(({ texts }) => texts);
}

function firstLines(lines: Iterable<Line>, count: number, without: readonly Line[]): Line[] {
	const found: Line[] = [];
	let entries = 0;
	for (const line of lines) {
		if (entries >= count) break;
		if (without.some(({ offset }) => offset === line.offset)) continue;
		const own = entriesOn(line).length;
		if (own > 0) found.push(copied(line));
		entries += own;
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

function shortened({ offset, entryId, at, texts }: TextEntry, room: number): ReadEntry {
	const each = Math.floor(room / texts.length);
	const parts = texts.map(({ by, text }) => ({ by, text: clipped(text, each) }));
	return { place: placeName(offset), entryId, at, parts };
}

function sectionOf({ offset, entryId, at, texts }: TextEntry, section: number): ReadEntry {
	const from = (section - 1) * STEP;
	let before = 0;
	const parts = texts.flatMap(({ by, text }) => {
		const [start, end] = [Math.max(0, from - before), from + AT - before];
		before += text.length;
		if (end <= 0 || start >= text.length) return [];
		const part = text.slice(start, end).toWellFormed();
		return [{ by, text: `${start > 0 ? "… " : ""}${part}${end < text.length ? " …" : ""}` }];
	});
	return { place: placeName(offset, section), entryId, at, parts };
}

/**
 * Keeps the beginning of a long text, which usually shows what was done, and the end, which usually
 * shows the result.
 */
export function clipped(text: string, room: number): string {
	if (text.length <= room) return text;
	const tail = Math.floor(room / 3);
	return `${text.slice(0, room - tail).toWellFormed()} … ${text.slice(-tail).toWellFormed()}`;
}

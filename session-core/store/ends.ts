import type { Recap } from "../recap/record.ts";
import { type Ending, readEnding } from "./ending.ts";
import { factsOnTop, type Named, type NameFacts } from "./names.ts";
import { type Opening, readOpening } from "./opening.ts";
import { newestRecords, type OwnRecords } from "./own-records.ts";
import { type RegularFile, readSpan } from "./regular-file.ts";
import { lastLines } from "./span.ts";
import type { SummaryRecord } from "./summary.ts";

/** How the host's lines of messages begin. */
const MESSAGE = '\n{"type":"message"';

/** Files up to this are read whole: a third read would cost more than the bytes between the ends. */
const SMALL = 128 * 1024;
/** Messages are counted in files up to this. */
const COUNTED = 32 * 1024;
const HEAD = 16 * 1024;
const TAIL = 64 * 1024;
/** Either end is read again, larger, up to this, where it does not hold what is looked for. */
export const MAX_END = 256 * 1024;

/** What the two ends of a session file say. */
export interface Ends {
	opening: Opening;
	ending: Ending;
	/** Newest recap record near the end. */
	recap: Recap | undefined;
	names: NameFacts;
	messageCount: number | undefined;
}

const ALL = ["name", "title", "recap"] as const;

/** Reads the ends of a session file, or the whole of a small one. Undefined for a file that is no session. */
export function readEnds(file: RegularFile, previous?: SummaryRecord, scratch?: Buffer): Ends | undefined {
	return file.stamp.size <= SMALL ? readSmall(file, scratch) : readBoth(file, previous, scratch);
}

function readSmall(file: RegularFile, scratch?: Buffer): Ends | undefined {
	const bytes = readSpan(file, 0, file.stamp.size, scratch);
	const opening = readOpening(bytes, false);
	if (!opening) return undefined;
	const { recap, ...newer } = newestRecords(bytes, ALL);
	const names = { newer, older: {}, gap: undefined };
	return { opening, ending: readEnding(bytes, 0), recap, names, messageCount: countMessages(bytes) };
}

function readBoth(file: RegularFile, previous?: SummaryRecord, scratch?: Buffer): Ends | undefined {
	const head = readHeadOf(file, scratch);
	if (!head) return undefined;
	const { opening } = head;
	const tail = readTailOf(file, scratch);
	const grown = previous?.summary.id === opening.header.id && previous.stamp.size <= file.stamp.size;
	const names =
		grown && previous.summary.nameSettled
			? factsOnTop(tail.records, tail.start, previous.names, previous.stamp.size)
			: factsOnTop(tail.records, tail.start, { newer: {}, older: head.named, gap: undefined }, head.end);
	return { opening, ending: tail.ending, recap: tail.records.recap, names, messageCount: undefined };
}

function readHeadOf(
	file: RegularFile,
	scratch?: Buffer,
): { opening: Opening; named: Named; end: number } | undefined {
	for (let length = HEAD; ; length *= 4) {
		const bytes = readSpan(file, 0, length, scratch);
		const opening = readOpening(bytes, bytes.length < file.stamp.size);
		if (!opening) return undefined;
		if (opening.firstPrompt || length >= MAX_END || length >= file.stamp.size) {
			return {
				opening,
				named: newestRecords(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1), ["name", "title"]),
				end: bytes.length,
			};
		}
	}
}

function readTailOf(
	file: RegularFile,
	scratch?: Buffer,
): { ending: Ending; records: OwnRecords; start: number } {
	for (let length = TAIL; ; length *= 2) {
		const { bytes, start } = lastLines(file, length, scratch);
		const ending = readEnding(bytes, start);
		if (ending.last || length >= MAX_END) return { ending, records: newestRecords(bytes, ALL), start };
	}
}

function countMessages(bytes: Buffer): number | undefined {
	if (bytes.length > COUNTED) return undefined;
	let count = 0;
	for (let at = bytes.indexOf(MESSAGE); at >= 0; at = bytes.indexOf(MESSAGE, at + 1)) count++;
	return count;
}

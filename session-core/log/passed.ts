/** Yields the entries of a session's branch from the end of its file, without reading anything that is not needed. */

import { type RegularFile, readSpan } from "../text/files/index.ts";
import { MAX_BREAKS } from "./branch.ts";
import { EntryCollector, GAP, type ParsedEntries, UNREADABLE } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { type EarlierLine, type Line, linesBefore, MAX_LINE_BYTES, withoutImages } from "./lines.ts";
import { hasRole } from "./message.ts";

export interface Passed {
	/** An entry. Its content is included only if it is wanted, or if the entry may contain a request. */
	entry: Entry;
	/** The offset at which the entry's line begins. */
	offset: number;
}

/** Yields the entries of the branch, beginning with its leaf. `window`: once it is full, content is no longer wanted. */
export function* passedIn(file: RegularFile, window: { readonly isFull: boolean }): Generator<Passed> {
	/** The id of the entry to yield next; undefined if that is the entry before the current one in the file. */
	let wanted: string | undefined;
	let before = file.stamp.size;
	let isBegun = false;
	/** Whether the wanted entry is one to which the user went back, in a log whose entries are in order. */
	let isBack = false;
	let misses = 0;
	for (let breaks = 0; breaks <= MAX_BREAKS; breaks++) {
		let rolledBack = 0;
		for (const line of linesBefore(file, before)) {
			const place = isBegun ? glanceAt(line) : undefined;
			const isWanted = wanted === undefined || place?.id === wanted;
			if (!isWanted && isBack && isSummaryLine(line) && !line.bytes.includes(lineOf(wanted))) break;
			if (!isWanted && !line.bytes.includes(`"${wanted}"`)) continue;
			// If only one entry is wanted, the other entries on its line have already been visited or are not part of the branch.
			const isWhole = isWanted && window.isFull && (wanted !== undefined || !holdsSeveral(line));
			const isSkipped = isWhole && !(place ? ASKING.includes(place.kind) : mayAsk(line));
			if (isSkipped && !place && !STEP_LINE.test(headOf(line))) continue;
			const read = isSkipped ? lightOf(place) : entriesOn(file, line, place);
			for (const entry of read.entries.toReversed()) {
				if (wanted !== undefined && entry.id !== wanted) {
					if (isBack && entry.type === "compaction") break;
					continue;
				}
				if (!isBegun && entry.type === UNREADABLE) continue;
				if (rolledBack > 0) {
					if (hasRole(entry, "user")) rolledBack--;
					continue;
				}
				isBegun = true;
				yield { entry, offset: line.offset };
				if (entry.parentId === null) return;
				wanted = entry.parentId === GAP ? undefined : entry.parentId;
				before = line.offset;
				const { branchAt } = entry;
				// After a compaction, prompts name much older lines as their parents, and before a compaction, lines may be repeated.
				if (branchAt === null && !hasSummary(file, before, entry.id)) return;
				isBack = typeof branchAt === "string" && misses < MAX_BREAKS;
				if (isBack) wanted = String(branchAt);
			}
			rolledBack += read.rolledBack;
			if (read.begins !== undefined && !continues(file, line.offset, read.begins)) return;
		}
		// No entry has the id of the parent. The preceding entry is most likely the parent, because the host only appends.
		if (wanted === undefined) return;
		wanted = undefined;
		if (!isBack) continue;
		isBack = false;
		misses++;
		breaks--;
	}
}

interface Place {
	id: string;
	/** The role of a message, or the type of any other entry. */
	kind: string;
	entry: Entry;
}

/** The kinds of entries whose content is always read. */
const ASKING = ["user", "compaction", "branch_summary"];

/** Number of bytes at the beginning of a line that contain the entry's ids and kind. */
const HEAD = 480;
/** Matches the beginning of an entry as the host writes it. */
const PLACE =
	/^\{"type":"(\w+)","id":"([^"\\]{1,64})","parentId":(?:null|"([^"\\]{1,64})"),"timestamp":"([^"\\]{0,40})"(?:,"message":\{"role":"(\w+)"(?:,"toolCallId":"([^"\\]{0,200})","toolName":"([^"\\]{0,100})")?)?/;

/** Returns the entry on a line without its content; undefined if another program wrote the line. */
export function glanceAt({ bytes }: Pick<Line, "bytes">): Place | undefined {
	const found = PLACE.exec(bytes.toString("latin1", 0, HEAD));
	if (!found) return undefined;
	const [, type = "", id = "", parentId = null, timestamp = "", role, toolCallId, toolName] = found;
	if (type === "session" || (type === "message" && role === undefined)) return undefined;
	// This content is used only for a request that is too long to be read, which means that it contains images.
	const content = role === "user" ? [{ type: "image" }] : [];
	const message = role === undefined ? {} : { message: { role, toolCallId, toolName, content } };
	return { id, kind: role ?? type, entry: { type, id, parentId, timestamp, ...message } };
}

/** Number of bytes at each end of a line of another program that show what kind of line it is. */
const SEEN = 2_048;
const ASKING_LINE =
	/"role":\s?"user"|"queued_command"|\\"answers\\":|"thread_rolled_back"|"session_meta"|"compacted"|"compaction"|"branch_summary"/;
const STEP_LINE = /"tool_result"|"function_call_output"|"custom_tool_call_output"|"role":\s?"toolResult"/;
/** Matches the text that marks a result with the user's answers to questions or the user's reason for a refusal. */
const ANSWERED = /"answers":|the user said:/;
const SUMMARY = /"isCompactSummary":\s?true|"This session is being continued from a previous conversation/;

const headOf = ({ bytes }: Line) => bytes.toString("latin1", 0, SEEN);
const tailOf = ({ bytes }: Line) => bytes.toString("latin1", Math.max(0, bytes.length - SEEN));

/** Whether a line may contain the user's words, a summary, or something that does not belong to the branch. */
function mayAsk(line: Line): boolean {
	const head = headOf(line);
	if (!ASKING_LINE.test(head)) return false;
	return !head.includes('"tool_result"') || ANSWERED.test(head) || ANSWERED.test(tailOf(line));
}

function isSummaryLine(line: Line): boolean {
	const head = headOf(line);
	if (!/"role":\s?"user"/.test(head) || head.includes('"tool_result"')) return false;
	return SUMMARY.test(head) || SUMMARY.test(tailOf(line));
}

type LineEntries = Pick<ParsedEntries, "entries" | "rolledBack" | "begins">;

/** A placeholder for a step whose line is not read. */
const STEP: Entry = { type: "message", id: "", parentId: GAP, message: { role: "toolResult" } };

function lightOf(place: Place | undefined): LineEntries {
	return { entries: [place?.entry ?? STEP], rolledBack: 0, begins: undefined };
}

/** Maximum length in bytes of a line that is read, because a request can contain several images. */
const LONGEST = 2 * MAX_LINE_BYTES;

function entriesOn(file: RegularFile, line: EarlierLine, place: Place | undefined): LineEntries {
	const { offset, length } = line;
	const isLong = length > line.bytes.length;
	if (isLong && ((place && place.kind !== "user") || length > LONGEST))
		return lightOf(place ?? glanceAt(line));
	const bytes = isLong ? withoutImages(readSpan(file, offset, length)) : line.bytes;
	return new EntryCollector().readAlone({ bytes, offset });
}

/** The characters that precede an object inside another object or array, apart from spaces. */
const INSIDE: ReadonlySet<number | undefined> = new Set(Buffer.from("[:,"));
const SPACE = 0x20;

/** Whether an entry begins within a line, because a newline was lost. In the text of a string, quotation marks are escaped. */
function holdsSeveral({ bytes }: Line): boolean {
	for (let at = bytes.indexOf('{"', 1); at >= 0; at = bytes.indexOf('{"', at + 2)) {
		let before = at - 1;
		while (bytes[before] === SPACE) before--;
		if (!INSIDE.has(bytes[before]) && /\w/.test(bytes.toString("latin1", at + 2, at + 3))) return true;
	}
	return false;
}

/** Whether a compaction, or an earlier line with this id, precedes a position in the log. */
function hasSummary(file: RegularFile, before: number, id: string): boolean {
	const repeated = lineOf(id);
	for (const line of linesBefore(file, before))
		if (isSummaryLine(line) || line.bytes.includes(repeated)) return true;
	return false;
}

/** Returns the text that only the line with this id contains in a log whose entries are in order. */
function lineOf(id = ""): string {
	return `"uuid":"${id}"`;
}

/** Whether a log continues a session that began earlier in the same file: a conversation's log can contain several sessions. */
function continues(file: RegularFile, before: number, session: unknown): boolean {
	for (const line of linesBefore(file, before)) {
		if (!line.bytes.includes('"session_meta"')) continue;
		const { begins } = entriesOn(file, line, undefined);
		if (begins !== undefined) return begins === session;
	}
	return false;
}

/**
 * This module reads a branch backward from the end of the session file and skips content that is not
 * needed.
 */

import type { RegularFile, Steps } from "../text/files/index.ts";
import { MAX_BREAKS } from "./branch.ts";
import { EntryCollector, GAP, type ParsedEntries, UNREADABLE } from "./entries.ts";
import { type Entry, hasRole } from "./entry.ts";
import { type EarlierLine, type Line, LONGEST, linesBefore, readLongLine } from "./lines.ts";

export interface Passed {
	entry: Entry;
	offset: number;
}

/**
 * Yields the entries of a branch from the leaf to the root. Once `window` is full, only the content of
 * requests and summaries is read. Yields undefined wherever the search may pause.
 */
export function* passedIn(
	file: RegularFile,
	window: { readonly isFull: boolean },
): Generator<Passed | undefined> {
	let wanted: string | undefined;
	let before = file.stamp.size;
	let isBegun = false;
	let isBack = false;
	let misses = 0;
	let commit: string | undefined;
	for (let breaks = 0; breaks <= MAX_BREAKS; breaks++) {
		let rolledBack = 0;
		for (const line of linesBefore(file, before)) {
			if (!line) {
				yield;
				continue;
			}
			const place = isBegun ? glanceAt(line) : undefined;
			const isWanted = wanted === undefined || place?.id === wanted;
			if (!isWanted && isBack && isSummaryLine(line) && !line.bytes.includes(lineOf(wanted))) break;
			if (!isWanted && !line.bytes.includes(`"${wanted}"`)) continue;
			const isWhole = isWanted && window.isFull && (wanted !== undefined || !holdsSeveral(line));
			const isSkipped = isWhole && !(place ? ASKING.includes(place.kind) : mayAsk(line));
			if (isSkipped) commit ??= commitIn(headOf(line));
			if (isSkipped && !place && !STEP_LINE.test(headOf(line))) continue;
			const read = isSkipped ? lightOf(place) : yield* entriesOn(file, line, place);
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
				yield { entry: commit === undefined ? entry : { ...entry, commit }, offset: line.offset };
				commit = undefined;
				if (entry.parentId === null) return;
				wanted = entry.parentId === GAP ? undefined : entry.parentId;
				before = line.offset;
				const { branchAt } = entry;
				// A prompt without a parent begins a branch, unless a summary or a copy precedes the prompt.
				if (branchAt === null && !(yield* hasSummary(file, before, entry.id))) return;
				isBack = typeof branchAt === "string" && misses < MAX_BREAKS;
				if (isBack) wanted = String(branchAt);
			}
			rolledBack += read.rolledBack;
			if (read.begins !== undefined && !(yield* continues(file, line.offset, read.begins))) return;
		}
		// If an entry's parent is missing, the preceding entry in the file is assumed to be the parent.
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
	kind: string;
	entry: Entry;
}

const ASKING = ["user", "compaction", "branch_summary"];

const HEAD = 480;
/** The regular expression relies on the fixed order in which pi writes an entry's fields. */
const PLACE =
	/^\{"type":"(\w+)","id":"([^"\\]{1,64})","parentId":(?:null|"([^"\\]{1,64})"),"timestamp":"([^"\\]{0,40})"(?:,"message":\{"role":"(\w+)"(?:,"toolCallId":"([^"\\]{0,200})","toolName":"([^"\\]{0,100})")?)?/;

/**
 * Returns undefined if an entry's fields are in an unusual order, because pi did not write such an
 * entry.
 */
export function glanceAt({ bytes }: Pick<Line, "bytes">): Place | undefined {
	const found = PLACE.exec(bytes.toString("latin1", 0, HEAD));
	if (!found) return undefined;
	const [, type = "", id = "", parentId = null, timestamp = "", role, toolCallId, toolName] = found;
	if (type === "session" || (type === "message" && role === undefined)) return undefined;
	const content = role === "user" ? [{ type: "image" }] : [];
	const message = role === undefined ? {} : { message: { role, toolCallId, toolName, content } };
	return { id, kind: role ?? type, entry: { type, id, parentId, timestamp, ...message } };
}

const SEEN = 2_048;
const ASKING_LINE =
	/"role":\s?"user"|"queued_command"|\\"answers\\":|"thread_rolled_back"|"session_meta"|"compacted"|"compaction"|"branch_summary"|"away_summary"/;
const STEP_LINE = /"tool_result"|"function_call_output"|"custom_tool_call_output"|"role":\s?"toolResult"/;
const ANSWERED = /"answers":|the user said:/;
const SUMMARY = /"isCompactSummary":\s?true|"This session is being continued from a previous conversation/;

const headOf = ({ bytes }: Line) => bytes.toString("latin1", 0, SEEN);
const tailOf = ({ bytes }: Line) => bytes.toString("latin1", Math.max(0, bytes.length - SEEN));

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

const STEP: Entry = { type: "message", id: "", parentId: GAP, message: { role: "toolResult" } };

function lightOf(place: Place | undefined): LineEntries {
	return { entries: [place?.entry ?? STEP], rolledBack: 0, begins: undefined };
}

/**
 * Within a JSON string, matches the line that `git commit` prints, such as
 * `[main 1a2b3c4] Fix the parser`.
 */
const PRINTED = /\[[^\]\\"]{1,100} [0-9a-f]{7,12}\] ((?:[^"\\]|\\["/]){1,200})/;
/** Matches the subject in `git commit -m "Fix the parser"`. The subject may be in a here-document. */
const MESSAGE =
	/git\b.{0,100}?\bcommit\b.{0,60}?\s-\w*m\s+(?:\\*["'$(@])*(?:cat <<-?\\*["']?\w+\\*["']?)?(?:\\+r?n)*([^\\"']{8,200})/;

/**
 * Matches everything up to the arguments of a tool call. Inside a string, quotation marks are escaped and
 * do not match.
 */
const CALL = /^[\s\S]*[^\\]"(?:action|args|arguments|input)":\s*["{]/;

/**
 * Returns false for a command that is only quoted in another command or in a file. Such a command is
 * preceded by an opening quotation mark other than the one that begins the JSON string.
 */
function isRun(before: string): boolean {
	const call = before.replace(CALL, "");
	const count = (mark: string): number => call.split(mark).length - 1;
	return call !== before && count('"') % 2 === 1 && count("'") % 2 === 0;
}

function commitIn(head: string): string | undefined {
	if (!head.includes("commit") && !head.includes("] ")) return undefined;
	const message = MESSAGE.exec(head);
	const isMade = message !== null && isRun(head.slice(0, message.index));
	const [, subject] = PRINTED.exec(head) ?? (isMade ? message : []);
	return subject && Buffer.from(subject.replaceAll("\\", ""), "latin1").toString("utf8");
}

function* entriesOn(file: RegularFile, line: EarlierLine, place: Place | undefined): Steps<LineEntries> {
	const { offset, length } = line;
	const isLong = length > line.bytes.length;
	if (isLong && ((place && place.kind !== "user") || length > LONGEST))
		return lightOf(place ?? glanceAt(line));
	const bytes = isLong ? yield* readLongLine(file, offset, length) : line.bytes;
	return new EntryCollector().readAlone({ bytes, offset });
}

const INSIDE: ReadonlySet<number | undefined> = new Set(Buffer.from("[:,"));
const SPACE = 0x20;

/**
 * A line contains two entries if a newline was lost. Quotation marks inside strings are escaped, so
 * `{"` always begins an object.
 */
function holdsSeveral({ bytes }: Line): boolean {
	for (let at = bytes.indexOf('{"', 1); at >= 0; at = bytes.indexOf('{"', at + 2)) {
		let before = at - 1;
		while (bytes[before] === SPACE) before--;
		if (!INSIDE.has(bytes[before]) && /\w/.test(bytes.toString("latin1", at + 2, at + 3))) return true;
	}
	return false;
}

function* hasSummary(file: RegularFile, before: number, id: string): Steps<boolean> {
	const repeated = lineOf(id);
	for (const line of linesBefore(file, before)) {
		if (!line) yield;
		else if (isSummaryLine(line) || line.bytes.includes(repeated)) return true;
	}
	return false;
}

function lineOf(id = ""): string {
	return `"uuid":"${id}"`;
}

/**
 * Returns true if the last metadata record before the offset `before` belongs to the given session. A
 * log may contain metadata records from several sessions.
 */
function* continues(file: RegularFile, before: number, session: unknown): Steps<boolean> {
	for (const line of linesBefore(file, before)) {
		if (!line) yield;
		if (!line?.bytes.includes('"session_meta"')) continue;
		const { begins } = yield* entriesOn(file, line, undefined);
		if (begins !== undefined) return begins === session;
	}
	return false;
}

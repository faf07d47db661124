import { type JsonObject, type RegularFile, readSpan, readTime, type Steps } from "../text/files/index.ts";
import {
	type ModelName,
	modelNamed,
	safeSessionId,
	shownLine,
	shownLineSteps,
	shownWord,
} from "../text/index.ts";
import { BRIEF, type BranchSlice, Window } from "./branch.ts";
import { beginsAsSession } from "./check-session.ts";
import { EntryCollector, isSessionLog, type SessionHeader } from "./entries.ts";
import { contentText, type Entry, hasRole, isMessageEntry, messageOf, readMessage } from "./entry.ts";
import { recordsIn } from "./foreign-titles.ts";
import { headerAt } from "./format.ts";
import {
	CHUNK,
	type Line,
	LONGEST,
	lineEnd,
	linesOf,
	NEWLINE,
	readLongLine,
	wholeLinesBetween,
} from "./lines.ts";
import type { NameFacts } from "./names-in-file.ts";
import { FileBranch } from "./session-file.ts";
import { stopReasonOf } from "./stop-reason.ts";
import { isDelegated, isRequest, userWords } from "./user-words.ts";

interface SessionHead {
	header: SessionHeader;
	hostReads: boolean;
	/**
	 * The user's first request as one line. The request may be a greeting if the beginning of the file
	 * contains no other request.
	 */
	firstPrompt: string | undefined;
	requests: readonly Entry[];
	/**
	 * True if the session contains entries that were copied from another session, for example by a fork.
	 * Copied entries are older than the header of the session file.
	 */
	copied: boolean;
	model: ModelName | undefined;
	isDelegated: boolean;
}

export interface SessionEnds<Recap> {
	file: RegularFile;
	head: SessionHead;
	newest: readonly Entry[];
	/**
	 * Returns the newest entries and up to `most` earlier requests. This method must not be called more
	 * than once.
	 */
	requests(most: number): Steps<BranchSlice>;
	last: LastMessage | undefined;
	names: NameFacts;
	recap: Recap | undefined;
}

interface EndsOptions<Recap> {
	scratch: Buffer;
	earlier: { id: string; size: number; names: NameFacts } | undefined;
	readRecap: (entry: JsonObject) => Recap | undefined;
}

export function* readEnds<Recap>(
	log: RegularFile,
	path: string,
	{ scratch, earlier, readRecap }: EndsOptions<Recap>,
): Steps<SessionEnds<Recap> | undefined> {
	const file = holdEnds(log, scratch);
	const { size } = file.stamp;
	const begin = yield* readHeadOf(file, path);
	if (!begin) return undefined;
	const { head, bytes } = begin;
	const { format, id } = head.header;
	const tail = wholeLinesBetween(file, size <= SMALL ? 0 : size - TAIL_BYTES, size);
	const { recap, ...newer } = recordsIn(tail.bytes, format, readRecap);
	const branch = yield* FileBranch.open(file, new Window(BRIEF), format.isInOrder);
	const { newest } = branch;
	const requests = (most: number) => branch.slice(() => head, most);
	const names = tail.start === 0 ? newer : withOlder();
	return { file, head, newest, requests, last: lastMessageIn(newest), names, recap };

	function withOlder(): NameFacts {
		const isGrown = earlier?.id === safeSessionId(id) && earlier.size <= size;
		const known = isGrown && earlier.names.gap === undefined ? earlier : undefined;
		const headEnd = bytes.lastIndexOf(NEWLINE) + 1;
		const older = known?.names ?? recordsIn(bytes.subarray(0, headEnd), format);
		const gap = known ? Math.max(0, known.size - TORN_LINE) : headEnd;
		const [isNamed, isTitled] = [newer.name !== undefined, newer.title !== undefined];
		// Agents other than pi repeat the title near the end of a log, so the rest of the log is not searched.
		const isFinal = format.titles.length > 0 ? isNamed || isTitled : isNamed && isTitled;
		return { ...older, ...newer, ...(gap < tail.start && !isFinal && { gap }) };
	}
}

/**
 * The overlap, in bytes, between two consecutive reads. Reads overlap because the last line of the
 * previous read may have been incomplete.
 */
const TORN_LINE = 8 * 1024;

const HEAD_BYTES = 16 * 1024;
const MAX_HEAD_BYTES = 128 * 1024;

function* readHeadOf(
	file: RegularFile,
	path: string,
): Steps<{ head: SessionHead; bytes: Buffer } | undefined> {
	const { size } = file.stamp;
	for (let length = size <= SMALL ? size : HEAD_BYTES; ; length *= 4) {
		const bytes = readSpan(file, 0, length);
		const end = bytes.length < size ? bytes.lastIndexOf(NEWLINE) + 1 : bytes.length;
		const isLong = length >= CHUNK && end <= MAX_HEAD_BYTES && end < bytes.length;
		const long = isLong ? yield* linesWithLongOne(file, end) : [];
		const lines = function* () {
			yield* linesOf(bytes.subarray(0, end));
			yield* long;
		};
		const head = yield* parseHead(lines(), path);
		// The first prompt may come late in the file, because a header can contain a long system prompt.
		const isEnough = head?.firstPrompt || end > MAX_HEAD_BYTES;
		if (isEnough || length >= CHUNK || length >= size)
			return head && { head: { ...head, hostReads: beginsAsSession(lines()) }, bytes };
	}
}

function* linesWithLongOne(file: RegularFile, offset: number): Steps<Line[]> {
	const end = yield* lineEnd(file, offset, LONGEST);
	if (end === undefined) return [];
	const bytes = yield* readLongLine(file, offset, end - offset);
	const after = readSpan(file, end, Math.min(MAX_HEAD_BYTES, file.stamp.size - end));
	return [{ bytes, offset }, ...linesOf(after.subarray(0, after.lastIndexOf(NEWLINE) + 1), end)];
}

function* parseHead(lines: Iterable<Line>, path: string): Steps<Omit<SessionHead, "hostReads"> | undefined> {
	const collector = new EntryCollector();
	const { headers, entries } = collector.parsed;
	let read = 0;
	let firstPrompt: string | undefined;
	let isChild = false;
	for (const line of lines) {
		collector.add(line);
		for (const entry of entries.slice(read)) {
			const text = promptIn(entry, headers[0]?.isChild === true);
			if (text === undefined) continue;
			isChild ||= firstPrompt === undefined && isDelegated(text);
			const { text: own, expansion } = userWords(text);
			const said = own || (expansion === undefined ? "" : `/skill:${expansion}`);
			const prompt = yield* shownLineSteps(said);
			if (prompt && (firstPrompt === undefined || (!isRequest(firstPrompt) && isRequest(prompt))))
				firstPrompt = prompt;
		}
		read = entries.length;
		if (firstPrompt && isRequest(firstPrompt)) break;
	}
	const [first] = headers;
	if (!first || !isSessionLog(collector.parsed)) return undefined;
	const header = headerAt(path, first);
	return {
		header,
		firstPrompt,
		requests: entries.filter((entry) => hasRole(entry, "user")),
		copied: header.format.isInOrder ? header.parentSession !== undefined : isCopied(header, entries),
		model: modelOf(header, entries),
		isDelegated: isChild || header.isChild,
	};
}

function promptIn(entry: Entry, isChild: boolean): string | undefined {
	if (isChild && entry.type === "custom_message") return contentText(entry["content"]);
	const message = readMessage(entry);
	return message?.role === "user" ? message.text : undefined;
}

function isCopied({ timestamp }: SessionHeader, entries: readonly Entry[]): boolean {
	const first = entries.find((entry) => entry.timestamp !== undefined);
	return Date.parse(first?.timestamp ?? "") < Date.parse(timestamp ?? "");
}

function modelOf({ provider, modelId }: SessionHeader, entries: readonly Entry[]): ModelName | undefined {
	if (provider && modelId) return modelNamed(provider, modelId);
	const change = entries.find(({ type }) => type === "model_change");
	return modelNamed(change?.["provider"], change?.["modelId"]);
}

export interface LastMessage {
	id: string;
	role: string;
	stopReason: string | undefined;
	errorMessage: string | undefined;
	/** The time of the message in milliseconds since the epoch, if the log contains the time. */
	at: number | undefined;
}

const TAIL_BYTES = 64 * 1024;
const SMALL = 128 * 1024;

function holdEnds(file: RegularFile, scratch: Buffer): RegularFile {
	const { size } = file.stamp;
	if (size <= SMALL) return { ...file, held: [{ start: 0, bytes: readSpan(file, 0, size, scratch) }] };
	const head = readSpan(file, 0, HEAD_BYTES, scratch);
	const start = size - TAIL_BYTES - 1;
	const bytes = readSpan(file, start, TAIL_BYTES + 1, scratch.subarray(HEAD_BYTES));
	const held = [
		{ start: 0, bytes: head },
		{ start, bytes },
	];
	return { ...file, held };
}

function lastMessageIn(entries: readonly Entry[]): LastMessage | undefined {
	const last = entries.findLast(isMessageEntry);
	const message = last && messageOf(last);
	if (!message || typeof message["role"] !== "string") return undefined;
	const { errorMessage } = message;
	const stopReason = stopReasonOf(message);
	return {
		id: shownWord(last.id),
		role: shownWord(message["role"]),
		stopReason: stopReason === "" ? undefined : shownWord(stopReason),
		errorMessage: typeof errorMessage === "string" ? shownLine(errorMessage) : undefined,
		at: readTime(message["timestamp"]) ?? readTime(last.timestamp),
	};
}

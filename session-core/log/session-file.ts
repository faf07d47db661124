import {
	type FileStamp,
	inSlices,
	type OpenFailure,
	Pace,
	type RegularFile,
	readSpan,
	type Steps,
} from "../text/files/index.ts";
import * as branch from "./branch.ts";
import {
	EntryCollector,
	isSessionLog,
	type ParsedEntries,
	readEntries,
	type SessionHeader,
	UNREADABLE,
} from "./entries.ts";
import { type Entry, hasRole, type SessionSource } from "./entry.ts";
import { headerAt } from "./format.ts";
import { linesOf, MAX_LINE_BYTES, NEWLINE } from "./lines.ts";
import { readLogSlowly } from "./log-file.ts";
import { glanceAt, type Passed, passedIn } from "./passed.ts";

/**
 * As in pi, the leaf is the last entry of the session file. If several entries have the same id, only the
 * last one is used.
 */
export interface WholeSession extends SessionSource {
	readonly header: SessionHeader | undefined;
}

export interface SessionFile {
	readonly stamp: FileStamp;
	readonly header: SessionHeader | undefined;
	readonly slice: branch.BranchSlice;
}

export type SessionFileFailure = OpenFailure | "empty" | "not_session";

type Outcome<T> = { ok: true; session: T } | { ok: false; reason: SessionFileFailure; detail: string };

/**
 * Reads the same part of a branch as `walkBranch`, but directly from the session file, because pi would
 * convert a file that is in an older format. Reading pauses regularly, so that the event loop is not
 * blocked.
 */
export async function openSessionFile(path: string): Promise<Outcome<SessionFile>> {
	const { step } = new Pace();
	return readLogSlowly(path, (file) => inSlices(sessionSteps(path, file), step));
}

function* sessionSteps(path: string, file: RegularFile): Steps<Outcome<SessionFile>> {
	const { stamp } = file;
	if (stamp.size === 0) return failed(path, "empty");
	const begin = readBeginning(file);
	const { firstReply, headers } = begin;
	const [first] = headers;
	const isInOrder = first?.format.isInOrder === true;
	const newest = yield* FileBranch.open(file, new branch.Window(), isInOrder);
	const slice = { ...(yield* newest.slice(() => begin)), firstReply };
	if (!isSessionLog({ headers, entries: slice.entries })) return failed(path, "not_session");
	return { ok: true, session: { stamp, header: first && headerAt(path, first), slice } };
}

export async function readWholeSession(path: string): Promise<Outcome<WholeSession>> {
	const read = await readEntries(path);
	if (!read.ok) return read;
	if (read.stamp.size === 0) return failed(path, "empty");
	if (!isSessionLog(read.parsed)) return failed(path, "not_session");
	return { ok: true, session: sourceOf(read.parsed) };
}

const WHY = { empty: "is empty", not_session: "is not a pi session file" };

function failed(path: string, reason: keyof typeof WHY): Outcome<never> {
	return { ok: false, reason, detail: `${path} ${WHY[reason]}` };
}

function sourceOf({ entries, headers }: ParsedEntries): WholeSession {
	const byId = new Map<string, Entry>();
	for (const entry of entries) {
		if (entry.type !== UNREADABLE || !byId.has(entry.id)) byId.set(entry.id, entry);
	}
	const leaf = entries.findLast((entry) => entry.type !== UNREADABLE);
	return {
		header: headers[0],
		getLeafEntry: () => leaf && byId.get(leaf.id),
		getEntry: (id) => byId.get(id),
		getEntries: () => [...entries],
	};
}

interface Beginning {
	headers: SessionHeader[];
	requests: readonly Entry[];
	firstReply: Entry | undefined;
}

const BEGINNING = 64 * 1024;

function readBeginning(file: RegularFile): Beginning {
	let bytes = readSpan(file, 0, Math.min(BEGINNING, file.stamp.size));
	const isCut = () => bytes.length < file.stamp.size;
	while (isCut() && bytes.length < MAX_LINE_BYTES && !bytes.includes(NEWLINE))
		bytes = readSpan(file, 0, Math.min(bytes.length * 4, file.stamp.size));
	const collector = new EntryCollector();
	const { headers, entries } = collector.parsed;
	let firstReply: Entry | undefined;
	const requests: Entry[] = [];
	for (const line of linesOf(isCut() ? bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1) : bytes)) {
		const kind = glanceAt(line)?.kind;
		if (kind !== undefined && kind !== "user" && (kind !== "assistant" || firstReply)) continue;
		const read = entries.length;
		collector.add(line);
		const added = entries.slice(read);
		firstReply ??= added.find((entry) => hasRole(entry, "assistant"));
		requests.push(...added.filter((entry) => hasRole(entry, "user")));
		if (firstReply && requests.length >= branch.FIRST_REQUESTS) break;
	}
	return { headers, firstReply, requests: requests.slice(0, branch.FIRST_REQUESTS) };
}

function withoutCopies(entries: readonly Entry[]): Entry[] {
	const seen = new Set<string>();
	return entries.filter(({ id }) => seen.size < seen.add(id).size);
}

const EARLIER_BYTES = 4 * 1024 * 1024;

type FirstRequests = () => Pick<Beginning, "requests">;

export class FileBranch {
	readonly newest: readonly Entry[];
	readonly #file: RegularFile;
	readonly #isInOrder: boolean;
	readonly #before: Iterable<Passed | undefined>;

	private constructor(
		file: RegularFile,
		newest: readonly Entry[],
		before: Iterable<Passed | undefined>,
		isInOrder: boolean,
	) {
		this.#file = file;
		this.newest = newest;
		this.#before = before;
		this.#isInOrder = isInOrder;
	}

	static *open(file: RegularFile, window: branch.Window, isInOrder: boolean): Steps<FileBranch> {
		const passed = passedIn(file, window);
		for (let next = passed.next(); !next.done; next = passed.next()) {
			if (next.value) window.add(next.value.entry);
			if (window.isFull) break;
			yield;
		}
		return new FileBranch(file, window.entries.toReversed(), passed, isInOrder);
	}

	/**
	 * Returns the newest entries and up to `most` earlier requests. This method can be called only once,
	 * because it consumes an iterator.
	 */
	*slice(
		beginning: FirstRequests = () => readBeginning(this.#file),
		most = branch.NEWEST_REQUESTS,
	): Steps<branch.BranchSlice> {
		const entries = [...(yield* requestsAmong(this.#before, beginning, most)), ...this.newest];
		// A log may repeat lines that precede a compaction, so only the first occurrence of a line is kept.
		return { entries: this.#isInOrder ? withoutCopies(entries) : entries };
	}
}

function* requestsAmong(
	before: Iterable<Passed | undefined>,
	beginning: FirstRequests,
	most: number,
): Steps<Entry[]> {
	const passing = new branch.Passing();
	const { asked } = passing;
	let found: number | undefined;
	let users = 0;
	for (const passed of before) {
		yield;
		if (!passed) continue;
		const { entry, offset } = passed;
		passing.pass(entry);
		if (found === undefined && branch.isAsked(entry)) found = offset;
		if (hasRole(entry, "user")) users++;
		if (found === undefined || (users < most && offset + EARLIER_BYTES >= found)) continue;
		const first = beginning().requests.map((one) => ({ entry: one, steps: 0 }));
		return branch.askedBefore({ asked, first: first.reverse(), count: Number.POSITIVE_INFINITY }, false);
	}
	return branch.askedBefore(passing.all);
}

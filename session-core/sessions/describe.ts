import {
	type Calls,
	openSessionFile,
	type SessionFile,
	type SessionFileFailure,
	searchInSlices,
} from "../log/index.ts";
import { actedIn } from "../log/timeline/index.ts";
import {
	type CardWords,
	duringRun,
	pointsOf,
	prepare,
	type Reading,
	readSession,
	type SessionRecord,
	type WordsFor,
	wholeRequest,
} from "../recap/index.ts";
import { recordKind, type SessionSummary } from "./summary.ts";

export interface Description {
	record: SessionRecord | undefined;
	stored: boolean;
	words: CardWords;
	calls?: Calls | undefined;
	/**
	 * The complete text of an interrupted request. The session's record contains only one line of the
	 * request.
	 */
	wholeRequest?: string | undefined;
}

interface DescribeDeps {
	now(): number;
	words: WordsFor;
}

type DescribeOutcome =
	| ({ ok: true } & Description)
	| { ok: false; reason: SessionFileFailure; detail: string };

type Describable = Pick<SessionSummary, "path" | "id" | "kind" | "recap" | "cwd">;

export async function describeSession(
	row: Describable,
	deps: DescribeDeps,
	live?: Parameters<typeof duringRun>[1],
): Promise<DescribeOutcome> {
	const opened = await openSession(row);
	if (!opened.ok) return opened;
	const { reading } = opened;
	const details = detailsOf(row, reading, deps);
	const { offline, shown: record } = prepare(reading, details, [row.recap]);
	const { stamp, hasTask, timeline, calls } = reading;
	const stored = record !== offline;
	const [first] = pointsOf(record);
	const whole = first && wholeRequest(timeline, first);
	const shown = { ok: true as const, stored, words: details.words, calls, wholeRequest: whole };
	const isEmpty = stamp === undefined || !(hasTask || timeline.turns.some(actedIn));
	if (!stored && isEmpty) return { record: undefined, ...shown };
	return { record: stored ? record : duringRun(record, live), ...shown };
}

export function detailsOf(
	row: Pick<Describable, "kind" | "cwd">,
	{ language }: Reading,
	{ now, words }: DescribeDeps,
) {
	return { now: now(), kind: recordKind(row), cwd: row.cwd, words: words(language) };
}

/** Searches large entries for secrets in time slices, so that other work is not blocked. */
export async function openSession(
	row: Pick<SessionSummary, "path" | "cwd">,
): Promise<
	| { ok: true; file: SessionFile; reading: Reading }
	| { ok: false; reason: SessionFileFailure; detail: string }
> {
	const opened = await openSessionFile(row.path);
	if (!opened.ok) return opened;
	const { session: file } = opened;
	await searchInSlices(file.slice.entries);
	return { ok: true, file, reading: readSession(file.slice, file.header ?? {}, row.cwd) };
}

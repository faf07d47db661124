import { dirname, join } from "node:path";
import {
	type Format,
	type LastMessage,
	type LogFile,
	type NameFacts,
	nameOf,
	newerLog,
	outsideNames,
	ownModel,
	readEnds,
	readLogSlowly,
	readPlainLog,
	recordsIn,
	revealedSecrets,
	type SessionEnds,
	type SessionFileFailure,
	settleNames,
	TOPIC_REQUESTS,
	withoutSecrets,
} from "../log/index.ts";
import { lastTurn, readBriefly, readTimeline, type Timeline } from "../log/timeline/index.ts";
import {
	currentRecord,
	ENGLISH,
	keptNote,
	lastStep,
	laterWork,
	type NextStep,
	nextOf,
	openActions,
	openOf,
	readRecap,
	type SessionRecord,
	topicOf,
	withLaterWork,
} from "../recap/index.ts";
import {
	atOnce,
	type FileStamp,
	inSlices,
	type ModelName,
	modelNamed,
	Pace,
	type RegularFile,
	readTime,
	redactSteps,
	type Steps,
	safeSessionId,
	shownLine,
} from "../text/index.ts";

/**
 * `headless` means that the session had no user. `fork` means that the session began with another
 * session's history. `child` means that an agent wrote the session's first prompt.
 */
export type SessionKind = "session" | "headless" | "fork" | "child";

/**
 * A summary of a session file's beginning and end. All strings are safe to display except paths, which
 * must be sanitized first. Times are in milliseconds since the epoch.
 */
export interface SessionSummary {
	path: string;
	id: string;
	format: Format;
	isArchived?: boolean;
	/** The path of a newer file that continues the same session. */
	newerFile?: string;
	cwd: string;
	created: number;
	/**
	 * The time of the last message. Because clocks can be wrong, this time is never later than the file's
	 * modification time.
	 */
	modified: number;
	/** The file's modification time, which also changes when metadata such as a new name is appended. */
	changed: number;
	size: number;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
	nameSettled: boolean;
	firstPrompt: string | undefined;
	parentSession: string | undefined;
	kind: SessionKind;
	last: LastMessage | undefined;
	model: ModelName | undefined;
	/** The session's most recently saved recap, which may be outdated. */
	recap: SessionRecord | undefined;
	/**
	 * Whether pi can read the file. pi must never open an unreadable session file, because pi would
	 * replace the file with an empty session.
	 */
	hostReads: boolean;
	/**
	 * True if the session file may come from a repository. The value is never cached, because it depends
	 * on the current folder.
	 */
	planted?: boolean;
	work: SessionWork | undefined;
}

export function titleOf({
	name,
	work,
	firstPrompt,
}: Pick<SessionSummary, "name" | "firstPrompt"> & Partial<Pick<SessionSummary, "work">>): string {
	return name ?? (work?.title || firstPrompt) ?? "";
}

export function recordKind({ kind }: Pick<SessionSummary, "kind">): SessionRecord["kind"] {
	return kind === "headless" ? "job" : "session";
}

export interface SummaryRecord {
	stamp: FileStamp;
	summary: SessionSummary;
	names: NameFacts;
}

export type SummaryOutcome =
	| { ok: true; record: SummaryRecord }
	| { ok: false; reason: SessionFileFailure; detail: string; stamp?: FileStamp };

export function summaryScratch(): Buffer {
	return Buffer.allocUnsafe(1024 * 1024);
}

interface SummaryOptions {
	/**
	 * An earlier summary of the same file. pi only appends to session files, so only the added bytes are
	 * searched for session names.
	 */
	previous?: SummaryRecord | undefined;
	scratch?: Buffer;
	format?: Format | undefined;
	isArchive?: boolean;
}

export function summarize(path: string, options: SummaryOptions = {}): SummaryOutcome {
	return readPlainLog(path, (log) => atOnce(summarySteps(path, log, options)));
}

/**
 * Summarizes a session file in any supported format. The work is done in time slices, so that even a very
 * large file does not block the process.
 */
export async function summarizeSlowly(
	path: string,
	options: SummaryOptions,
	{ step }: Pick<Pace, "step">,
): Promise<SummaryOutcome> {
	return readLogSlowly(path, (log) => inSlices(summarySteps(path, log, options), step));
}

function* summarySteps(path: string, log: LogFile, options: SummaryOptions): Steps<SummaryOutcome> {
	const { own: stamp } = log;
	if (stamp.size === 0) return { ok: false, reason: "empty", detail: `${path} is empty`, stamp };
	const { previous, scratch = summaryScratch(), format, isArchive = false } = options;
	const earlier = previous && { id: previous.summary.id, size: previous.stamp.size, names: previous.names };
	const parts = yield* readEnds(log, path, { scratch, earlier, readRecap });
	if (!parts || (format !== undefined && parts.head.header.format !== format))
		return { ok: false, reason: "not_session", detail: `${path} is not a session file`, stamp };
	const { file, head, last, recap } = parts;
	const work = yield* workOf(parts);
	const texts = { names: parts.names, recap, last, firstPrompt: head.firstPrompt, work };
	const safe = yield* withoutKnown(file, texts);
	const summary = summaryOf(path, stamp, parts, safe);
	if (isArchive) summary.isArchived = true;
	return { ok: true, record: { stamp, summary, names: safe.names } };
}

export async function withSettledName(
	path: string,
	record: SummaryRecord,
	scratch: Buffer,
	pace: Pace,
): Promise<SummaryRecord> {
	const { format } = record.summary;
	const found = await settleNames(path, record.names, scratch, pace, (bytes) => recordsIn(bytes, format));
	const read = await readLogSlowly(path, async (file) => {
		const safe = await inSlices(withoutKnown(file, { names: found }), pace.step);
		return { ok: true, ...safe };
	});
	if (!read.ok) return record;
	const { names } = read;
	return { ...record, names, summary: withNames({ ...record.summary }, names) };
}

/** If `agentDir` is undefined, a recap that is stored outside the session file is not found. */
export async function sessionAt(path: string, agentDir?: string): Promise<SessionSummary | undefined> {
	const scratch = summaryScratch();
	const pace = new Pace();
	const read = await summarizeSlowly(path, { scratch }, pace);
	if (!read.ok) return undefined;
	const { summary: settled } = await withSettledName(path, read.record, scratch, pace);
	const note = agentDir === undefined ? undefined : keptNote(agentDir, path);
	const summary = withNote(await inSlices(outsideNames()(settled), pace.step), note);
	const newer = newerLog(path);
	return { ...summary, ...(newer !== undefined && { newerFile: newer }) };
}

/** `note` contains a record that could not be stored in the session file. */
export function withNote(row: SessionSummary, note: SessionRecord | undefined): SessionSummary {
	const recap = note && currentRecord({ id: row.id, stamp: row.last?.id, stored: row.recap }, [note]);
	return recap ? { ...row, recap } : row;
}

function* withoutKnown<T extends Partial<SummaryTexts>>(file: RegularFile, texts: T): Steps<T> {
	const { names, last, recap, firstPrompt, work } = texts;
	const recorded = recap ? [recap.headline, ...recap.bullets, ...recap.next_actions] : [];
	const stated = [
		names?.name,
		names?.title?.text,
		work?.title,
		work?.later,
		work?.next?.text,
		last?.errorMessage,
	];
	const shown = [...stated, ...recorded, firstPrompt].filter((text) => text !== undefined);
	const safe = withoutSecrets(texts, yield* revealedSecrets(shown, file));
	// The working directory must not be redacted, because it is needed to resume the session.
	return safe.names && names?.cwd !== undefined
		? { ...safe, names: { ...safe.names, cwd: names.cwd } }
		: safe;
}

interface SummaryTexts extends Pick<SessionSummary, "recap" | "last" | "firstPrompt" | "work"> {
	names: NameFacts;
}

function withNames(summary: SessionSummary, names: NameFacts): SessionSummary {
	const { name, source } = nameOf(names, summary.format.titles.length > 0);
	const next = names.continuedIn === undefined ? "" : safeSessionId(names.continuedIn);
	if (next !== "") summary.newerFile = join(dirname(summary.path), `${next}.jsonl`);
	summary.cwd = names.cwd || summary.cwd;
	// Other agents do not update a session's name when the work in the session changes.
	summary.name = name && names.name === undefined ? withLaterWork(name, summary.work?.later) : name;
	summary.nameSource = source;
	summary.nameSettled = names.gap === undefined;
	return summary;
}

type Parts = SessionEnds<SessionRecord>;

function summaryOf(
	path: string,
	stamp: FileStamp,
	{ head, newest }: Parts,
	{ names, recap, last, firstPrompt, work }: SummaryTexts,
): SessionSummary {
	const { header } = head;
	const model = ownModel(newest);
	const changed = stamp.mtimeMs;
	const begun = readTime(header.timestamp);
	const summary: SessionSummary = {
		path,
		id: safeSessionId(header.id),
		format: header.format,
		cwd: header.cwd,
		created: begun ?? changed,
		modified: Math.min(last?.at ?? begun ?? changed, changed),
		changed,
		size: stamp.size,
		name: undefined,
		nameSource: undefined,
		nameSettled: false,
		firstPrompt,
		parentSession: header.parentSession,
		kind: kindOf(head, recap),
		last,
		model: modelNamed(model?.provider, model?.id) ?? head.model,
		recap,
		hostReads: head.hostReads,
		work,
	};
	return withNames(summary, names);
}

function kindOf(
	{ header, copied, isDelegated }: Parts["head"],
	recap: SessionRecord | undefined,
): SessionKind {
	if (recap?.kind === "job") return "headless";
	if (isDelegated) return "child";
	if (header.isProgram) return "headless";
	// Any session that continues another session's work has a parent, but only a fork copies entries.
	return header.parentSession && copied ? "fork" : "session";
}

export interface SessionWork {
	title: string;
	/** The title of later work that is not covered by the name that another agent gave the session. */
	later?: string;
	source: "topic" | "request" | "step";
	waits: boolean;
	next: NextStep | undefined;
}

function* workOf({ head, requests, last, recap, names }: Parts): Steps<SessionWork | undefined> {
	const { format, cwd } = head.header;
	const isTitled = format.titles.length > 0;
	const isNamed = nameOf(names, isTitled).name !== undefined;
	if (last === undefined || (isNamed && recap?.last_message_id === last.id)) return undefined;
	const slice = yield* requests(TOPIC_REQUESTS);
	const timeline = yield* readBriefly(slice, { cwd: names.cwd || cwd });
	yield;
	let { waits, next } = openWork(timeline);
	yield;
	const turn = lastTurn(timeline.turns);
	// Redacting a complete reply is slow, so a reply is redacted only if it contains a next step.
	if (next && turn?.reply?.includes("\n")) {
		turn.reply = yield* redactSteps(turn.reply);
		({ waits, next } = openWork(timeline));
	}
	const topic = topicOf(timeline);
	yield;
	const step =
		topic !== undefined || head.firstPrompt !== undefined
			? undefined
			: lastStep(lastTurn(readTimeline(slice).turns), ENGLISH);
	return {
		title: shownLine(topic?.text ?? step ?? ""),
		...(isTitled && { later: shownLine(laterWork(timeline)) }),
		source: topic?.source ?? "step",
		waits,
		next: next && { kind: next.kind, text: shownLine(next.text) },
	};
}

function openWork(timeline: Pick<Timeline, "turns" | "outcome">): Pick<SessionWork, "waits" | "next"> {
	return openOf({ outcome: timeline.outcome, ...nextOf(openActions(timeline)) });
}

import { dirname, join } from "node:path";
import {
	type Format,
	type LastMessage,
	type NameFacts,
	nameOf,
	ownModel,
	readEnds,
	readLog,
	recordsIn,
	revealedSecrets,
	type SessionEnds,
	type SessionFileFailure,
	settleNames,
	TOPIC_REQUESTS,
	withoutSecrets,
} from "../log/index.ts";
import { lastTurn, readBriefly, readTimeline } from "../log/timeline/index.ts";
import {
	ENGLISH,
	lastStep,
	type NextStep,
	nextOf,
	openActions,
	openOf,
	readRecap,
	type SessionRecord,
	topicOf,
} from "../recap/index.ts";
import { type FileStamp, type Pace, type RegularFile, readTime } from "../text/files/index.ts";
import { foldCase, type ModelName, modelNamed, redact, safeSessionId, shownLine } from "../text/index.ts";

/**
 * `headless`: the session's newest recap is a job's. `fork`: the session began with another session's history. `child`: an agent wrote the
 * session's first prompt.
 */
export type SessionKind = "session" | "headless" | "fork" | "child";

/**
 * A session as shown in listings, read from the head and the tail of its file. Texts are sanitized, redacted and clipped. Paths (`path`,
 * `cwd`, `parentSession`) are unchanged, because programs use them, so they must be sanitized before they are shown. Times are in
 * milliseconds.
 */
export interface SessionSummary {
	path: string;
	id: string;
	/** What can be done with the session. */
	format: Format;
	/** Whether the program that wrote the session has archived it. */
	isArchived?: boolean;
	/** The file with the newest state of the session, if this file is an older one. */
	newerFile?: string;
	cwd: string;
	created: number;
	/**
	 * The time of the last message or, without one, of the header or the file. Never later than the file's modification time, because
	 * clocks can be wrong.
	 */
	modified: number;
	/** Modification time of the file, which also reflects copying and metadata that was added after the last message. */
	changed: number;
	size: number;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
	/** Whether the name is final. The name is not final while an unread part of the file may contain a newer name. */
	nameSettled: boolean;
	firstPrompt: string | undefined;
	parentSession: string | undefined;
	kind: SessionKind;
	last: LastMessage | undefined;
	model: ModelName | undefined;
	/** The newest recap record, if it is near the end of the file. The recap is current only if its `last_message_id` equals `last.id`. */
	recap: SessionRecord | undefined;
	/**
	 * Whether the host can read the file. The host must never open a file that it cannot read, because it would replace the file with an
	 * empty session.
	 */
	hostReads: boolean;
	/**
	 * Whether a repository could have written the file; see `couldBePlanted`. The answer depends on the current folder, so it is never
	 * cached.
	 */
	planted?: boolean;
	/**
	 * The session's topic and whether it is waiting for the user; undefined if there are no messages, or if the name and the current record
	 * already contain both.
	 */
	work: SessionWork | undefined;
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
	 * The summary of an earlier version of the file. Hosts only append to session files, so the bytes of that version are not searched for
	 * names again.
	 */
	previous?: SummaryRecord | undefined;
	scratch?: Buffer;
	/** The format of the files in this folder. A file in another format then does not count as a session. Default: any format. */
	format?: Format | undefined;
	/** Whether the format's own program keeps archived sessions in this folder. */
	isArchive?: boolean;
}

/** Summarizes a session file from its head and tail. */
export function summarize(path: string, options: SummaryOptions = {}): SummaryOutcome {
	const { previous, scratch = summaryScratch(), format, isArchive = false } = options;
	return readLog(path, (log): SummaryOutcome => {
		const { own: stamp } = log;
		if (stamp.size === 0) return { ok: false, reason: "empty", detail: `${path} is empty`, stamp };
		const earlier = previous && { id: previous.summary.id, size: previous.stamp.size, names: previous.names };
		const parts = readEnds(log, path, { scratch, earlier, readRecap });
		if (!parts || (format !== undefined && parts.head.header.format !== format))
			return { ok: false, reason: "not_session", detail: `${path} is not a session of the host`, stamp };
		const { file, head, last, recap } = parts;
		const texts = { names: parts.names, recap, last, firstPrompt: head.firstPrompt, work: workOf(parts) };
		const safe = withoutKnown(file, texts);
		const summary = summaryOf(path, stamp, parts, safe);
		if (isArchive) summary.isArchived = true;
		return { ok: true, record: { stamp, summary, names: safe.names } };
	});
}

/** Finds the name if it may be in the part of the file that was not searched. */
export async function withSettledName(
	path: string,
	record: SummaryRecord,
	scratch: Buffer,
	pace: Pace,
): Promise<SummaryRecord> {
	const { format } = record.summary;
	const found = await settleNames(path, record.names, scratch, pace, (bytes) => recordsIn(bytes, format));
	const read = readLog(path, (file) => withoutKnown(file, { names: found }));
	if (!("names" in read)) return record;
	const { names } = read;
	return { ...record, names, summary: withNames({ ...record.summary }, names) };
}

/** Redacts the secrets that the beginning or the end of the session's file reveals. */
function withoutKnown<T extends Partial<SummaryTexts>>(file: RegularFile, texts: T): T {
	const { names, last, recap, firstPrompt, work } = texts;
	const recorded = recap ? [recap.headline, ...recap.bullets, ...recap.next_actions] : [];
	const stated = [names?.name, names?.title?.text, work?.title, work?.next?.text, last?.errorMessage];
	const shown = [...stated, ...recorded, firstPrompt].filter((text) => text !== undefined);
	const safe = withoutSecrets(texts, revealedSecrets(shown, file));
	// Paths are not redacted.
	return safe.names && names?.cwd !== undefined
		? { ...safe, names: { ...safe.names, cwd: names.cwd } }
		: safe;
}

interface SummaryTexts extends Pick<SessionSummary, "recap" | "last" | "firstPrompt" | "work"> {
	names: NameFacts;
}

/** Sets what the names in the file state about a session. */
function withNames(summary: SessionSummary, names: NameFacts): SessionSummary {
	const { name, source } = nameOf(names, summary.format.titles.length > 0);
	const next = names.continuedIn === undefined ? "" : safeSessionId(names.continuedIn);
	if (next !== "") summary.newerFile = join(dirname(summary.path), `${next}.jsonl`);
	summary.cwd = names.cwd || summary.cwd;
	summary.name = name;
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
	// This object and its view are created for each of thousands of sessions, so they are written out, because spreading takes longer.
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
	// A parent alone does not make a session a child, because commands such as a hand-off also start a person's session with a parent.
	return header.parentSession && copied ? "fork" : "session";
}

/** The topic of a session according to its timeline, and whether the session is waiting for the user. */
export interface SessionWork {
	title: string;
	/** The kind of the title: the topic, the newest request or, if the session has no request, the last step. */
	source: "topic" | "request" | "step";
	waits: boolean;
	next: NextStep | undefined;
}

/**
 * Determines the topic of a session, and what is open, from a brief reading of its file. The brief reading contains the same requests and
 * the same last reply as any other reading. A session with a name and a current recap already has everything that a listing shows.
 */
function workOf({ head, requests, last, recap, names }: Parts): SessionWork | undefined {
	const { format, cwd } = head.header;
	const isRecorded = recap !== undefined && recap.last_message_id === last?.id;
	const isNamed = nameOf(names, format.titles.length > 0).name !== undefined;
	if (last === undefined || (isNamed && isRecorded)) return undefined;
	const slice = requests(TOPIC_REQUESTS);
	const timeline = readBriefly(slice, { cwd: names.cwd || cwd });
	let { waits, next } = openIn(timeline);
	const turn = lastTurn(timeline.turns);
	// One line of a reply may not show that it contains a secret. Few sessions have a next step, so few replies must be redacted.
	if (next && turn?.reply?.includes("\n")) {
		turn.reply = redact(turn.reply);
		({ waits, next } = openIn(timeline));
	}
	const topic = topicOf(timeline);
	// A log without a request, such as one whose beginning is missing, is named after its last step.
	const isTitled = topic !== undefined || head.firstPrompt !== undefined;
	const step = isTitled ? undefined : lastStep(lastTurn(readTimeline(slice).turns), ENGLISH);
	return {
		title: shownLine(topic?.text ?? step ?? ""),
		source: topic?.source ?? "step",
		waits,
		next: next && { kind: next.kind, text: shownLine(next.text) },
	};
}

function openIn(timeline: ReturnType<typeof readBriefly>): Pick<SessionWork, "waits" | "next"> {
	return openOf({ outcome: timeline.outcome, ...nextOf(openActions(timeline)) });
}

/** Compiles the large patterns that are used to list sessions. Compiling them takes 15 ms and would otherwise happen at their first use. */
export function warmUp(): void {
	for (const text of ["Commit it?", "Please run it."]) {
		redact(text);
		foldCase(text);
	}
}

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
 * The kind of a session. `headless` means that its newest recap is a job's, `fork` that it began with another session's history, and
 * `child` that an agent wrote its first prompt.
 */
export type SessionKind = "session" | "headless" | "fork" | "child";

/**
 * A session as listings show it, read from the head and the tail of its file. Texts are sanitized, redacted and clipped. Paths (`path`,
 * `cwd`, `parentSession`) are unchanged, because programs use them, so sanitize paths before you show them. Times are in milliseconds.
 */
export interface SessionSummary {
	path: string;
	id: string;
	/** The format of the session file, which determines what can be done with the session. */
	format: Format;
	/** Whether the program that wrote the session has also archived it. */
	isArchived?: boolean;
	/** The path of the file with the session's newest state, if this file is older. */
	newerFile?: string;
	cwd: string;
	created: number;
	/**
	 * The time of the last message. Without a message, this is the time of the header or of the file. Because clocks can be wrong, it is never
	 * later than the file's modification time.
	 */
	modified: number;
	/** The file's modification time, which also changes if the file is copied or if metadata is added after the last message. */
	changed: number;
	size: number;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
	/** Whether the name is final. The name is not final if an unread part of the file may contain a newer name. */
	nameSettled: boolean;
	firstPrompt: string | undefined;
	parentSession: string | undefined;
	kind: SessionKind;
	last: LastMessage | undefined;
	model: ModelName | undefined;
	/** The newest recap record, if the end of the file contains one. The record is current only if its `last_message_id` equals `last.id`. */
	recap: SessionRecord | undefined;
	/**
	 * Whether the host can read the file. The host must never open a file that it cannot read, because it would replace that file with an
	 * empty session.
	 */
	hostReads: boolean;
	/** Whether a repository could have written the file (see `couldBePlanted`). This depends on the current folder, so it is never cached. */
	planted?: boolean;
	/**
	 * The session's topic, and whether the session is waiting for the user. Undefined if there are no messages, or if the name and the current
	 * record already contain both facts.
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
	 * The summary of an earlier version of the file. The bytes of that version are not searched for names again, because hosts only append to
	 * session files.
	 */
	previous?: SummaryRecord | undefined;
	scratch?: Buffer;
	/** The format of the files in this folder. Files in another format do not count as sessions. By default, all formats are accepted. */
	format?: Format | undefined;
	/** Whether this folder contains sessions that the format's own program has archived. */
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
			return { ok: false, reason: "not_session", detail: `${path} is not a session file`, stamp };
		const { file, head, last, recap } = parts;
		const texts = { names: parts.names, recap, last, firstPrompt: head.firstPrompt, work: workOf(parts) };
		const safe = withoutKnown(file, texts);
		const summary = summaryOf(path, stamp, parts, safe);
		if (isArchive) summary.isArchived = true;
		return { ok: true, record: { stamp, summary, names: safe.names } };
	});
}

/** Searches the rest of the file for the name, if the name may be there. */
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

/** Redacts the secrets that both ends of the session's file reveal. */
function withoutKnown<T extends Partial<SummaryTexts>>(file: RegularFile, texts: T): T {
	const { names, last, recap, firstPrompt, work } = texts;
	const recorded = recap ? [recap.headline, ...recap.bullets, ...recap.next_actions] : [];
	const stated = [names?.name, names?.title?.text, work?.title, work?.next?.text, last?.errorMessage];
	const shown = [...stated, ...recorded, firstPrompt].filter((text) => text !== undefined);
	const safe = withoutSecrets(texts, revealedSecrets(shown, file));
	// The path must stay unredacted, because programs use it.
	return safe.names && names?.cwd !== undefined
		? { ...safe, names: { ...safe.names, cwd: names.cwd } }
		: safe;
}

interface SummaryTexts extends Pick<SessionSummary, "recap" | "last" | "firstPrompt" | "work"> {
	names: NameFacts;
}

/** Adds the facts about the session that the names in its file contain. */
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
	// All fields are written out here, because spreading an object takes longer and this object is created for thousands of sessions.
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
	// A session with a parent is not always a child. For example, a command that hands work over also starts a person's session with a parent.
	return header.parentSession && copied ? "fork" : "session";
}

/** The topic of a session and whether the session is waiting for the user, derived from the session's timeline. */
export interface SessionWork {
	title: string;
	/** The origin of the title: the topic, the newest request or, if the session has no request, its last step. */
	source: "topic" | "request" | "step";
	waits: boolean;
	next: NextStep | undefined;
}

/**
 * Determines the topic of a session and its open item from a brief reading of its file. Like any other reading, the brief reading contains
 * the requests and the last reply. If a session has a name and a current recap, a listing needs no more.
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
	// A secret in a reply may only be recognized with the lines around it. Few sessions have a next step, so few replies must be redacted.
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

/** Compiles the large patterns that listings need. Otherwise, the first use of the patterns would take 15 ms longer. */
export function warmUp(): void {
	for (const text of ["Commit it?", "Please run it."]) {
		redact(text);
		foldCase(text);
	}
}

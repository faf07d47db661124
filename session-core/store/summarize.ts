import type { Recap } from "../recap/record.ts";
import { cleanText } from "../text/sanitize.ts";
import { readTime } from "./ending.ts";
import { type Ends, readEnds } from "./ends.ts";
import type { Opening } from "./opening.ts";
import { closeRegular, type FileStamp, openRegular } from "./regular-file.ts";
import type { SessionFileFailure } from "./session-file.ts";
import { shownWord } from "./shown-line.ts";
import { type SessionKind, type SessionSummary, type SummaryRecord, withNames } from "./summary.ts";

export type SummaryOutcome =
	| { ok: true; record: SummaryRecord }
	| { ok: false; reason: SessionFileFailure; detail: string; stamp: FileStamp | undefined };

/** A buffer that the reads of one scan share; one is enough, because strings are copied out of it. */
export function summaryScratch(): Buffer {
	return Buffer.allocUnsafe(1024 * 1024);
}

/**
 * Summarises a session file from its two ends. `previous` is the record of an older state of the same file: hosts append,
 * so names found then need not be looked for again.
 */
export function summarize(path: string, previous?: SummaryRecord, scratch?: Buffer): SummaryOutcome {
	const opened = openRegular(path);
	if (!opened.ok) return { ...opened, stamp: undefined };
	const { stamp } = opened.file;
	try {
		if (stamp.size === 0) return { ok: false, reason: "empty", detail: `${path} is empty`, stamp };
		const ends = readEnds(opened.file, previous, scratch);
		if (!ends)
			return { ok: false, reason: "not_session", detail: `${path} is not a session of the host`, stamp };
		const summary = summaryOf(path, stamp, ends, previous);
		return { ok: true, record: withNames({ stamp, summary, names: ends.names }, ends.names) };
	} catch (error) {
		return { ok: false, reason: "unreadable", detail: String(error), stamp: undefined };
	} finally {
		closeRegular(opened.file);
	}
}

function summaryOf(
	path: string,
	stamp: FileStamp,
	{ opening, ending, recap, messageCount }: Ends,
	previous: SummaryRecord | undefined,
): SessionSummary {
	const { header } = opening;
	const before = previous?.summary;
	const changed = stamp.mtimeMs;
	const created = readTime(header.timestamp) ?? changed;
	return {
		path,
		id: shownWord(header.id),
		cwd: locator(header.cwd),
		created,
		modified: ending.last?.at ?? changed,
		changed,
		size: stamp.size,
		name: undefined,
		nameSource: undefined,
		nameSettled: false,
		firstPrompt: opening.firstPrompt,
		messageCount,
		parentSession: header.parentSession && locator(header.parentSession),
		kind: kindOf(opening, recap),
		last: ending.last,
		model: ending.model ?? opening.model,
		recap,
		hostReads: opening.hostReads,
		work: before?.id === shownWord(header.id) ? before.work : undefined,
	};
}

/** A path as found, but for what a terminal would act on: white space inside it counts. */
function locator(path: string): string {
	return cleanText(path).replace(/[\n\t]/g, "");
}

function kindOf({ header, copied }: Opening, recap: Recap | undefined): SessionKind {
	if (recap?.kind === "job") return "headless";
	if (!header.parentSession) return "session";
	return copied ? "fork" : "child";
}

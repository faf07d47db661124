import type { Recap } from "../../session-core/recap/record.ts";
import { makeRecord } from "../../session-core/records/make-record.ts";
import { type Reading, readSession } from "../../session-core/records/reading.ts";
import { ownRecord } from "../../session-core/records/stored-records.ts";
import { readSessionFile, type SessionFile } from "../../session-core/store/session-file.ts";
import { RECAP_ENTRY, readRecap } from "../../session-core/store/stored-recap.ts";
import type { Item } from "./item.ts";
import { type Problem, refused } from "./problem.ts";
import type { RecapWords } from "./recap-words.ts";

/** Records of one session that are given at most, newest first. */
const MAX_RECORDS = 50;

/** A session as its file has it now. */
export type Opened = { ok: true; file: SessionFile; reading: Reading } | { ok: false; problem: Problem };

export async function openItem(item: Item): Promise<Opened> {
	const opened = await readSessionFile(item.path);
	if (!opened.ok) {
		return refused(
			404,
			"session_gone",
			`The file of this session is not readable any more (${opened.reason}).`,
			"Ask for /v1/sessions again.",
		);
	}
	const { session: file } = opened;
	const origin = { timestamp: file.header?.timestamp, parentSession: file.header?.parentSession };
	return { ok: true, file, reading: readSession(file, origin, item.summary.cwd) };
}

/** The session's own records, newest first; a fork's file also holds its parent's. */
export function recordsIn(file: Pick<SessionFile, "getEntries">, id: string): Recap[] {
	const found: Recap[] = [];
	for (const entry of file.getEntries().toReversed()) {
		if (entry.type !== "custom" || entry["customType"] !== RECAP_ENTRY) continue;
		const recap = readRecap(entry);
		if (recap?.subject_id === id) found.push(recap);
		if (found.length >= MAX_RECORDS) break;
	}
	return found;
}

export interface Card {
	recap: Recap | undefined;
	/** It is of the session's last message. */
	fresh: boolean;
	stored: boolean;
}

export interface CardDeps {
	now(): number;
	words: RecapWords;
}

/** What a card shows: the record of the last message, else the one by rules, which is kept nowhere. */
export async function cardOf(
	item: Item,
	{ now, words }: CardDeps,
): Promise<{ ok: true; card: Card } | { ok: false; problem: Problem }> {
	const opened = await openItem(item);
	if (!opened.ok) return opened;
	const { reading } = opened;
	const own = ownRecord(reading.records, item.id);
	if (own) return { ok: true, card: { recap: own, fresh: true, stored: true } };
	if (reading.stamp === undefined || !reading.hasTask) {
		return { ok: true, card: { recap: undefined, fresh: false, stored: false } };
	}
	const recap = makeRecord(reading, {
		id: "",
		subjectId: item.id,
		now: now(),
		words: await words(reading.language),
		kind: kindOf(item),
		before: item.summary.recap,
		cwd: item.summary.cwd,
		checkout: undefined,
	});
	return { ok: true, card: { recap, fresh: true, stored: false } };
}

/** A recap's kind for a session: a headless run's is a job. */
export function kindOf({ summary }: Pick<Item, "summary">): Recap["kind"] {
	return summary.kind === "headless" ? "job" : "session";
}

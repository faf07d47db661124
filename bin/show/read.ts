import type { Recap } from "../../session-core/recap/record.ts";
import { makeRecord } from "../../session-core/records/make-record.ts";
import { readSession } from "../../session-core/records/reading.ts";
import { shownRecord } from "../../session-core/records/stored-records.ts";
import { readSessionFile, type SessionFileFailure } from "../../session-core/store/session-file.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import type { Words } from "../../session-core/words/words.ts";
import { wordsFor } from "../sessions/words.ts";
import type { World } from "../shell/world.ts";

/** What a session's card shows. */
export interface Card {
	/** Undefined: nothing was asked yet. */
	recap: Recap | undefined;
	/** It stands in the session's file; otherwise it was made by rules now. */
	stored: boolean;
	words: Words;
}

export type CardOutcome = ({ ok: true } & Card) | { ok: false; reason: SessionFileFailure; detail: string };

/** The record of the session's last message, else the one by rules. Reads the end of a long file. */
export async function readCard(row: SessionSummary, world: World): Promise<CardOutcome> {
	const opened = await readSessionFile(row.path);
	if (!opened.ok) return opened;
	const { header } = opened.session;
	const origin = { timestamp: header?.timestamp, parentSession: header?.parentSession };
	const reading = readSession(opened.session, origin, row.cwd);
	const words = await wordsFor(world, reading.language);
	const stored = shownRecord(reading, row.id);
	if (stored) return { ok: true, recap: stored, stored: true, words };
	if (reading.stamp === undefined || !reading.hasTask)
		return { ok: true, recap: undefined, stored: false, words };
	const recap = makeRecord(reading, {
		id: "",
		subjectId: row.id,
		now: world.now(),
		kind: row.kind === "headless" ? "job" : "session",
		before: row.recap,
		cwd: row.cwd,
		checkout: undefined,
		words,
	});
	return { ok: true, recap, stored: false, words };
}

import {
	askForNote,
	type Commons,
	explainNoteFailure,
	noteRequest,
	priceOf,
	RECAP_TOKENS,
} from "../../session-core/pi/index.ts";
import { keepNote, makeRecord, type SessionRecord, shownRecord } from "../../session-core/recap/index.ts";
import { addRecord, openSession, recordKind, sessionAt } from "../../session-core/sessions/index.ts";
import { readCheckout } from "../../session-core/text/files/index.ts";
import { cleanLine, costText } from "../../session-core/text/index.ts";
import { type Row, rowOf } from "./rows.ts";

export type RowNoteOutcome = { ok: true; row: Row } | { ok: false; detail: string };

export interface RowNoteRequest {
	signal: AbortSignal;
	/** Called before the model is called. `cost`: the estimated cost; empty if unknown. */
	asking(model: string, cost: string): void;
}

/** The usual number of characters per token in plain text. */
const CHARACTERS_PER_TOKEN = 4;

/** Asks a model for a note, and saves it: in the session's file if that may be written, otherwise in a file of our own. */
export async function askRowNote(
	row: Row,
	{ signal, asking }: RowNoteRequest,
	commons: Commons,
): Promise<RowNoteOutcome> {
	const failed = (detail: string) => ({ ok: false as const, detail });
	const opened = await openSession(row);
	if (!opened.ok) return failed(`the session cannot be read (${cleanLine(opened.detail)}).`);
	const { reading } = opened;
	if (reading.stamp === undefined || !reading.hasTask) return failed("there is nothing to recap yet.");
	if (shownRecord(reading, row.id)?.generator.type === "user_edited")
		return failed("you edited this session's recap, so it was kept.");
	const { candidates } = commons.choose("recap");
	const subject = { reading, setting: commons.language };
	const model = candidates[0]?.model;
	if (model) {
		const { systemPrompt, prompt } = noteRequest(subject);
		const input = (systemPrompt.length + prompt.length) / CHARACTERS_PER_TOKEN;
		const cost = priceOf(model, { ...RECAP_TOKENS, input }) ?? 0;
		asking(cleanLine(`${model.provider}/${model.id}`), cost > 0 ? costText(cost) : "");
	}
	const ports = { budget: commons.budget("recap", row.id), ...commons.asking };
	const answer = await askForNote({ ...subject, candidates, signal, by: "typed" }, ports);
	if (!answer.ok) return failed(explainNoteFailure(answer, "", "F3"));
	const now = await openSession(row);
	if (!now.ok || now.reading.stamp !== reading.stamp) return failed("the session has new messages.");
	const record = makeRecord(now.reading, {
		subjectId: row.id,
		now: Date.now(),
		kind: recordKind(row),
		before: row.recap,
		cwd: row.cwd,
		checkout: undefined,
		words: commons.words(reading.language),
		note: answer.note,
	});
	const problem = await keep(row.path, record, commons);
	const summary = await sessionAt(row.path, commons.agentDir);
	if (problem !== undefined || !summary)
		return failed(`the note was not saved: ${problem ?? "the session is gone."}`);
	// Only a listing determines these facts.
	const { planted, isArchived } = row;
	const listed = { ...summary, planted, recap: record, ...(isArchived && { isArchived }) };
	return { ok: true, row: rowOf(listed, row.here) };
}

/** Saves a record. Returns the problem if the record cannot be saved anywhere. */
async function keep(
	path: string,
	record: SessionRecord,
	{ agentDir, words, log }: Commons,
): Promise<string | undefined> {
	const summary = await sessionAt(path, agentDir);
	if (!summary) return "the session is gone.";
	const edit = ({ workspace }: SessionRecord) => ({ ...record, ...(workspace && { workspace }) });
	const deps = { agentDir, now: Date.now, checkout: readCheckout, words, log };
	const added = await addRecord(summary, { force: true, edit }, deps);
	if (added.ok) return undefined;
	const kept = keepNote(agentDir, path, record);
	return kept.ok ? undefined : cleanLine(kept.detail);
}

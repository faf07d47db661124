import {
	askForNote,
	commonsOf,
	type ExtensionContext,
	explainNoteFailure,
	noteRequest,
	priceOf,
	RECAP_TOKENS,
	sharedIn,
} from "../../session-core/pi/index.ts";
import { keepNote, makeRecord, type TypedRefusal, typedRefusal } from "../../session-core/recap/index.ts";
import { addRecord, openSession, recordKind, sessionAt } from "../../session-core/sessions/index.ts";
import { cleanLine, costText } from "../../session-core/text/index.ts";
import { type Row, rowOf } from "./list.ts";

type RowNoteOutcome = { ok: true; row: Row } | { ok: false; detail: string };

export interface RowNoteRequest {
	signal: AbortSignal;
	/** `cost` is empty if the model's prices are unknown. */
	asking(model: string, cost: string): void;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * A note on a session is saved in the session's file if pi may write to that file, and otherwise in a
 * separate file.
 */
export async function noteOn(
	row: Row,
	{ signal, asking }: RowNoteRequest,
	ctx: ExtensionContext,
): Promise<RowNoteOutcome> {
	const failed = (detail: string) => ({ ok: false as const, detail });
	const shared = sharedIn(ctx.sessionManager);
	if (!shared) return failed("this session is still being opened.");
	const commons = commonsOf(shared, ctx);
	const opened = await openSession(row);
	if (!opened.ok) return failed(`the session cannot be read (${cleanLine(opened.detail)}).`);
	const { reading } = opened;
	const refused = (reason: TypedRefusal) =>
		failed(
			reason === "edited"
				? "you edited this session's recap, so it was kept."
				: "there is nothing to recap yet.",
		);
	const early = typedRefusal(reading, "unedited");
	if (early) return refused(early);
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
	// The user may have edited the recap while the model was answering.
	const late = typedRefusal(now.reading, "unedited");
	if (late) return refused(late);
	const { agentDir, words, log } = commons;
	const before = await sessionAt(row.path, agentDir);
	if (!before) return failed("the note was not saved: the session no longer exists.");
	const { note } = answer;
	const added = await addRecord(before, { note }, { agentDir, now: Date.now, words, log });
	if (!added.ok && added.reason === "edited") return refused(added.reason);
	const recap = added.ok
		? added.recap
		: makeRecord(now.reading, {
				now: Date.now(),
				kind: recordKind(row),
				cwd: row.cwd,
				checkout: undefined,
				words: words(reading.language),
				note,
			});
	const kept = added.ok ? added : keepNote(agentDir, row.path, recap);
	if (!kept.ok) return failed(`the note was not saved: ${cleanLine(kept.detail)}`);
	const summary = (await sessionAt(row.path, agentDir)) ?? before;
	const { planted, isArchived } = row;
	const listed = { ...summary, planted, recap, ...(isArchived && { isArchived }) };
	return { ok: true, row: rowOf(listed, row.here) };
}

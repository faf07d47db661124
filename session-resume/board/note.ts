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
import { typedRefusal } from "../../session-core/recap/index.ts";
import { type AddFailure, addNote, openSession, sessionAt } from "../../session-core/sessions/index.ts";
import { cleanLine, costText } from "../../session-core/text/index.ts";
import { type Row, rowOf } from "./list.ts";

type RowNoteOutcome = { ok: true; row: Row } | { ok: false; detail: string };

export interface RowNoteRequest {
	signal: AbortSignal;
	/** `cost` is empty if the model's prices are unknown. */
	asking(model: string, cost: string): void;
}

const CHARACTERS_PER_TOKEN = 4;

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
	const refused = typedRefusal(reading, "unedited");
	if (refused) return failed(whyNotSaved({ reason: refused, detail: "" }));
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
	const { agentDir, words, log } = commons;
	const given = { note: answer.note, stamp: reading.stamp };
	const kept = await addNote(row, given, { agentDir, now: Date.now, words, log });
	if (!kept.ok) return failed(whyNotSaved(kept));
	const summary = await sessionAt(row.path, agentDir);
	if (!summary) return failed("the note was not saved: the session no longer exists.");
	const { planted = false, isArchived } = row;
	const listed = { ...summary, planted, ...(isArchived && { isArchived }) };
	return { ok: true, row: rowOf(listed, row.here) };
}

function whyNotSaved({ reason, detail }: { reason: AddFailure; detail: string }): string {
	switch (reason) {
		case "edited":
			return "you edited this session's recap, so it was kept.";
		case "nothing":
			return "there is nothing to recap yet.";
		case "moved_on":
			return "the session has new messages.";
		default:
			return `the note was not saved: ${cleanLine(detail)}`;
	}
}

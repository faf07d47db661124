/**
 * Prints the exact request that asks a model for a note on a session. If the model's answer is given, prints the resulting note instead.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { noteRequest, readNoteAnswer } from "../session-core/pi/ask-note.ts";
import { cardWords } from "../session-core/recap/card-words.ts";
import { makeRecord } from "../session-core/recap/make-record.ts";
import { openOf, pointsOf, recapText } from "../session-core/recap/text.ts";
import { openSession } from "../session-core/sessions/describe.ts";
import { cardContent } from "../session-resume/card/content.ts";
import { layCard } from "../session-resume/card/layout.ts";

export async function evalNote(file: string, upto: number, answer: string | undefined): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), "note-eval-"));
	try {
		const copy = join(folder, basename(file));
		writeFileSync(copy, `${readFileSync(file, "utf8").trimEnd().split("\n").slice(0, upto).join("\n")}\n`);
		const opened = await openSession({ path: copy, cwd: "" });
		if (!opened.ok) throw new Error(opened.reason);
		const { reading, file: session } = opened;
		const subject = { reading, setting: undefined };
		const { systemPrompt, prompt } = noteRequest(subject);
		const read = answer === undefined ? undefined : readNoteAnswer(answer, subject);
		const note = read && { ...read, generator: { type: "llm" as const, provider: "eval", model: "eval" } };
		const words = cardWords(undefined, {})(reading.language);
		const [id, cwd] = [session.header?.id ?? "", session.header?.cwd ?? ""];
		const stamp = { subjectId: id, now: 0, kind: "session" as const, cwd, checkout: undefined, words };
		const record = makeRecord(reading, { ...stamp, note });
		const content = cardContent({
			recap: record,
			at: undefined,
			name: reading.timeline.name,
			now: 0,
			repository: "",
			words,
		});
		const shown = {
			used: answer === undefined ? null : note !== undefined,
			waits: openOf(record).waits,
			next: pointsOf(record),
			record,
			text: recapText(record, words),
			card: layCard(content, { columns: 100 }).map((line) => line.map(({ text }) => text).join("")),
		};
		return JSON.stringify(
			answer === undefined ? { system: systemPrompt, user: prompt, offline: shown } : shown,
			null,
			1,
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

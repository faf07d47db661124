import { renderTimeline } from "../log/timeline/index.ts";
import { NOTE_SYSTEM_PROMPT, type Note, noteIn, notePrompt, type Reading } from "../recap/index.ts";
import type { ModelName } from "../text/index.ts";
import {
	type AskPorts,
	askModel,
	type Candidate,
	describeFailure,
	type FailedModel,
	type NoAnswer,
	type NoAnswerReason,
	parseSpec,
	type Trigger,
	wantedLanguage,
} from "./model/index.ts";

/** Says why there is no note, names the model that was called (`provider/model`; may be empty), and quotes the provider's message. */
export type FailedNote = Omit<NoAnswer, "reason"> & { reason: NoAnswerReason | "unusable" };

export type NoteOutcome = { ok: true; note: Note; tried?: readonly FailedModel[] | undefined } | FailedNote;

/** The maximum number of tokens in a note. This is enough for all parts of a note in any writing system. */
const MAX_TOKENS = 600;

export interface NoteSubject {
	reading: Pick<Reading, "stamp" | "timeline" | "language">;
	/** The user's `language` setting. */
	setting: string | undefined;
	/** The text of the project's instruction files. Undefined unless the user has turned on that these files are sent. */
	projectContext?: string | undefined;
}

interface NoteQuestion extends NoteSubject {
	candidates: readonly Candidate[];
	signal: AbortSignal;
	by: Trigger;
	/** Called with the sentences of the recap as soon as they are complete, while the model is still writing the rest of the note. */
	onSentences?(text: string, by: Note["generator"]): void;
}

export function noteRequest({ reading, setting, projectContext }: NoteSubject) {
	const timeline = renderTimeline(reading.timeline);
	const { hint } = wantedLanguage(reading.language, setting);
	const prompt = notePrompt({ timeline, language: hint, projectContext });
	return { systemPrompt: NOTE_SYSTEM_PROMPT, prompt, maxTokens: MAX_TOKENS };
}

/** Returns the usable parts of an answer to {@link noteRequest}, or undefined if no part is usable. */
export function readNoteAnswer(answer: string, subject: NoteSubject): Omit<Note, "generator"> | undefined {
	const { reading, setting } = subject;
	// If no language is set, the model chooses one, because the language that was recognized may be that of pasted text.
	const language = setting === undefined ? undefined : wantedLanguage(reading.language, setting).language;
	const { prompt } = noteRequest(subject);
	return noteIn(answer, { input: prompt, timeline: reading.timeline, language });
}

export async function askForNote(question: NoteQuestion, ports: AskPorts): Promise<NoteOutcome> {
	const { reading, candidates, signal, by, onSentences } = question;
	const read = (text: string) => readNoteAnswer(text, question);
	const sentences = sentenceReader((text) => read(text)?.text);
	const answer = await askModel(
		{
			...{ state: reading.stamp, by, candidates, signal, request: noteRequest(question) },
			onText(text, model) {
				const found = onSentences && sentences(text);
				if (found !== undefined) onSentences?.(found, writerOf(model));
			},
			isAnswer: (text) => read(text)?.text !== undefined,
		},
		ports,
	);
	if (!answer.ok) return answer;
	const note = read(answer.text);
	if (!note) return { ok: false, reason: "unusable", model: answer.model };
	const writer = parseSpec(answer.model) ?? { provider: "", id: answer.model };
	return { ok: true, note: { ...note, generator: writerOf(writer) }, tried: answer.tried };
}

function writerOf({ provider, id }: ModelName): Note["generator"] {
	return { type: "llm", provider, model: id };
}

/** Returns a message that says why there is no note, what is used instead (`rest`), and how to call the model again (`again`). */
export function explainNoteFailure({ reason, ...failure }: FailedNote, rest: string, again: string): string {
	const model = failure.model || "The model";
	const parts = (): string[] => {
		if (reason === "no_model") return ["no model is available.", rest, "Choose one with /model."];
		if (reason === "unusable")
			return [`the answer of ${model} could not be used.`, rest, `${again} calls it again.`];
		return [describeFailure({ ...failure, reason }, model), rest];
	};
	return parts().filter(Boolean).join(" ");
}

/** The maximum number of drafts that are read before an answer is complete. A model that thinks aloud may write several recaps. */
const MAX_DRAFTS = 8;

/** Returns a function that receives an answer as it grows, and returns a recap's sentences once, when that recap is complete. */
function sentenceReader(read: (answer: string) => string | undefined) {
	let known = -1;
	let drafts = 0;
	return (answer: string): string | undefined => {
		const end = drafts < MAX_DRAFTS ? ([...answer.matchAll(/<\/recap>/gi)].at(-1)?.index ?? -1) : known;
		if (end === known) return undefined;
		known = end;
		drafts++;
		return end < 0 ? undefined : read(answer.slice(0, end + "</recap>".length));
	};
}

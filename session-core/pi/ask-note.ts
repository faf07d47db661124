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

export type FailedNote = Omit<NoAnswer, "reason"> & { reason: NoAnswerReason | "unusable" };

export type NoteOutcome = { ok: true; note: Note; tried?: readonly FailedModel[] | undefined } | FailedNote;

/**
 * The maximum number of output tokens. The limit is high enough for languages that need many tokens per
 * word.
 */
const NOTE_TOKENS = 600;

export interface NoteSubject {
	reading: Pick<Reading, "stamp" | "timeline" | "language">;
	setting: string | undefined;
	/**
	 * The text of files such as `AGENTS.md`. The text is sent to a model only if
	 * `recap.includeProjectContext` is on.
	 */
	projectContext?: string | undefined;
}

interface NoteQuestion extends NoteSubject {
	candidates: readonly Candidate[];
	signal: AbortSignal;
	by: Trigger;
	onSentences?(text: string, by: Note["generator"]): void;
}

export function noteRequest({ reading, setting, projectContext }: NoteSubject) {
	const timeline = renderTimeline(reading.timeline);
	const { hint } = wantedLanguage(reading.language, setting);
	const prompt = notePrompt({ timeline, language: hint, projectContext });
	return { systemPrompt: NOTE_SYSTEM_PROMPT, prompt, maxTokens: NOTE_TOKENS };
}

export function readNoteAnswer(answer: string, subject: NoteSubject): Omit<Note, "generator"> | undefined {
	const { reading, setting } = subject;
	// Language detection is unreliable, so any language is accepted unless the user has chosen a language.
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

export function explainNoteFailure({ reason, ...failure }: FailedNote, rest: string, again: string): string {
	const model = failure.model || "The model";
	const parts = (): string[] => {
		if (reason === "no_model") return ["no model is available.", rest, "Choose one with /model."];
		if (reason === "unusable")
			return [`the answer from ${model} could not be used.`, rest, `${again} calls it again.`];
		return [describeFailure({ ...failure, reason }, model), rest];
	};
	return parts().filter(Boolean).join(" ");
}

/** The maximum number of `<recap>` blocks to parse while a model's answer is being streamed. */
const MAX_DRAFTS = 8;

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

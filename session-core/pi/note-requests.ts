import {
	type Cause,
	NOTE_SYSTEM_PROMPT,
	type Prepared,
	type Reading,
	type SessionRecord,
} from "../recap/index.ts";
import type { DebugLog, Repository } from "../text/index.ts";
import { askForNote, type FailedNote, type NoteOutcome, type NoteSubject, noteRequest } from "./ask-note.ts";
import {
	type AskPorts,
	type Candidate,
	createRequestSlot,
	type FailedModel,
	type Trigger,
} from "./model/index.ts";
import type { Kept, SessionRecords } from "./session-records.ts";

interface NotesOptions {
	language: string | undefined;
	projectContext(): string | undefined;
	records: SessionRecords;
	isStored: boolean;
	repository: Pick<Repository, "refresh">;
	ports: AskPorts;
	log: DebugLog;
	over: AbortSignal;
	ended(): void;
}

interface NoteWanted {
	by: Trigger;
	cause: Cause;
	candidates: readonly Candidate[];
	replaces?: SessionRecord | undefined;
	changed?(record: SessionRecord): void;
}

type NoteAnswer = { ok: true; kept: Kept | undefined } | FailedNote;

interface PendingNote extends Pick<NoteWanted, "cause" | "replaces"> {
	stamp: string | undefined;
	answer?: Promise<NoteAnswer | undefined>;
}

export class NoteRequests {
	readonly #options: NotesOptions;
	readonly #slot;
	last:
		| { stamp: string | undefined; failure?: FailedNote; tried?: readonly FailedModel[] | undefined }
		| undefined;

	constructor(options: NotesOptions) {
		this.#options = options;
		this.#slot = createRequestSlot<PendingNote>(options.over);
	}

	get isAsking(): boolean {
		return this.#slot.current !== undefined;
	}

	/**
	 * Joins a request that is already in progress for the same session state. Resolves to undefined if the
	 * request is aborted.
	 */
	ask(state: Prepared, wanted: NoteWanted): Promise<NoteAnswer | undefined> {
		const { stamp } = state.reading;
		const running = this.#slot.current;
		if (running?.answer && running.stamp === stamp) {
			if (wanted.cause === "typed")
				Object.assign(running, { cause: wanted.cause, replaces: wanted.replaces });
			return running.answer;
		}
		const asked: PendingNote = { stamp, cause: wanted.cause, replaces: wanted.replaces };
		const changed = (record: SessionRecord) => {
			if (this.#slot.current === asked) wanted.changed?.(record);
		};
		let answer: NoteAnswer | undefined;
		this.last = undefined;
		this.#options.log("note.asked", { stamp, trigger: wanted.by });
		const ended = this.#slot.start(
			asked,
			(signal) => this.#call(state, { ...wanted, changed }, signal),
			(outcome) => {
				answer = this.#answered(state.reading, asked, outcome);
			},
		);
		asked.answer = ended.then(() => answer);
		return asked.answer;
	}

	drop(cause?: Cause): void {
		if (cause === undefined || this.#slot.current?.cause === cause) this.#slot.drop();
	}

	promptText(reading: Reading | undefined): string {
		if (reading?.stamp === undefined) return NOTE_SYSTEM_PROMPT;
		const { systemPrompt, prompt } = noteRequest(this.#subjectOf(reading));
		return `${systemPrompt}\n\n${prompt}`;
	}

	async #call({ reading, shown }: Prepared, { by, candidates, changed }: NoteWanted, signal: AbortSignal) {
		const { repository, ports } = this.#options;
		const known = repository.refresh();
		const onSentences = (text: string, generator: SessionRecord["generator"]) =>
			changed?.({ ...shown, generator, text, artifacts: [] });
		const answer = await askForNote(
			{ ...this.#subjectOf(reading), signal, by, candidates, onSentences },
			ports,
		);
		await known;
		return answer;
	}

	/** Stores the note only if the session has not changed since the note was requested. */
	#answered(reading: Reading, { replaces, cause }: PendingNote, outcome: NoteOutcome): NoteAnswer {
		const { records, isStored, log, ended } = this.#options;
		const { stamp } = reading;
		const { reason, status: http, detail } = outcome.ok ? ({} as Partial<FailedNote>) : outcome;
		log("note.done", { stamp, status: outcome.ok ? "answered" : "failed", reason, http, detail });
		this.last = { stamp, tried: outcome.tried, ...(!outcome.ok && { failure: outcome }) };
		let answer: NoteAnswer;
		if (outcome.ok) {
			const record = records.adopt(reading, outcome.note);
			answer = { ok: true, kept: isStored ? records.put(record, replaces, cause) : undefined };
		} else answer = outcome;
		if (records.isCurrent(stamp)) ended();
		return answer;
	}

	#subjectOf(reading: Reading): NoteSubject {
		const { language: setting, projectContext } = this.#options;
		return { reading, setting, projectContext: projectContext() };
	}
}

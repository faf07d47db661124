import {
	type Cause,
	NOTE_SYSTEM_PROMPT,
	type Prepared,
	type Reading,
	type SessionRecord,
} from "../recap/index.ts";
import type { Repository } from "../text/files/index.ts";
import { type DebugLog, safeText } from "../text/index.ts";
import { askForNote, type FailedNote, type NoteOutcome, type NoteSubject, noteRequest } from "./ask-note.ts";
import { loadProjectContextFiles } from "./host/index.ts";
import {
	type AskPorts,
	type Candidate,
	createRequestSlot,
	type FailedModel,
	type Trigger,
} from "./model/index.ts";
import type { Kept, SessionRecords } from "./session-records.ts";

interface NotesOptions {
	agentDir: string;
	cwd: string;
	/** The user's `language` setting. */
	language: string | undefined;
	/** Whether the project's instructions are part of the request. The user must turn this on. */
	sendsInstructions(): boolean;
	records: SessionRecords;
	/** Whether notes are stored in the session. In print mode, notes are only shown. */
	isStored: boolean;
	repository: Pick<Repository, "refresh">;
	ports: AskPorts;
	log: DebugLog;
	/** Called when a request about the current state has ended, whatever its outcome. */
	ended(): void;
}

interface NoteWanted {
	by: Trigger;
	/** The event that causes the note to be stored, for example a typed command. */
	cause: Cause;
	candidates: readonly Candidate[];
	/** The stored record that the note replaces even if a person has edited that record. */
	over?: SessionRecord | undefined;
	/** Called as soon as the sentences of the note are complete. The record contains them, but the rest of it is unfinished. */
	changed?(record: SessionRecord): void;
}

/** `kept` says whether the note was stored. In print mode, `kept` is undefined. */
export type NoteAnswer = { ok: true; kept: Kept | undefined } | FailedNote;

/** A request for a note. Callers that join it may change why the note is stored and which record the note replaces. */
interface Asked extends Pick<NoteWanted, "cause" | "over"> {
	stamp: string | undefined;
	answer?: Promise<NoteAnswer | undefined>;
}

/** Requests model notes for one open session. At most one request is in progress at any time. */
export class NoteRequests {
	readonly #options: NotesOptions;
	readonly #slot = createRequestSlot<Asked>();
	/** The outcome of the last request, and the state of the conversation that the request was about. */
	last:
		| { stamp: string | undefined; failure?: FailedNote; tried?: readonly FailedModel[] | undefined }
		| undefined;

	constructor(options: NotesOptions) {
		this.#options = options;
	}

	get isAsking(): boolean {
		return this.#slot.current !== undefined;
	}

	/**
	 * Asks a model for a note on a state, then shows and stores the note. If a request about the same state is in progress, joins that
	 * request. A request about another state is aborted. Resolves to undefined if the request is aborted.
	 */
	ask(state: Prepared, wanted: NoteWanted): Promise<NoteAnswer | undefined> {
		const { stamp } = state.reading;
		const running = this.#slot.current;
		if (running?.answer && running.stamp === stamp) {
			if (wanted.cause === "typed") Object.assign(running, { cause: wanted.cause, over: wanted.over });
			return running.answer;
		}
		const asked: Asked = { stamp, cause: wanted.cause, over: wanted.over };
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

	/** Aborts the request in progress and discards its answer. If `cause` is given, aborts only a request with that cause. */
	drop(cause?: Cause): void {
		if (cause === undefined || this.#slot.current?.cause === cause) this.#slot.drop();
	}

	/** Returns the text that would be sent to a model to request a note on this state. */
	promptText(reading: Reading | undefined): string {
		if (reading?.stamp === undefined) return NOTE_SYSTEM_PROMPT;
		const { systemPrompt, prompt } = noteRequest(this.#subjectOf(reading));
		return `${systemPrompt}\n\n${prompt}`;
	}

	async #call({ reading, shown }: Prepared, { by, candidates, changed }: NoteWanted, signal: AbortSignal) {
		const { repository, ports } = this.#options;
		// The record names the commit that is checked out, so git is queried while the model is writing.
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

	/** Handles the end of a request. A note is stored only if the session is still in the state for which the note was requested. */
	#answered(reading: Reading, { over, cause }: Asked, outcome: NoteOutcome): NoteAnswer {
		const { records, isStored, log, ended } = this.#options;
		const { stamp } = reading;
		const { reason, status: http, detail } = outcome.ok ? ({} as Partial<FailedNote>) : outcome;
		log("note.done", { stamp, status: outcome.ok ? "answered" : "failed", reason, http, detail });
		this.last = { stamp, tried: outcome.tried, ...(!outcome.ok && { failure: outcome }) };
		let answer: NoteAnswer;
		if (outcome.ok) {
			const existing = records.prepared()?.existing;
			const record = records.adopt(reading, outcome.note);
			const replaced = existing?.generator.type === "user_edited" ? over : existing;
			// If the note cannot be stored, a note is simply requested again after a restart.
			answer = { ok: true, kept: isStored ? records.put(record, replaced, cause) : undefined };
		} else answer = outcome;
		if (records.isCurrent(stamp)) ended();
		return answer;
	}

	#subjectOf(reading: Reading): NoteSubject {
		const { language: setting, sendsInstructions, cwd, agentDir } = this.#options;
		return {
			reading,
			setting,
			projectContext: sendsInstructions() ? projectInstructions(cwd, agentDir) : undefined,
		};
	}
}

/** The maximum length of the project's instructions in a request for a note, in UTF-16 code units. */
const MAX_CHARACTERS = 2_000;

export function projectInstructions(cwd: string, agentDir: string): string | undefined {
	const files = loadProjectContextFiles({ cwd, agentDir });
	const text = files.map(({ content }) => content.trim()).join("\n\n");
	return text === "" ? undefined : safeText(text).slice(0, MAX_CHARACTERS).toWellFormed();
}

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { appendCarefully, hostSource, lastMessageId } from "../session-core/log/index.ts";
import {
	askForNote,
	type Commons,
	commonsOf,
	createRequestSlot,
	loadProjectContextFiles,
	type NoteOutcome,
	noteRequest,
	type Shared,
	type Trigger,
} from "../session-core/pi/index.ts";
import {
	NOTE_SYSTEM_PROMPT,
	RECAP_ENTRY,
	recordFields,
	type SessionRecord,
} from "../session-core/recap/index.ts";
import { safeText } from "../session-core/text/index.ts";
import { type Draft, draftOf } from "./draft.ts";

interface DraftPorts {
	choose: () => ReturnType<Commons["choose"]>;
	/** Whether the project's instructions are sent, which is off by default. */
	sendsInstructions: () => boolean;
	changed: (draft: Draft) => void;
	/** Called when a request has ended, whatever its outcome. */
	ended: (draft: Draft) => void;
}

/** A session's drafts. A model writes at most one of them at a time. */
export class Drafts {
	readonly commons: Commons;
	readonly budget: ReturnType<Commons["budget"]>;
	readonly source: ReturnType<typeof hostSource>;
	readonly #pi: ExtensionAPI;
	readonly #ctx: ExtensionContext;
	readonly #shared: Shared;
	readonly #ports: DraftPorts;
	/** All drafts are kept, so that jumping back in the session tree does not require a new one. */
	readonly #byStamp = new Map<string, Draft>();
	readonly #slot = createRequestSlot<Draft>();
	isLive = true;

	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, ports: DraftPorts) {
		this.commons = commonsOf(shared, ctx);
		this.budget = this.commons.budget("recap");
		this.source = hostSource(ctx.sessionManager);
		this.#pi = pi;
		this.#ctx = ctx;
		this.#shared = shared;
		this.#ports = ports;
	}

	/** Reads the conversation. Returns undefined if there is no message yet, reading fails, or the session has ended. */
	read(): Draft | undefined {
		const current = this.isLive ? this.commons.prepared() : undefined;
		return current && draftOf(current);
	}

	get isWriting(): boolean {
		return this.#slot.current !== undefined;
	}

	of(stamp: string | undefined): Draft | undefined {
		return stamp === undefined ? undefined : this.#byStamp.get(stamp);
	}

	/** The draft of the current state; undefined if there is none yet. */
	get current(): Draft | undefined {
		return this.of(lastMessageId(this.source));
	}

	/** Stores the draft of this state. If the state already has a draft, updates and returns the existing draft instead. */
	open(read: Draft): Draft {
		const draft = this.#byStamp.get(read.stamp) ?? read;
		// The session may have been renamed since the draft was created.
		draft.reading = read.reading;
		draft.record = read.record;
		this.#byStamp.set(read.stamp, draft);
		return draft;
	}

	/** Calls a model for this draft, unless such a call is in progress. A call for any other draft is aborted. */
	improve(draft: Draft, by: Trigger): Promise<void> | undefined {
		if (this.#slot.current === draft) return undefined;
		this.drop();
		draft.isAsked = true;
		draft.failure = undefined;
		const before = draft.record;
		this.commons.log("draft.asked", { stamp: draft.stamp, trigger: by });
		const ask = async (signal: AbortSignal) => {
			// The record names the commit that is checked out. git runs while the model is writing.
			const known = this.commons.repository.refresh();
			const onSentences = (text: string, generator: SessionRecord["generator"]) => {
				if (this.#slot.current !== draft) return;
				draft.record = { ...before, generator, text, artifacts: [] };
				this.#ports.changed(draft);
			};
			const { candidates } = this.#ports.choose();
			const request = { ...this.#subjectOf(draft), signal, by, candidates, onSentences };
			const answer = await askForNote(request, { budget: this.budget, ...this.commons.asking });
			await known;
			return answer;
		};
		return this.#slot.start(draft, ask, (answer) => this.#answered(draft, before, answer));
	}

	/** Aborts the call in progress. Its answer is never used. */
	drop(): void {
		if (this.#slot.current) this.#slot.current.isAsked = false;
		this.#slot.drop();
	}

	promptText(): string {
		const draft = this.read();
		if (!draft) return NOTE_SYSTEM_PROMPT;
		const { systemPrompt, prompt } = noteRequest(this.#subjectOf(draft));
		return `${systemPrompt}\n\n${prompt}`;
	}

	#subjectOf({ reading }: Draft) {
		const { agentDir, language: setting } = this.commons;
		const projectContext = this.#ports.sendsInstructions()
			? projectInstructions(this.#ctx.cwd, agentDir)
			: undefined;
		return { reading, setting, projectContext };
	}

	#isCurrent(stamp: string): boolean {
		return this.isLive && lastMessageId(this.source) === stamp;
	}

	/**
	 * Called when a model call has ended. Its answer may be used only in the session and state for which it was requested. `before`: the
	 * record that was shown when the call began.
	 */
	#answered(draft: Draft, before: SessionRecord, answer: NoteOutcome): void {
		const { stamp } = draft;
		draft.isAsked = false;
		draft.failure = answer.ok ? undefined : answer;
		draft.tried = answer.tried;
		const { reason, status: http, detail } = draft.failure ?? {};
		const status = answer.ok ? "answered" : "failed";
		this.commons.log("draft.done", { stamp, status, reason, http, detail });
		if (answer.ok) this.#keep(draft, answer.note);
		// The request may have failed after its sentences had arrived, so the record is reset.
		draft.record = (answer.ok && this.#isCurrent(stamp) && this.read()?.record) || before;
		if (this.#isCurrent(stamp)) {
			this.#shared.resume?.noted();
			this.#shared.live?.noted();
			this.#shared.title?.noted();
			this.#ports.changed(draft);
		}
		this.#ports.ended(draft);
	}

	/** Shows a note, and stores it in the session as the record of its state, unless a person has edited that record. */
	#keep({ reading, stamp }: Draft, note: Extract<NoteOutcome, { ok: true }>["note"]): void {
		const isEdited = this.commons.prepared()?.existing?.generator.type === "user_edited";
		const record = this.commons.adopt(reading, note);
		if (this.#shared.isDamaged || isEdited || !this.#isCurrent(stamp) || !this.#ctx.hasUI) return;
		// If the note cannot be stored, the only consequence is that a note is requested again after a restart.
		const saved = appendCarefully(this.source, () => this.#pi.appendEntry(RECAP_ENTRY, record));
		if (saved.ok) this.commons.log("record.written", { cause: "note", ...recordFields(record) });
		else this.commons.log("recap.not_saved", { stamp, reason: saved.reason });
	}
}

/** Maximum length of the project's instructions in a request for a note, in UTF-16 code units. */
const MAX_CHARACTERS = 2_000;

export function projectInstructions(cwd: string, agentDir: string): string | undefined {
	const files = loadProjectContextFiles({ cwd, agentDir });
	const text = files.map(({ content }) => content.trim()).join("\n\n");
	return text === "" ? undefined : safeText(text).slice(0, MAX_CHARACTERS).toWellFormed();
}

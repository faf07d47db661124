import { randomUUID } from "node:crypto";
import { type AppendOutcome, type AppendRefusal, appendCarefully, lastMessageId } from "../log/index.ts";
import {
	type Cause,
	duringRun,
	makeRecord,
	type Note,
	type Prepared,
	prepare,
	type Reading,
	type RecordRefusal,
	recordFields,
	refusal,
	type SessionRecord,
	type WordsFor,
	withCheckout,
} from "../recap/index.ts";
import type { LeaseState } from "../sessions/live/index.ts";
import type { Repository } from "../text/files/index.ts";
import type { DebugLog } from "../text/index.ts";

interface RecordsOptions {
	host: { id: string; cwd: string; source: Parameters<typeof appendCarefully>[0] };
	state(): Reading | undefined;
	repository: Pick<Repository, "last">;
	words: WordsFor;
	/** Receives an event for every record that is written or refused. */
	log: DebugLog;
	append(record: SessionRecord): void;
	minMessages(): number;
	/** Whether the session's file is damaged, in which case nothing is written to it. */
	isDamaged?(): boolean;
	/** Returns the newest note on the session that is kept outside its file. */
	keptNote?(): SessionRecord | undefined;
	/** What another process is doing in the session. */
	elsewhere?(): LeaseState | undefined;
}

export interface Proposal {
	cause: Cause;
	force?: boolean;
	wantsModel?: boolean;
	/** Whether the user is asking for a model's note again. */
	isAgain?: boolean;
}

/** Why a record was refused. `stale`: there are messages that the record does not include. */
export interface NotKept {
	ok: false;
	reason: RecordRefusal | AppendRefusal | "stale";
	existing?: SessionRecord | undefined;
	detail?: string;
}

export type Kept = { ok: true; recap: SessionRecord } | NotKept;

/** The records of one open session. Each state of the conversation gets one record, unless the user requests another one. */
export class SessionRecords {
	readonly #options: RecordsOptions;
	#known: (Prepared & { elsewhere: LeaseState | undefined }) | undefined;
	/** The records with a model's note, by state. For an earlier point in the session tree, the stored record may not be on the branch. */
	readonly #noted = new Map<string | undefined, SessionRecord>();

	constructor(options: RecordsOptions) {
		this.#options = options;
	}

	/** Returns the current state with its records. A call is cheap if nothing has happened since the last call. */
	prepared(): Prepared | undefined {
		const { state, elsewhere, keptNote } = this.#options;
		const reading = state();
		if (!reading) return undefined;
		const live = elsewhere?.();
		if (this.#known?.reading === reading && this.#known.elsewhere === live) return this.#known;
		const noted = this.#noted.get(reading.stamp) ?? keptNote?.();
		const found = prepare(reading, this.#stampOf(reading), noted);
		this.#known = { ...found, shown: duringRun(found.shown, live), elsewhere: live };
		return this.#known;
	}

	isCurrent(stamp: string | undefined): boolean {
		return lastMessageId(this.#options.host.source) === stamp;
	}

	/** Shows a model's note on a state. Returns the record with the note, which is not stored yet. */
	adopt(reading: Reading, note: Note): SessionRecord {
		const record = { ...makeRecord(reading, { ...this.#stampOf(reading), note }), id: randomUUID() };
		this.#noted.set(reading.stamp, record);
		this.#known = undefined;
		return record;
	}

	/** Returns the state that a record is to be made of, or why none may be made. */
	propose(proposal: Proposal): { ok: true; prepared: Prepared } | NotKept {
		const prepared = this.prepared();
		if (!prepared) return this.#refuse(proposal, { ok: false, reason: "nothing" });
		const { reading, existing } = prepared;
		const minMessages = this.#options.minMessages();
		const reason = refusal({
			force: false,
			wantsModel: false,
			...proposal,
			minMessages,
			existing,
			...reading,
		});
		return reason ? this.#refuse(proposal, { ok: false, reason, existing }) : { ok: true, prepared };
	}

	/** Stores a record unless the session has since received new messages or another record. `over`: the stored record that may be replaced. */
	put(record: SessionRecord, over: SessionRecord | undefined, cause: Cause): Kept {
		const { host, repository, log } = this.#options;
		if (!this.isCurrent(record.last_message_id))
			return this.#refuse({ cause }, { ok: false, reason: "stale" });
		const existing = this.prepared()?.existing;
		if (existing && existing.id !== over?.id) {
			const isEdited = existing.generator.type === "user_edited";
			return this.#refuse({ cause }, { ok: false, reason: isEdited ? "edited" : "exists", existing });
		}
		const placed = record.workspace?.git_head ? record : withCheckout(record, host.cwd, repository.last);
		const created_at = Math.floor(Date.now() / 1000);
		const recap = { ...placed, id: randomUUID(), subject_id: host.id, created_at };
		const outcome = this.#append(recap, cause);
		if (!outcome.ok) return this.#refuse({ cause }, outcome);
		log("record.written", { cause, ...recordFields(recap) });
		return { ok: true, recap };
	}

	/** Generates an offline record and stores it. `finish` adds the facts that only the caller knows. */
	keep(proposal: Proposal, finish = (record: SessionRecord) => record): Kept {
		const proposed = this.propose(proposal);
		if (!proposed.ok) return proposed;
		const { recap, existing } = proposed.prepared;
		return this.put(finish(recap), existing, proposal.cause);
	}

	#append(record: SessionRecord, cause: Cause): AppendOutcome {
		const { host, append, isDamaged } = this.#options;
		if (isDamaged?.()) return { ok: false, reason: "unreadable", detail: "" };
		// If the user has gone back to an earlier point in the session tree, a record is saved only on request.
		return appendCarefully(host.source, () => append(record), { anywhere: cause === "typed" });
	}

	#refuse({ cause }: Proposal, refused: NotKept): NotKept {
		this.#options.log("record.skipped", { cause, reason: refused.reason });
		return refused;
	}

	#stampOf(reading: Reading) {
		const { host, repository, words } = this.#options;
		return {
			subjectId: host.id,
			now: Date.now(),
			kind: "session" as const,
			cwd: host.cwd,
			checkout: repository.last,
			words: words(reading.language),
		};
	}
}

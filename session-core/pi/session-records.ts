import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	type AppendOutcome,
	type AppendRefusal,
	appendCarefully,
	hostSource,
	lastMessageId,
	walkBranch,
} from "../log/index.ts";
import {
	type Cause,
	duringRun,
	type HeaderOrigin,
	makeRecord,
	type Note,
	type Prepared,
	prepare,
	type Reading,
	type RecordRefusal,
	readSession,
	recordFields,
	refusal,
	replaceRefusal,
	type SessionRecord,
	type WordsFor,
	withCheckout,
} from "../recap/index.ts";
import {
	bugText,
	type DebugLog,
	errorFields,
	isSameFolder,
	type Repository,
	safeSessionId,
} from "../text/index.ts";

export type HostSession = ReturnType<typeof hostSession>;

export function hostSession(ctx: Pick<ExtensionContext, "sessionManager" | "cwd">) {
	const manager = ctx.sessionManager;
	const header = manager.getHeader();
	const id = manager.getSessionId();
	const ownCwd = header?.cwd || undefined;
	const origin: HeaderOrigin = { id, timestamp: header?.timestamp, parentSession: header?.parentSession };
	return {
		id,
		cwd: ctx.cwd,
		folder: manager.getSessionDir(),
		/** The working directory in which the session began, according to the header of its file. */
		ownCwd,
		isMoved: ownCwd !== undefined && !isSameFolder(ownCwd, ctx.cwd),
		source: hostSource(manager),
		origin,
	};
}

interface RecordsOptions {
	host: Pick<HostSession, "id" | "cwd" | "source" | "origin">;
	repository: Pick<Repository, "last">;
	words: WordsFor;
	log: DebugLog;
	append(record: SessionRecord): void;
	minMessages(): number;
	isDamaged?(): boolean;
	keptNote?(): SessionRecord | undefined;
	elsewhere?(): Parameters<typeof duringRun>[1];
}

type Proposal = Omit<Parameters<typeof refusal>[1], "minMessages">;

/** `stale` means that the session has received messages since the record was created. */
export interface NotKept {
	ok: false;
	reason: RecordRefusal | AppendRefusal | "stale";
	existing?: SessionRecord | undefined;
	detail?: string;
}

export type Kept = { ok: true; record: SessionRecord } | NotKept;

export function workingText(command: string): string {
	return `${command}: the agent is still working; try again when it is done.`;
}

/**
 * Stores at most one record for each state of the session, unless the user requests a new record or a note
 * replaces a record that the user has not edited.
 */
export class SessionRecords {
	readonly #options: RecordsOptions;
	#read: { leaf: string | null; reading: Reading } | undefined;
	#known: (Prepared & { elsewhere: string | undefined }) | undefined;
	#bug: unknown;
	/**
	 * The latest note on each state, keyed by its stamp. If the user returns to a state with `/tree`, the
	 * model is not called again.
	 */
	readonly #notes = new Map<string | undefined, SessionRecord>();

	constructor(options: RecordsOptions) {
		this.#options = options;
	}

	/**
	 * Returns undefined if the session is too malformed to be read. The result is cached until the
	 * session's leaf entry changes.
	 */
	reading(): Reading | undefined {
		const { host } = this.#options;
		return this.#attempt(() => {
			const leaf = host.source.getLeafId();
			if (this.#read?.leaf !== leaf)
				this.#read = { leaf, reading: readSession(walkBranch(host.source), host.origin, host.cwd) };
			return this.#read.reading;
		});
	}

	/** Returns the same object until the session changes, so results can be compared with `===`. */
	prepared(): Prepared | undefined {
		return this.#attempt(() => this.#prepared());
	}

	stateFor(
		command: string,
		{ isIdle }: Pick<ExtensionContext, "isIdle">,
		say: (text: string, kind?: "warning") => void,
	): Prepared | undefined {
		if (!isIdle()) return void say(workingText(command), "warning");
		const state = this.prepared();
		if (state?.reading.stamp !== undefined && state.reading.hasTask) return state;
		return void say(
			this.#bug === undefined ? `${command}: nothing to recap yet.` : bugText(command, this.#bug),
		);
	}

	/**
	 * An unexpected error is logged instead of thrown, because a command or timer that reads the session
	 * must not crash.
	 */
	#attempt<Result>(read: () => Result): Result | undefined {
		try {
			const result = read();
			if (result !== undefined) this.#bug = undefined;
			return result;
		} catch (bug) {
			this.#bug = bug;
			this.#options.log("read.failed", errorFields(bug));
			return undefined;
		}
	}

	#prepared(): Prepared | undefined {
		const { elsewhere, keptNote } = this.#options;
		const reading = this.reading();
		if (!reading) return undefined;
		const live = elsewhere?.();
		if (this.#known?.reading === reading && this.#known.elsewhere === live) return this.#known;
		const found = prepare(reading, this.#detailsOf(reading), [this.#notes.get(reading.stamp), keptNote?.()]);
		this.#known = { ...found, shown: duringRun(found.shown, live), elsewhere: live };
		return this.#known;
	}

	isCurrent(stamp: string | undefined): boolean {
		return lastMessageId(this.#options.host.source) === stamp;
	}

	lastMessageBefore(leaf: string | null): string | undefined {
		const { source } = this.#options.host;
		const getEntry = (id: string) => source.getEntry(id);
		return lastMessageId({ getEntry, getLeafEntry: () => (leaf === null ? undefined : getEntry(leaf)) });
	}

	adopt(reading: Reading, note: Note): SessionRecord {
		const record = makeRecord(reading, { ...this.#detailsOf(reading), note });
		this.#notes.set(reading.stamp, record);
		this.#known = undefined;
		return record;
	}

	propose(proposal: Proposal): { ok: true; prepared: Prepared } | NotKept {
		const prepared = this.prepared();
		if (!prepared) return this.#refuse(proposal, { ok: false, reason: "nothing" });
		const { reading } = prepared;
		const reason = refusal(reading, { ...proposal, minMessages: this.#options.minMessages() });
		const { existing } = reading;
		return reason ? this.#refuse(proposal, { ok: false, reason, existing }) : { ok: true, prepared };
	}

	/**
	 * Stores a record unless the session has received new messages. A note replaces any existing record
	 * that the user has not edited. Other existing records are replaced only if passed as `over`.
	 */
	put(wanted: SessionRecord, over: SessionRecord | undefined, cause: Cause): Kept {
		const { host, repository, log } = this.#options;
		if (!this.isCurrent(wanted.last_message_id))
			return this.#refuse({ cause }, { ok: false, reason: "stale" });
		const reading = this.reading();
		const existing = reading?.existing;
		if (reading && existing && existing.id !== over?.id) {
			const replaces = wanted.generator.type === "llm" ? "unedited" : undefined;
			const reason = replaceRefusal(reading, replaces);
			if (reason) return this.#refuse({ cause }, { ok: false, reason, existing });
		}
		const placed = wanted.workspace?.git_head ? wanted : withCheckout(wanted, host.cwd, repository.last);
		const created_at = Math.floor(Date.now() / 1000);
		const requested = cause === "typed" && { requested: true };
		const subject_id = safeSessionId(host.id);
		const record = { ...placed, id: crypto.randomUUID(), subject_id, created_at, ...requested };
		const outcome = this.#append(record, cause);
		if (!outcome.ok) return this.#refuse({ cause }, outcome);
		log("record.written", { cause, ...recordFields(record) });
		return { ok: true, record };
	}

	keep(proposal: Proposal, finish = (record: SessionRecord) => record): Kept {
		const proposed = this.propose(proposal);
		if (!proposed.ok) return proposed;
		const { offline, reading } = proposed.prepared;
		return this.put(finish(offline), reading.existing, proposal.cause);
	}

	#append(record: SessionRecord, cause: Cause): AppendOutcome {
		const { host, append, isDamaged } = this.#options;
		if (isDamaged?.()) return { ok: false, reason: "unreadable", detail: "" };
		// Only a command that the user typed may store a record at an earlier point in the session tree.
		return appendCarefully(host.source, () => append(record), { anywhere: cause === "typed" });
	}

	#refuse({ cause }: Proposal, refused: NotKept): NotKept {
		this.#options.log("record.skipped", { cause, reason: refused.reason });
		return refused;
	}

	#detailsOf(reading: Reading) {
		const { host, repository, words } = this.#options;
		return {
			now: Date.now(),
			kind: "session" as const,
			cwd: host.cwd,
			checkout: repository.last,
			words: words(reading.language),
		};
	}
}

import { randomUUID } from "node:crypto";
import {
	type AppendOutcome,
	type AppendRefusal,
	appendCarefully,
	fileErrorText,
	lastMessageId,
} from "../../session-core/log/index.ts";
import type { Commons, HostSession } from "../../session-core/pi/index.ts";
import {
	type Cause,
	type Prepared,
	RECAP_ENTRY,
	type Reading,
	type RecordRefusal,
	recordFields,
	refusal,
	type SessionRecord,
	withCheckout,
	writtenBy,
} from "../../session-core/recap/index.ts";
import type { Repository } from "../../session-core/text/files/index.ts";

interface KeeperDeps {
	pi: { appendEntry(type: string, data: unknown): void };
	host: Pick<HostSession, "id" | "cwd" | "source">;
	minMessages(): number;
	prepared(): Prepared | undefined;
	repository: Pick<Repository, "last">;
	/** Receives an event with the reason for every record that is written, skipped or refused. */
	log: Commons["log"];
	/** Whether the session's file is damaged, in which case nothing is written to it. */
	isDamaged?: () => boolean;
}

interface WriteOptions {
	cause: Cause;
	force?: boolean;
	wantsModel?: boolean;
	isAgain?: boolean;
}

/** Why a record was refused. `stale`: there are messages that the record does not include. */
type NotKept = {
	ok: false;
	reason: RecordRefusal | AppendRefusal | "stale";
	existing?: SessionRecord;
	detail?: string;
};
export type Kept = { ok: true; recap: SessionRecord } | NotKept;

export function explainRefusal({ reason, existing, detail }: NotKept): string {
	switch (reason) {
		case "edited":
			return "recap-card: you edited this recap, so it was kept. Type /recap-card --force to replace it.";
		case "exists":
			return `recap-card: this state already has a recap${existing ? `, ${writtenBy(existing)}` : ""}. /recap-card --force replaces it.`;
		case "moved_on":
			return "recap-card: not saved, because another pi has continued this session. Open it again to see the new messages.";
		case "earlier_point":
			return "recap-card: not saved, because you are at an earlier point in this session. Type /recap-card to save a recap at this point.";
		case "stale":
			return "recap-card: not saved, because there are new messages. Type /recap-card again.";
		case "not_saved":
			return "recap-card: not saved, because pi has not saved this session yet.";
		case "unreadable":
			return "recap-card: not saved, because the session's file is damaged.";
		case "unwritable":
			return `recap-card: not saved: ${fileErrorText(detail)}`;
		case "nothing":
		case "off":
		case "short":
		case "inherited":
			return "recap-card: nothing to recap yet.";
	}
}

interface Known {
	reading: Pick<Reading, "stamp" | "hasTask" | "messages" | "isInherited">;
	existing: Pick<SessionRecord, "generator" | "created_at"> | undefined;
}

/** Returns how the current record was made, or why there is none. The result never contains the text of the record. */
export function recordWhy(prepared: Known | undefined, minMessages: number): string {
	if (!prepared) return "no recap is saved: this session has no messages";
	const { reading, existing } = prepared;
	if (existing)
		return `${writtenBy(existing)} on ${new Date(existing.created_at * 1000).toISOString().slice(0, 16)}Z`;
	const due = { cause: "end", force: false, wantsModel: false } as const;
	switch (refusal({ ...due, minMessages, existing, ...reading })) {
		case "nothing":
			return "no recap is saved: you have not sent a request";
		case "off":
			return "no recap is saved at the end of a session, because resume.minMessages is 0; type /recap-card to save one";
		case "short":
			return `no recap is saved yet: ${reading.messages} of ${minMessages} messages; /recap-card saves one now`;
		case "inherited":
			return "no recap is saved: this fork has no new messages, so its parent's recap is shown";
		default:
			return "no recap is saved yet: that happens when the session ends; type /recap-card to save one now";
	}
}

/** Stores the records of one session instance. Each state of the conversation gets one record, unless the user forces another one. */
export class Keeper {
	readonly #deps: KeeperDeps;

	constructor(deps: KeeperDeps) {
		this.#deps = deps;
	}

	/** Returns the current state. This is cheap if nothing has happened since the last call. */
	state(): Prepared | undefined {
		return this.#deps.prepared();
	}

	propose(options: WriteOptions): { ok: true; prepared: Prepared } | NotKept {
		const { cause, force = false, wantsModel = false, isAgain = false } = options;
		const prepared = this.state();
		if (!prepared) return this.#refuse(cause, { ok: false, reason: "nothing" });
		const { reading, existing } = prepared;
		const minMessages = this.#deps.minMessages();
		const reason = refusal({ cause, force, wantsModel, isAgain, minMessages, existing, ...reading });
		return reason
			? this.#refuse(cause, { ok: false, reason, ...(existing && { existing }) })
			: { ok: true, prepared };
	}

	/** Stores a record unless the session has since received new messages or another record. `over`: the stored record that may be replaced. */
	put(recap: SessionRecord, { over, cause }: { over: SessionRecord | undefined; cause: Cause }): Kept {
		const { id, cwd, source } = this.#deps.host;
		if (lastMessageId(source) !== recap.last_message_id)
			return this.#refuse(cause, { ok: false, reason: "stale" });
		const existing = this.state()?.existing;
		if (existing && existing.id !== over?.id) {
			const isEdited = existing.generator.type === "user_edited";
			return this.#refuse(cause, { ok: false, reason: isEdited ? "edited" : "exists", existing });
		}
		const placed = recap.workspace?.git_head ? recap : withCheckout(recap, cwd, this.#deps.repository.last);
		const created_at = Math.floor(Date.now() / 1000);
		const stored = { ...placed, id: randomUUID(), subject_id: id, created_at };
		const outcome = this.#append(stored, cause);
		if (!outcome.ok) return this.#refuse(cause, outcome);
		this.#deps.log("record.written", { cause, ...recordFields(stored) });
		return { ok: true, recap: stored };
	}

	/** Generates an offline record and stores it. `finish` adds the facts that only the caller knows. */
	keep(options: WriteOptions, finish = (recap: SessionRecord) => recap): Kept {
		const proposed = this.propose(options);
		if (!proposed.ok) return proposed;
		const { recap, existing } = proposed.prepared;
		return this.put(finish(recap), { over: existing, cause: options.cause });
	}

	#append(recap: SessionRecord, cause: Cause): AppendOutcome {
		const { pi, host, isDamaged } = this.#deps;
		if (isDamaged?.()) return { ok: false, reason: "unreadable", detail: "" };
		// If the user has gone back to an earlier point in the session tree, a record is saved only on request.
		return appendCarefully(host.source, () => pi.appendEntry(RECAP_ENTRY, recap), {
			anywhere: cause === "typed",
		});
	}

	#refuse(cause: Cause, refused: NotKept): NotKept {
		this.#deps.log("record.skipped", { cause, reason: refused.reason });
		return refused;
	}
}

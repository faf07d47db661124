import type { LogFields } from "../../session-core/debug-log.ts";
import { makeRecord, withCheckout } from "../../session-core/recap/make-record.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { type Cause, type Refusal, refusal } from "../../session-core/recap/refusal.ts";
import { ownRecord, shownRecord } from "../../session-core/recap/stored-records.ts";
import type { Checkout } from "../../session-core/repository.ts";
import type { AppendOutcome, AppendRefusal } from "../../session-core/session-file/append.ts";
import type { BranchLimits } from "../../session-core/session-file/branch.ts";
import { lastMessageId, renameSince } from "../../session-core/session-file/branch.ts";
import type { Reading } from "../../session-core/session-view/read-session.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { HostSession } from "../host-session.ts";

export interface KeeperDeps {
	session: Pick<HostSession, "id" | "cwd" | "source">;
	kind: SessionRecord["kind"];
	minMessages(): number;
	/** Reads the session in its present state; undefined: the reader is not loaded yet, or it failed. */
	read(limits?: Partial<BranchLimits>): Reading | undefined;
	/** The repository's last known state. */
	checkout(): Checkout | undefined;
	/** `aside`: whether to write at an earlier point of the tree. */
	append(recap: SessionRecord, options: { aside: "refuse" | "write" }): AppendOutcome;
	newId(): string;
	now(): number;
	/** The language of the records. */
	words(): Words;
	/** Receives an event for every record that is written, skipped or refused, with the reason. */
	log(event: string, fields: LogFields): void;
}

/** A state of the conversation, with the offline record of it. */
export interface Prepared {
	reading: Reading;
	recap: SessionRecord;
	/** The session's own stored record of it. */
	existing: SessionRecord | undefined;
	/** What a card of it shows: a stored record, else the offline one. */
	shown: SessionRecord;
}

export interface WriteOptions {
	cause: Cause;
	force?: boolean;
	wantsModel?: boolean;
}

/** `stale`: there are newer messages than the record's. */
export type Refused = {
	ok: false;
	reason: Refusal | AppendRefusal | "stale";
	existing?: SessionRecord;
	detail?: string;
};
export type Kept = { ok: true; recap: SessionRecord } | Refused;

/** What a record may replace: the one that was stored when it was requested, or none. */
export interface Placing {
	over: SessionRecord | undefined;
	cause: Cause;
}

export interface Keeper {
	/** The present state. Cheap if there is no new message since the last call. */
	state(): Prepared | undefined;
	/** Whether a record may be written; if so, the offline one. */
	propose(options: WriteOptions): { ok: true; prepared: Prepared } | Refused;
	/** Writes a record, unless the session has moved on since it was made. */
	put(recap: SessionRecord, placing: Placing): Kept;
	/** Proposes and writes the offline record. */
	keep(options: WriteOptions): Kept;
}

/** Reasons why a record that was due could not be stored; with every other reason, none was due. */
const NOT_STORED: ReadonlySet<Refused["reason"]> = new Set([
	"not_saved",
	"moved_on",
	"unreadable",
	"unwritable",
]);

/** Quitting must be fast: if no record was prepared, only the newest part of the branch is read. */
const IN_A_HURRY: Partial<BranchLimits> = { entries: 120, characters: 400_000 };

/** The records of one session instance: one for each state of the conversation, unless forced. */
export function createKeeper(deps: KeeperDeps): Keeper {
	let prepared: Prepared | undefined;
	/** The newest rename that `prepared` takes into account: its headline is the session's name. */
	let renamed: string | undefined;

	const prepare = (limits?: Partial<BranchLimits>): Prepared | undefined => {
		const reading = deps.read(limits);
		if (!reading) return undefined;
		const { session, kind } = deps;
		const recap = makeRecord(reading, {
			id: deps.newId(),
			subjectId: session.id,
			now: deps.now(),
			kind,
			cwd: session.cwd,
			checkout: deps.checkout(),
			words: deps.words(),
		});
		return {
			reading,
			recap,
			existing: ownRecord(reading.records, session.id),
			shown: shownRecord(reading, session.id) ?? recap,
		};
	};
	const state = (limits?: Partial<BranchLimits>): Prepared | undefined => {
		const rename = renameSince(deps.session.source);
		if (prepared?.reading.stamp !== lastMessageId(deps.session.source) || renamed !== rename)
			prepared = undefined;
		renamed = rename;
		prepared ??= prepare(limits);
		return prepared;
	};
	const propose: Keeper["propose"] = ({ cause, force = false, wantsModel = false }) => {
		const current = state(cause === "end" ? IN_A_HURRY : undefined);
		if (!current) return { ok: false, reason: "nothing" };
		const { reading, existing } = current;
		const minMessages = deps.minMessages();
		const reason = refusal({ cause, force, wantsModel, minMessages, existing, ...reading });
		return reason ? { ok: false, reason, ...(existing && { existing }) } : { ok: true, prepared: current };
	};
	const put: Keeper["put"] = (recap, { over, cause }) => {
		const { id, cwd, source } = deps.session;
		if (lastMessageId(source) !== recap.last_message_id) return { ok: false, reason: "stale" };
		const existing = state()?.existing;
		if (existing && existing.id !== over?.id) {
			const isPersons = existing.generator.type === "user_edited";
			return { ok: false, reason: isPersons ? "edited" : "exists", existing };
		}
		const placed = recap.workspace?.git_head ? recap : withCheckout(recap, cwd, deps.checkout());
		const created_at = Math.floor(deps.now() / 1000);
		const stamped = { ...placed, id: deps.newId(), subject_id: id, created_at };
		const outcome = deps.append(stamped, { aside: cause === "typed" ? "write" : "refuse" });
		if (!outcome.ok) return outcome;
		if (prepared?.reading.stamp === recap.last_message_id) {
			prepared = { ...prepared, existing: stamped, shown: stamped };
		}
		return { ok: true, recap: stamped };
	};
	const logged = (kept: Kept, cause: Cause): Kept => {
		if (!kept.ok) {
			const event = NOT_STORED.has(kept.reason) ? "record.refused" : "record.skipped";
			deps.log(event, { cause, reason: kept.reason });
		} else {
			const { kind, generator, outcome, last_message_id: stamp } = kept.recap;
			deps.log("record.written", { cause, kind, by: generator.type, outcome, stamp });
		}
		return kept;
	};
	const keeper: Keeper = {
		state: () => state(),
		propose(options) {
			const proposed = propose(options);
			if (!proposed.ok) logged(proposed, options.cause);
			return proposed;
		},
		put: (recap, placing) => logged(put(recap, placing), placing.cause),
		keep(options) {
			const proposed = keeper.propose(options);
			if (!proposed.ok) return proposed;
			const { recap, existing } = proposed.prepared;
			return keeper.put(recap, { over: existing, cause: options.cause });
		},
	};
	return keeper;
}

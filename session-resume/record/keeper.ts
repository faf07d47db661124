import type { Recap } from "../../session-core/recap/record.ts";
import { makeRecord, withCheckout } from "../../session-core/records/make-record.ts";
import type { Reading } from "../../session-core/records/reading.ts";
import { type Cause, type Refusal, refusal } from "../../session-core/records/refusal.ts";
import { ownRecord, shownRecord } from "../../session-core/records/stored-records.ts";
import type { AppendOutcome, AppendRefusal } from "../../session-core/session/append.ts";
import type { BranchLimits } from "../../session-core/session/branch.ts";
import { lastMessageId } from "../../session-core/session/stamp.ts";
import type { Words } from "../../session-core/words/words.ts";
import type { Checkout } from "../../session-core/workspace/repository.ts";
import type { HostSession } from "../host-session.ts";

export interface KeeperDeps {
	session: Pick<HostSession, "id" | "cwd" | "source">;
	kind: Recap["kind"];
	minMessages: number;
	/** Look at the session as it stands; undefined: the reader is not loaded yet, or the look failed. */
	read(limits?: Partial<BranchLimits>): Reading | undefined;
	/** The repository as last known. */
	checkout(): Checkout | undefined;
	/** `aside`: also at an earlier point of the tree. */
	append(recap: Recap, options: { aside: "refuse" | "write" }): AppendOutcome;
	newId(): string;
	now(): number;
	/** The words that its records are written in. */
	words(): Words;
}

/** A state of the conversation, with the record that the rules make of it. */
export interface Prepared {
	reading: Reading;
	recap: Recap;
	/** The session's own record of it, as far as one was written. */
	existing: Recap | undefined;
	/** What a card of it shows: a record that was written, else the one by rules. */
	shown: Recap;
}

export interface Wish {
	cause: Cause;
	force?: boolean;
	wantsModel?: boolean;
}

/** `stale`: something was said since the record was made. */
export type Refused = {
	ok: false;
	reason: Refusal | AppendRefusal | "stale";
	existing?: Recap;
	detail?: string;
};
export type Kept = { ok: true; recap: Recap } | Refused;

/** What a record may take the place of: the one that stood there when it was asked for, or none. */
export interface Placing {
	over: Recap | undefined;
	cause: Cause;
}

export interface Keeper {
	/** The state as it stands. Cheap when nothing was said since the last call. */
	state(): Prepared | undefined;
	/** Whether a record may be written; if so, the one that the rules make. */
	propose(wish: Wish): { ok: true; prepared: Prepared } | Refused;
	/** Write a record, unless more has happened than it was made for: looked up at this moment. */
	put(recap: Recap, placing: Placing): Kept;
	/** Both in one: the record by rules. */
	keep(wish: Wish): Kept;
}

/** Nobody waits at the end of a session: where nothing was made ready, the newest part of the branch has to do. */
const IN_A_HURRY: Partial<BranchLimits> = { entries: 120, characters: 400_000 };

/** The records of one session instance: one for each state of the conversation, unless forced. */
export function createKeeper(deps: KeeperDeps): Keeper {
	let prepared: Prepared | undefined;

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
		if (prepared?.reading.stamp !== lastMessageId(deps.session.source)) prepared = undefined;
		prepared ??= prepare(limits);
		return prepared;
	};
	const propose: Keeper["propose"] = ({ cause, force = false, wantsModel = false }) => {
		const current = state(cause === "end" ? IN_A_HURRY : undefined);
		if (!current) return { ok: false, reason: "nothing" };
		const { reading, existing } = current;
		const { minMessages } = deps;
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
	return {
		state: () => state(),
		propose,
		put,
		keep(wish) {
			const proposed = propose(wish);
			if (!proposed.ok) return proposed;
			const { recap, existing } = proposed.prepared;
			return put(recap, { over: existing, cause: wish.cause });
		},
	};
}

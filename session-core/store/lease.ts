import { unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { replaceFile, type WriteOutcome } from "./atomic-file.ts";
import { startTicks } from "./process.ts";
import { readHead } from "./span.ts";

const LeaseStateSchema = Type.Union([
	Type.Literal("working"),
	Type.Literal("needs_you"),
	Type.Literal("idle"),
	Type.Literal("failed"),
]);

/** One process's claim on the session that it has open, as stored in `live/<pid>.json`. */
const LeaseSchema = Type.Object({
	pid: Type.Integer({ minimum: 1 }),
	sessionId: Type.String(),
	/** Absent for a session that is not saved. */
	sessionFile: Type.Optional(Type.String()),
	cwd: Type.Optional(Type.String()),
	state: LeaseStateSchema,
	/** When it came into this state, in milliseconds since the epoch. */
	since: Type.Number(),
	/** When the process started, in clock ticks since boot: tells it from a later one with the same id. */
	startedAt: Type.Optional(Type.Number()),
	/** The machine: a home folder may be shared between several, or with containers. */
	host: Type.String(),
});

/** What a live session is doing. */
export type LeaseState = Static<typeof LeaseStateSchema>;

export type Lease = Static<typeof LeaseSchema>;

/** The session that a lease is for. */
export interface LeasedSession {
	sessionId: string;
	sessionFile?: string | undefined;
	cwd?: string | undefined;
}

/** A lease file is a few hundred bytes; one above this is none. */
const MAX_BYTES = 64 * 1024;

/** Where leases stand. */
export function liveFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "live");
}

/** This process's claim on one session. One process has one lease: a later claim takes the place of an earlier one. */
export class LeaseHolder {
	readonly #path: string;
	#lease: Lease;

	constructor(agentDir: string, session: LeasedSession, state: LeaseState, now: number) {
		const { sessionId, sessionFile, cwd } = session;
		const startedAt = startTicks(process.pid);
		this.#path = join(liveFolder(agentDir), `${process.pid}.json`);
		this.#lease = {
			pid: process.pid,
			sessionId,
			...(sessionFile !== undefined && { sessionFile }),
			...(cwd !== undefined && { cwd }),
			state,
			since: now,
			...(startedAt !== undefined && { startedAt }),
			host: hostname(),
		};
	}

	/** Writes the lease. If that fails, the session goes on: only nobody else sees that it is live. */
	claim(): WriteOutcome {
		return replaceFile(this.#path, `${JSON.stringify(this.#lease)}\n`);
	}

	/** Says what the session does now; writes only what is news. */
	update(state: LeaseState, now: number): WriteOutcome {
		if (state === this.#lease.state) return { ok: true };
		this.#lease = { ...this.#lease, state, since: now };
		return this.claim();
	}

	/** Gives the lease up. Synchronous, for exit handlers; the lease of another session that came after stays. */
	release(): void {
		const standing = readLease(this.#path);
		if (standing && standing.sessionId !== this.#lease.sessionId) return;
		try {
			unlinkSync(this.#path);
		} catch {
			// It is gone already, or cannot be removed: the next listing sweeps it.
		}
	}
}

/** Reads a lease file; undefined for one that is missing, damaged or no regular file. */
export function readLease(path: string): Lease | undefined {
	const head = readHead(path, MAX_BYTES);
	if (!head.ok) return undefined;
	try {
		const value: unknown = JSON.parse(head.bytes.toString("utf8"));
		return Value.Check(LeaseSchema, value) ? value : undefined;
	} catch {
		// Damaged: nobody's lease.
		return undefined;
	}
}

import { randomUUID } from "node:crypto";
import { unlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { readPlace, type TerminalPlace } from "../live-terminal/place.ts";
import { ownPlace } from "../live-terminal/tty.ts";
import { hasFields, isNumber, isOneOf, isText, maybe } from "../shape.ts";
import { replaceFile, type WriteOutcome } from "./atomic-file.ts";
import { placeOf } from "./machine.ts";
import { signalNeed } from "./need-signal.ts";
import { startTicks } from "./process.ts";
import { readHead } from "./span.ts";

/** What a live session is doing. */
export type LeaseState = "working" | "needs_you" | "idle" | "failed";

/** A claim on the session that is open somewhere, as stored in `live/<instance>.json`. */
export interface Lease {
	/** Whose claim it is: one opening of one session. A process may have several. */
	instance: string;
	pid: number;
	/** When the process started, in clock ticks since boot: tells it from a later one with the same id. */
	startedAt?: number;
	/** Where the process runs; see `machine.ts`. */
	machine: string;
	boot: string;
	pidSpace?: string;
	/** The machine's name, for people. */
	host: string;
	sessionId: string;
	/** Absent for a session that is not saved. */
	sessionFile?: string;
	cwd?: string;
	state: LeaseState;
	/** When it came into this state, in milliseconds since the epoch. */
	since: number;
	/** Where the process's terminal is; absent where it has none, or nothing of what is stored can be used. */
	terminal?: TerminalPlace;
}

type Stored = Omit<Lease, "terminal"> & { terminal?: unknown };

const isLease = hasFields<Stored>({
	instance: isText,
	pid: (value) => Number.isSafeInteger(value) && Number(value) > 0,
	startedAt: maybe(isNumber),
	machine: isText,
	boot: isText,
	pidSpace: maybe(isText),
	host: isText,
	sessionId: isText,
	sessionFile: maybe(isText),
	cwd: maybe(isText),
	state: isOneOf("working", "needs_you", "idle", "failed"),
	since: isNumber,
	/** See `live-terminal/place.ts`, which reads it. */
	terminal: () => true,
});

/** The session that a lease is for. */
export interface LeasedSession {
	sessionId: string;
	sessionFile?: string | undefined;
	cwd?: string | undefined;
}

/** A lease as it stands on disk. */
export interface StoredLease {
	lease: Lease;
	/** Its last sign of life: when its file was written or touched, in milliseconds since the epoch. */
	beatAt: number;
}

/** Between two signs of life, in milliseconds. An idle session does nothing else. */
export const HEARTBEAT_MS = 60_000;

/** A lease file is a few hundred bytes; one above this is none. */
const MAX_BYTES = 64 * 1024;

/** Where leases stand. */
export function liveFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "live");
}

/** One claim on one session, from its opening to its end. Sessions that are open at once, in one process too, have one each. */
export class LeaseHolder {
	readonly instance = randomUUID();
	readonly #folder: string;
	readonly #path: string;
	#lease: Lease;
	/** Others were told that the session needs its user. */
	#isNeedTold = false;
	/** What stands on disk is what is to stand there. */
	#isWritten = false;

	constructor(agentDir: string, session: LeasedSession, state: LeaseState, now: number) {
		const { sessionId, sessionFile, cwd } = session;
		const startedAt = startTicks(process.pid);
		const terminal = ownPlace();
		this.#folder = liveFolder(agentDir);
		this.#path = join(this.#folder, `${this.instance}.json`);
		this.#lease = {
			instance: this.instance,
			pid: process.pid,
			...(startedAt !== undefined && { startedAt }),
			...placeOf(agentDir),
			host: hostname(),
			sessionId,
			...(sessionFile !== undefined && { sessionFile }),
			...(cwd !== undefined && { cwd }),
			...(terminal && { terminal }),
			state,
			since: now,
		};
	}

	/** Writes the lease. If that fails, the session goes on, unseen by others; the next change or heartbeat tries again. */
	claim(): WriteOutcome {
		const outcome = replaceFile(this.#path, `${JSON.stringify(this.#lease)}\n`);
		this.#isWritten = outcome.ok;
		if (outcome.ok) this.#tellNeed(this.#lease.state === "needs_you");
		return outcome;
	}

	/** Says what the session does now; writes only what is news, or what could not be written before. */
	update(state: LeaseState, now: number): WriteOutcome {
		if (state !== this.#lease.state) {
			this.#lease = { ...this.#lease, state, since: now };
			this.#isWritten = false;
		}
		return this.#isWritten ? { ok: true } : this.claim();
	}

	/** A sign of life, due every `HEARTBEAT_MS`: for those who cannot look up this process. */
	beat(now: number): WriteOutcome {
		if (!this.#isWritten) return this.claim();
		try {
			utimesSync(this.#path, now / 1_000, now / 1_000);
			return { ok: true };
		} catch {
			// Somebody took it for dead and swept it, or the folder: here it is again.
			this.#isNeedTold = false;
			return this.claim();
		}
	}

	/** Gives the lease up. Synchronous, for exit handlers. */
	release(): void {
		this.#isWritten = false;
		try {
			unlinkSync(this.#path);
		} catch {
			// It is gone already, or cannot be removed: the next listing sweeps it.
		}
		this.#tellNeed(false);
	}

	#tellNeed(needsYou: boolean): void {
		if (needsYou === this.#isNeedTold) return;
		this.#isNeedTold = needsYou;
		signalNeed(this.#folder, Date.now());
	}
}

/** Reads a lease file; undefined for one that is missing, damaged or no regular file. */
export function readLease(path: string): StoredLease | undefined {
	const head = readHead(path, MAX_BYTES);
	if (!head.ok) return undefined;
	try {
		const lease: unknown = JSON.parse(head.bytes.toString("utf8"));
		return isLease(lease) ? { lease: usable(lease), beatAt: head.stamp.mtimeMs } : undefined;
	} catch {
		// Damaged: nobody's lease.
		return undefined;
	}
}

/** The terminal's place leads to programs that are started with it: only what we could have written is kept of it. */
function usable({ terminal, ...lease }: Stored): Lease {
	const place = readPlace(terminal);
	return { ...lease, ...(place && { terminal: place }) };
}

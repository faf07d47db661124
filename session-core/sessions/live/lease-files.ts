import { randomUUID } from "node:crypto";
import { existsSync, unlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import {
	cleanLine,
	isObject,
	makeFolder,
	namesIn,
	renamePatiently,
	replaceFile,
	smallFile,
	sweepFolder,
} from "../../text/index.ts";
import {
	type LeaseState,
	liveFolder,
	processStat,
	type RawLease,
	readRaw,
	storedLeases,
} from "./liveness.mjs";
import { ownPlace, readPlace, type TerminalPlace } from "./terminal-place.ts";

/**
 * A file that a session has changed. `path` contains no symlinks, and `at` is the time of the last change
 * in milliseconds since the epoch.
 */
export interface ChangedFile {
	path: string;
	at: number;
}

interface Activity {
	/**
	 * The last action in the current run, such as a command. `steps` is the number of tool calls in the
	 * run.
	 */
	doing?: string;
	steps?: number;
	/** The title of an open dialog. pi versions before 0.84.4 do not report dialogs. */
	dialog?: string;
	changed?: ChangedFile[];
}

export interface Lease extends Omit<RawLease, "terminal" | keyof Activity>, Activity {
	terminal?: TerminalPlace;
}

export function liveLeases(
	agentDir: string,
	now: number,
	isWanted: (lease: RawLease) => boolean = () => true,
): Lease[] {
	const folder = liveFolder(agentDir);
	sweepFolder(folder);
	const live: Lease[] = [];
	for (const stored of storedLeases(folder, now)) {
		const { path, lease } = stored;
		if (lease && !isWanted(lease)) continue;
		const { liveness } = stored;
		if (liveness === "dead") drop(agentDir, path, lease);
		else if (lease && liveness === "live") live.push(usable(lease));
	}
	return live;
}

/** All values in a lease are validated, because some of them are passed to programs as arguments. */
function usable({ terminal, doing, steps, dialog, changed, ...lease }: RawLease): Lease {
	const place = readPlace(terminal);
	const files = Array.isArray(changed) ? changed.filter(isChangedFile) : [];
	return {
		...lease,
		...(place && { terminal: place }),
		...(lease.state === "working" && typeof doing === "string" && { doing: cleanLine(doing) }),
		...(lease.state === "waiting" && typeof dialog === "string" && { dialog: cleanLine(dialog) }),
		...(lease.state === "working" && typeof steps === "number" && { steps }),
		...(files.length > 0 && { changed: files }),
	};
}

export function isChangedFile(file: unknown): file is ChangedFile {
	return isObject(file) && typeof file["path"] === "string" && typeof file["at"] === "number";
}

export type LeaseOf<One = Lease> = (session: { path: string; id: string }) => One | undefined;

/**
 * A lease for the same session file takes precedence over a lease for the same session id. A busy process
 * takes precedence over an idle one.
 */
export function leaseFinder<One extends Pick<Lease, "sessionId" | "sessionFile" | "state">>(
	leases: readonly One[],
): LeaseOf<One> {
	const byKey = new Map<string, One>();
	const isIdle = ({ state }: One) => state === "idle";
	const inOrder = [...leases.filter((one) => !isIdle(one)), ...leases.filter(isIdle)];
	for (const lease of inOrder.toReversed()) {
		byKey.set(lease.sessionId, lease);
		if (lease.sessionFile !== undefined) byKey.set(lease.sessionFile, lease);
	}
	return ({ path, id }) => byKey.get(path) ?? byKey.get(id);
}

export class LeaseHolder {
	readonly instance = randomUUID();
	readonly #path: string;
	readonly #agentDir: string;
	#lease: Lease;
	#isWritten = false;
	#isReleased = false;

	constructor(
		agentDir: string,
		session: Pick<Lease, "sessionId" | "sessionFile" | "cwd" | "isInteractive">,
		state: LeaseState,
		now: number,
	) {
		const startedAt = processStat(process.pid)?.ticks;
		const terminal = ownPlace();
		this.#agentDir = agentDir;
		this.#path = join(liveFolder(agentDir), `${this.instance}.json`);
		this.#lease = {
			instance: this.instance,
			pid: process.pid,
			...(startedAt !== undefined && { startedAt }),
			host: hostname(),
			...session,
			...(terminal && { terminal }),
			state,
			since: now,
		};
	}

	/**
	 * If the lease file cannot be written, the write is retried at the next state change or heartbeat.
	 */
	claim(): void {
		// An aborted run may report its state late. The file of a released lease must not be recreated.
		if (this.#isReleased) return;
		if (!this.#isWritten) forgetLost(this.#agentDir, this.#lease.sessionId);
		this.#isWritten = replaceFile(this.#path, `${JSON.stringify(this.#lease)}\n`).ok;
	}

	update(state: LeaseState, now: number, activity: Activity = {}): void {
		const isNew = state !== this.#lease.state;
		if (isNew) {
			const { doing: _doing, steps: _steps, dialog: _dialog, ...lease } = this.#lease;
			this.#lease = { ...lease, state, since: now, ...activity };
		}
		if (isNew || !this.#isWritten) this.claim();
	}

	report(activity: Activity): void {
		this.#lease = { ...this.#lease, ...activity };
		this.claim();
	}

	/**
	 * Call this method every `HEARTBEAT_MS` milliseconds, because a process on another machine cannot
	 * check whether this process is alive.
	 */
	beat(now: number) {
		if (!this.#isWritten) return this.claim();
		try {
			utimesSync(this.#path, now / 1_000, now / 1_000);
		} catch {
			this.claim();
		}
	}

	/**
	 * Removes the lease file. If `isLost` is true, the user can restore an interactive session later.
	 * This method is synchronous, so that exit handlers can call it.
	 */
	release(isLost = false): void {
		if (this.#isReleased) return;
		this.#isReleased = true;
		drop(this.#agentDir, this.#path, isLost ? this.#lease : undefined);
	}
}

function remove(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// A leftover lease file does no harm, because it is ignored once its process has ended.
	}
}

function drop(agentDir: string, path: string, lost: RawLease | undefined): void {
	if (lost?.isInteractive && lost.sessionFile !== undefined)
		try {
			makeFolder(lostFolder(agentDir));
			renamePatiently(path, join(lostFolder(agentDir), `${lost.instance}.json`));
		} catch {
			// A lease file cannot be moved if another process has already moved it or if the disk is full.
		}
	remove(path);
}

/**
 * How long, in milliseconds, a session can be restored after pi has ended without closing it, for example
 * because pi crashed.
 */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

function lostFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "lost");
}

function lostFiles(agentDir: string): string[] {
	const names = namesIn(lostFolder(agentDir)).filter((name) => name.endsWith(".json"));
	return names.map((name) => join(lostFolder(agentDir), name));
}

/**
 * Must be called when a session or its repaired copy is reopened, so that the session is no longer
 * considered lost.
 */
export function forgetLost(agentDir: string, sessionId: string): void {
	for (const path of lostFiles(agentDir)) if (readRaw(path)?.lease.sessionId === sessionId) remove(path);
}

export function lostSessions(agentDir: string, now: number, live: readonly { sessionId: string }[]) {
	const found = lostFiles(agentDir).flatMap((lease) => {
		const read = readRaw(lease);
		if (!read || now - read.beatAt > KEPT_MS) {
			remove(lease);
			return [];
		}
		const { sessionId, sessionFile, cwd } = read.lease;
		if (sessionFile === undefined || !existsSync(sessionFile)) return [];
		if (live.some((open) => open.sessionId === sessionId)) return [];
		return [{ sessionId, sessionFile, lease, ...(cwd !== undefined && { cwd }), at: read.beatAt }];
	});
	const newest = found.toSorted((one, other) => other.at - one.at);
	const isFirst = ({ sessionId }: (typeof found)[number], index: number) =>
		newest.findIndex((one) => one.sessionId === sessionId) === index;
	return newest.filter(isFirst);
}

/** The maximum size, in bytes, of the file that lists lost sessions. Each line takes 42 bytes. */
const MOST_BYTES = 256 * 1024;

export function offerRestore(
	agentDir: string,
	now: number,
	live: readonly { sessionId: string }[],
): string | undefined {
	const lost = lostSessions(agentDir, now, live);
	const offered = join(lostFolder(agentDir), "offered");
	const before = smallFile(offered, MOST_BYTES);
	if (lost.every(({ lease }) => before.ok && before.text.includes(basename(lease)))) return undefined;
	// If the list of offered sessions cannot be saved, the user is offered the same sessions again.
	replaceFile(offered, lost.map(({ lease }) => `${basename(lease)}\n`).join(""));
	const sessions = lost.length === 1 ? "a session that was" : `${lost.length} sessions that were`;
	return `To reopen ${sessions} not closed, run pi-sessions restore in a shell.`;
}

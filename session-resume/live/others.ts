import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { canGo, terminalName } from "../../session-core/live/go-to-terminal.ts";
import { type Lease, leasesOn, liveLeases } from "../../session-core/live/lease-files.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { safeSessionId } from "../../session-core/text/shown-line.ts";
import { describeState } from "../../session-core/words/age.ts";

/**
 * The leases of this instance of the extension. The host loads the extension anew for each session that it opens, so another session in
 * the same process correctly counts as another writer.
 */
const OWN = new Set<string>();

export const ownLeases: ReadonlySet<string> = OWN;

export function hold(instance: string): void {
	OWN.add(instance);
}

export function letGo(instance: string): void {
	OWN.delete(instance);
}

/** When the user agreed to open a session's file although another process has it open. */
const permitted = new Map<string, number>();

/** Lifetime of a permit in milliseconds. A permit covers opening a session once, during which the host may call the hook twice. */
const PERMIT_MS = 30_000;

/** The session files that the user has just agreed to open, so that the hook before the switch does not ask again. */
export const permits = {
	allow: (path: string) => void permitted.set(path, Date.now()),
	withdraw: (path: string) => void permitted.delete(path),
	has: (path: string) => Date.now() - (permitted.get(path) ?? Number.NEGATIVE_INFINITY) < PERMIT_MS,
};

/**
 * Returns the lease of another process, or of another session of this process, that has the session open. The session is identified by its
 * file and, if known, by its id. Also removes the leases of dead processes.
 */
export function otherWriter(
	agentDir: string,
	{ sessionFile, sessionId = "" }: { sessionFile?: string | undefined; sessionId?: string | undefined },
): Lease | undefined {
	const leases = liveLeases(agentDir, Date.now());
	// An empty id matches no lease.
	const wanted = spellings(sessionFile).map((path) => ({ sessionId, sessionFile: path }));
	return [{ sessionId }, ...wanted].flatMap((one) => leasesOn(leases, one, ownLeases))[0];
}

/** Returns the paths by which processes may refer to a file. */
function spellings(path: string | undefined): string[] {
	if (path === undefined) return [];
	const absolute = resolve(path);
	try {
		return [...new Set([absolute, realpathSync(absolute)])];
	} catch {
		// The file does not exist, so this is its only path.
		return [absolute];
	}
}

/** A live session as other processes see it. */
export type LiveState = Pick<Lease, "pid" | "state" | "since" | "sessionId" | "sessionFile"> & {
	/** Whether this is the session that this instance of the extension has open. */
	own: boolean;
	/** Whether a person has the session open. Otherwise, a headless run does. */
	isInteractive: boolean;
	/** Whether the session's terminal can be brought to the front. */
	canGo: boolean;
};

export function liveStates(agentDir: string): LiveState[] {
	return liveLeases(agentDir, Date.now()).map((lease) => {
		const { instance, pid, state, since, sessionId, sessionFile } = lease;
		return {
			pid,
			state,
			since,
			sessionId,
			...(sessionFile !== undefined && { sessionFile }),
			own: OWN.has(instance),
			isInteractive: lease.isInteractive ?? false,
			canGo: canGo(lease),
		};
	});
}

/** Returns a description of the process, its state and its terminal: `another pi (pid 4242, working for 2m, on /dev/pts/3)`. */
export function describeWriter(lease: Lease): string {
	const host = lease.host === hostname() ? "" : ` on ${cleanLine(lease.host).slice(0, 40)}`;
	const terminal = terminalName(lease.terminal ?? {});
	return `another pi${host} (pid ${lease.pid}, ${describeState(lease, Date.now())}${terminal && `, on ${terminal}`})`;
}

export function openElsewhereText(lease: Lease): string {
	return `This session is open in ${describeWriter(lease)}. Two tabs would mix their histories.`;
}

/** Returns the command that continues in a fork of a session. */
export function forkCommand(sessionId: string): string {
	return `/sessions --fork ${safeSessionId(sessionId)}`;
}

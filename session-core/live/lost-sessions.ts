/** Sessions that were open when their pi ended without closing them: after a crash, a restart of the machine, or a closed terminal. */

import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { renamePatiently, replaceFile } from "../atomic-file.ts";
import { readRaw } from "./liveness.mjs";

/** Number of milliseconds for which a lost session is offered. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

export interface Lost {
	sessionId: string;
	sessionFile: string;
	cwd?: string;
	/** The path of the lease that was kept. */
	lease: string;
}

function lostFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "lost");
}

/** Moves the lease of a session that was not closed to the lost sessions. Returns false if that is impossible. */
export function keepLost(agentDir: string, path: string, instance: string): boolean {
	try {
		mkdirSync(lostFolder(agentDir), { recursive: true, mode: 0o700 });
		renamePatiently(path, join(lostFolder(agentDir), `${instance}.json`));
		return true;
	} catch {
		// Another process moved the lease first, or the disk is full.
		return false;
	}
}

/**
 * Returns the lost sessions that can be reopened, newest first, each once. `live`: the sessions that are open. Those that were lost more than
 * a week ago are removed.
 */
export function lostSessions(agentDir: string, now: number, live: readonly { sessionId: string }[]): Lost[] {
	const found = leaseFiles(agentDir).flatMap((lease) => {
		const read = readRaw(lease);
		if (!read || now - read.beatAt > KEPT_MS) {
			forget([{ lease }]);
			return [];
		}
		const { sessionId, sessionFile, cwd } = read.lease;
		if (sessionFile === undefined || !existsSync(sessionFile)) return [];
		if (live.some((open) => open.sessionId === sessionId)) return [];
		return [{ sessionId, sessionFile, lease, ...(cwd !== undefined && { cwd }), at: read.beatAt }];
	});
	const newest = found.toSorted((a, b) => b.at - a.at);
	return newest.filter((one, index) => newest.findIndex((other) => isSame(one, other)) === index);
}

/**
 * Returns a line that offers to restore the lost sessions; undefined if there are none or if the same ones have been offered before.
 */
export function offerRestore(
	agentDir: string,
	now: number,
	live: readonly { sessionId: string }[],
): string | undefined {
	const lost = lostSessions(agentDir, now, live);
	const offered = join(lostFolder(agentDir), "offered");
	const before = textOf(offered);
	if (lost.every(({ lease }) => before.includes(basename(lease)))) return undefined;
	// If the offer cannot be stored, it is made again.
	replaceFile(offered, lost.map(({ lease }) => `${basename(lease)}\n`).join(""));
	const sessions = lost.length === 1 ? "a session that was" : `${lost.length} sessions that were`;
	return `pi-sessions restore reopens ${sessions} not closed.`;
}

function textOf(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// Nothing has been offered yet.
		return "";
	}
}

/** Forgets a session, because it is open again. */
export function forgetLost(agentDir: string, session: { sessionId: string; sessionFile?: string }): void {
	forget(
		leaseFiles(agentDir)
			.filter((lease) => {
				const read = readRaw(lease);
				return read !== undefined && isSame(read.lease, session);
			})
			.map((lease) => ({ lease })),
	);
}

function isSame(
	one: { sessionId: string; sessionFile?: string },
	other: { sessionId: string; sessionFile?: string },
): boolean {
	return one.sessionId === other.sessionId && one.sessionFile === other.sessionFile;
}

function leaseFiles(agentDir: string): string[] {
	const folder = lostFolder(agentDir);
	try {
		return readdirSync(folder)
			.filter((name) => name.endsWith(".json"))
			.map((name) => join(folder, name));
	} catch {
		// No session was ever lost.
		return [];
	}
}

function forget(lost: readonly Pick<Lost, "lease">[]): void {
	for (const { lease } of lost)
		try {
			unlinkSync(lease);
		} catch {
			// Another process was faster.
		}
}

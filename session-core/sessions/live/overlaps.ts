/** An overlap is a file that two live sessions have changed and that has not been committed yet. */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileState } from "../../text/files/index.ts";
import { isChangedFile, type Lease, liveLeases } from "./lease-files.ts";

export interface Overlap {
	path: string;
	session: string;
	sessionFile?: string | undefined;
	at: number;
}

type Changing = Pick<Lease, "instance" | "sessionId" | "sessionFile" | "changed">;

/** Returns the overlaps of each lease, keyed by `instance`. A file that was committed or restored after the change does not count. */
export async function overlapsOf(
	leases: readonly Changing[],
	look: (path: string) => Promise<{ isClean: boolean; committedAt: number }> = lookedAt,
): Promise<Map<string, Overlap[]>> {
	const changes = leases.flatMap((lease) =>
		(lease.changed ?? []).map(({ path, at }) => ({ path, at, lease })),
	);
	const byPath = new Map<string, typeof changes>();
	for (const change of changes) byPath.set(change.path, [...(byPath.get(change.path) ?? []), change]);
	const found = new Map<string, Overlap[]>();
	for (const [path, by] of byPath) {
		if (new Set(by.map(({ lease }) => lease.sessionId)).size < 2) continue;
		const { isClean, committedAt } = await look(path);
		const open = isClean ? [] : by.filter(({ at }) => at > committedAt);
		for (const { lease } of open) {
			const others = open.filter((other) => other.lease.sessionId !== lease.sessionId);
			for (const { at, lease: other } of others) {
				const { sessionId: session, sessionFile } = other;
				const before = found.get(lease.instance) ?? [];
				found.set(lease.instance, [...before, { path, session, sessionFile, at }]);
			}
		}
	}
	return found;
}

/** All sessions call this function after each edit, so it must be fast. */
export function leasesWith(agentDir: string, now: number, files: Pick<ReadonlySet<string>, "has">): Lease[] {
	const isAmong = (file: unknown) => isChangedFile(file) && files.has(file.path);
	return liveLeases(agentDir, now, ({ changed }) => Array.isArray(changed) && changed.some(isAmong));
}

/** Git's answer is reused for this number of milliseconds, because the board asks for the overlaps once a second. */
const KNOWN_MS = 3_000;
const known = new Map<string, { at: number; state: ReturnType<typeof fileState> }>();

function lookedAt(path: string): ReturnType<typeof fileState> {
	const now = performance.now();
	for (const [name, { at }] of known) if (now - at > KNOWN_MS) known.delete(name);
	const before = known.get(path) ?? { at: now, state: fileState(path) };
	known.set(path, before);
	return before.state;
}

/** Resolves symlinks, because two sessions may use different paths for the same file. */
export function realPath(path: string): string {
	for (const known of [path, dirname(path)])
		try {
			return known === path ? realpathSync(path) : join(realpathSync(known), basename(path));
		} catch {
			// The file no longer exists.
		}
	return path;
}

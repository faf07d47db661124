import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * What tells other processes that a session began, or ceased, to need its user: a file that is touched then. It stands in a folder
 * of its own: who watches the leases is woken by every sign of life of every session, who watches this one is not. It says that
 * there is news, the leases say what; so nothing is wrong where it is missing or stale.
 */
export function needSignalFolder(liveFolder: string): string {
	return join(liveFolder, "needs");
}

/** Wakes those who watch. Synchronous, for exit handlers. */
export function signalNeed(liveFolder: string, now: number): void {
	const path = join(needSignalFolder(liveFolder), "changed");
	try {
		utimesSync(path, now / 1_000, now / 1_000);
	} catch {
		make(path);
	}
}

function make(path: string): void {
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		writeFileSync(path, "", { mode: 0o600 });
	} catch {
		// Nothing can be written here: others see the change when they look by themselves.
	}
}

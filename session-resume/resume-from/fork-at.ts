import { rmSync, statSync } from "node:fs";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { hostReading } from "../../session-core/store/host-reading.ts";

export type ForkOutcome = { ok: true; path: string } | { ok: false; detail: string };

export interface Cut {
	path: string;
	/** The last entry that the fork keeps. */
	entryId: string;
	/** The folder that the fork goes on in. */
	cwd: string;
	/** Where its file goes. */
	folder: string;
}

/** Fork a session that is not open here at one of its entries, as the host does it for its own. */
export function forkAt({ path, entryId, cwd, folder }: Cut): ForkOutcome {
	// Opening is more than a look: the host would put an empty session in a damaged file's place.
	const reading = hostReading(path);
	if (!reading.ok) return { ok: false, detail: reading.detail };
	if (!reading.reads) return { ok: false, detail: "Its file is damaged." };
	let forked: string | undefined;
	try {
		const manager = SessionManager.open(path, folder, cwd);
		if (!manager.getEntry(entryId))
			return { ok: false, detail: "The session does not hold this point any more." };
		forked = manager.createBranchedSession(entryId);
		// The host writes no file before the first reply.
		const isWritten = forked !== undefined && statSync(forked, { throwIfNoEntry: false })?.isFile() === true;
		if (forked !== undefined && isWritten) return { ok: true, path: forked };
		return { ok: false, detail: "Nothing was replied before this point; /new begins anew." };
	} catch (error) {
		// What a full disk left of it is no session.
		if (forked !== undefined) rmSync(forked, { force: true });
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

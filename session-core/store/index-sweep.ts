import { existsSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isAbandoned, isTemporary } from "./atomic-file.ts";
import { isDeadClaim } from "./index-claim.ts";
import { indexFolder } from "./index-file.ts";
import { HEADER_BYTES, readIndexHeader } from "./index-header.ts";
import type { Steps } from "./pace.ts";
import { readHead } from "./span.ts";

/** Removes indexes of folders that are gone and of other versions, and what writers left that died while writing. */
export function* sweepIndexes(agentDir: string): Steps<never> {
	for (const path of filesIn(indexFolder(agentDir))) {
		if (isLeftOver(path)) remove(path);
		yield;
	}
}

function isLeftOver(path: string): boolean {
	if (isTemporary(path)) return isAbandoned(path);
	if (!path.endsWith(".index")) return isDeadClaim(path);
	const head = readHead(path, HEADER_BYTES);
	const found = head.ok ? readIndexHeader(head.bytes) : undefined;
	// What an older version left unread for so long may hold what a newer one would have redacted.
	return found !== undefined && !(found.isCurrent && existsSync(found.folder));
}

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder).map((name) => join(folder, name));
	} catch {
		// No index was ever written, or it cannot be read: nothing to sweep.
		return [];
	}
}

function remove(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// Another process was faster, or the folder is read-only; a left-over does no harm.
	}
}

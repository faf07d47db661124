import { existsSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isAbandoned, isTemporary } from "./atomic-file.ts";
import { indexedFolder, indexFolder } from "./index-file.ts";
import type { Steps } from "./pace.ts";
import { readHead } from "./span.ts";

/** Longer than any folder's path: the header of an index is its first line. */
const HEADER_BYTES = 16 * 1024;

/** Removes indexes of folders that are gone, and what writers left that died while writing. */
export function* sweepIndexes(agentDir: string): Steps<never> {
	for (const path of filesIn(indexFolder(agentDir))) {
		if (isLeftOver(path)) remove(path);
		yield;
	}
}

function isLeftOver(path: string): boolean {
	if (isTemporary(path)) return isAbandoned(path);
	if (!path.endsWith(".index")) return false;
	const head = readHead(path, HEADER_BYTES);
	const folder = head.ok ? indexedFolder(head.bytes) : undefined;
	return folder !== undefined && !existsSync(folder);
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

import { statSync } from "node:fs";
import { fileLeafId } from "../session/file-leaf.ts";

/**
 * Bytes of a session's file that its process holds in memory: all of them if the last entry is the leaf, else none that
 * can be told. Looks for names need not go back behind them.
 *
 * Only true right after the file was loaded: later, the last entry may be our own, and another process's before it.
 */
export function loadedBytes(path: string | undefined, leafId: string | null): number {
	if (path === undefined) return 0;
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	// The leaf is read second: whatever was appended in between shows in it.
	return fileLeafId(path) === leafId ? size : 0;
}

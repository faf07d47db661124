import { createHash } from "node:crypto";
import { join } from "node:path";
import type { WriteOutcome } from "./atomic-file.ts";
import { FolderIndex } from "./folder-index.ts";
import { isIndexOf } from "./index-header.ts";
import { appendLines, writeWhole } from "./index-write.ts";
import type { Steps } from "./pace.ts";
import { readRegular, readSpan } from "./regular-file.ts";

/** An index above this is not ours; it is built anew. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Where all indexes stand. */
export function indexFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "index");
}

/** Where the index of a folder of sessions stands. */
export function indexPath(agentDir: string, folder: string): string {
	const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
	return join(indexFolder(agentDir), `${hash}.index`);
}

/** Loads the index of a folder; an empty one if there is none, or if it is damaged or of another version. */
export function* loadIndex(agentDir: string, folder: string): Steps<never, FolderIndex> {
	const bytes = readIndex(indexPath(agentDir, folder));
	if (!isIndexOf(bytes, folder)) return new FolderIndex(folder);
	const index = new FolderIndex(folder, bytes);
	yield* index.load(bytes.indexOf(0x0a) + 1);
	return index;
}

/** Keeps what an index has learned, at the cost of what is new. */
export function* saveIndex(agentDir: string, index: FolderIndex): Steps<never, WriteOutcome> {
	const path = indexPath(agentDir, index.folder);
	try {
		// Where there was none to load, another process may have begun one.
		if (index.pending === "lines" || index.loaded.length === 0) {
			const outcome = appendLines(path, index);
			if (!("isOther" in outcome)) return outcome;
		}
		return yield* writeWhole(path, index);
	} catch (error) {
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

function readIndex(path: string): Buffer {
	const outcome = readRegular(path, (file) => readSpan(file, 0, Math.min(file.stamp.size, MAX_BYTES)));
	// An index that cannot be read is built anew.
	return Buffer.isBuffer(outcome) ? outcome : Buffer.alloc(0);
}

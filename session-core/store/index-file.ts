import { createHash } from "node:crypto";
import { join } from "node:path";
import { beginReplacing, discarded, type PendingFile, type WriteOutcome } from "./atomic-file.ts";
import { FolderIndex, INDEX_FORMAT, INDEX_VERSION } from "./folder-index.ts";
import { isObject } from "./line-objects.ts";
import type { Steps } from "./pace.ts";
import { closeRegular, openRegular, readSpan } from "./regular-file.ts";

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

/** The folder that an index file is of. Undefined if it is none of this version. */
export function indexedFolder(bytes: Buffer): string | undefined {
	try {
		const header: unknown = JSON.parse(bytes.toString("utf8", 0, bytes.indexOf(0x0a)));
		if (!isObject(header) || header["format"] !== INDEX_FORMAT || header["version"] !== INDEX_VERSION) {
			return undefined;
		}
		return typeof header["folder"] === "string" ? header["folder"] : undefined;
	} catch {
		// Not JSON: not ours, or damaged in its first line.
		return undefined;
	}
}

/** Loads the index of a folder; an empty one if there is none, or if it is damaged or of another version. */
export function* loadIndex(agentDir: string, folder: string): Steps<never, FolderIndex> {
	const bytes = readIndex(indexPath(agentDir, folder));
	if (indexedFolder(bytes) !== folder) return new FolderIndex(folder);
	const index = new FolderIndex(folder, bytes);
	yield* index.load(bytes.indexOf(0x0a) + 1);
	return index;
}

/** Writes an index in place of the old one. Of several processes the last wins; what it lacks is read again. */
export function* saveIndex(agentDir: string, index: FolderIndex): Steps<never, WriteOutcome> {
	let pending: PendingFile | undefined;
	try {
		pending = beginReplacing(indexPath(agentDir, index.folder));
		for (const piece of index.text()) {
			pending.write(piece);
			yield;
		}
		pending.commit();
		return { ok: true };
	} catch (error) {
		return { ok: false, detail: discarded(pending, error) };
	}
}

function readIndex(path: string): Buffer {
	const opened = openRegular(path);
	if (!opened.ok) return Buffer.alloc(0);
	try {
		return readSpan(opened.file, 0, Math.min(opened.file.stamp.size, MAX_BYTES));
	} catch {
		// An index that cannot be read is built anew.
		return Buffer.alloc(0);
	} finally {
		closeRegular(opened.file);
	}
}

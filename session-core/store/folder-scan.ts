import { lstatSync } from "node:fs";
import type { FolderIndex } from "./folder-index.ts";
import { pathIn, sessionNames, type UnreadFolder } from "./folders.ts";
import { loadIndex } from "./index-file.ts";
import type { Indexed } from "./index-record.ts";
import { settleNames } from "./names.ts";
import type { Steps } from "./pace.ts";
import { errorCode, type FileStamp } from "./regular-file.ts";
import type { SessionFileFailure } from "./session-file.ts";
import { summarize } from "./summarize.ts";
import { type SummaryRecord, withNames } from "./summary.ts";

/** A file that may be a session, as the folder has it now. */
export interface FoundFile {
	in: FolderScan;
	name: string;
	stamp: FileStamp;
}

export type Looked =
	| { ok: true; record: SummaryRecord; fromIndex: boolean }
	| { ok: false; reason: SessionFileFailure };

/** One folder of sessions while it is scanned. */
export interface FolderScan {
	folder: string;
	names: string[];
	index: FolderIndex;
}

/** Lists a folder and loads its index; what the index knows of files that are gone is dropped. */
export function* openFolder(
	agentDir: string,
	folder: string,
	unread: (folder: UnreadFolder) => void,
): Steps<never, FolderScan> {
	let isRead = true;
	const names = yield* sessionNames(folder, (why) => {
		isRead = false;
		unread(why);
	});
	const index = yield* loadIndex(agentDir, folder);
	// Of a folder that cannot be read for a while, nothing is known to be gone.
	if (isRead) index.keepOnly(new Set(names));
	return { folder, names, index };
}

/** The state of one file. A link, a pipe or a folder that is named like a session is none. */
export function findFile(scan: FolderScan, name: string): FoundFile | SessionFileFailure {
	try {
		const stat = lstatSync(pathIn(scan.folder, name), { throwIfNoEntry: false });
		if (!stat) return "missing";
		if (stat.isSymbolicLink()) return "symlink";
		if (!stat.isFile()) return "not_regular";
		return { in: scan, name, stamp: { size: stat.size, mtimeMs: stat.mtimeMs } };
	} catch (error) {
		return errorCode(error) === "ENOTDIR" ? "missing" : "unreadable";
	}
}

/** What a file is: from the index if that knows this very state, else from the file's two ends. */
export function lookAt(file: FoundFile, scratch: Buffer): Looked {
	const { index, folder } = file.in;
	const known = index.current(file.name, file.stamp);
	if (known) return answer(known, true);
	const outcome = summarize(pathIn(folder, file.name), index.previous(file.name), scratch);
	if (outcome.ok) {
		index.set(file.name, outcome.record.stamp, outcome.record);
		return answer(outcome.record, false);
	}
	const { reason, stamp } = outcome;
	if (stamp && (reason === "empty" || reason === "not_session"))
		index.set(file.name, stamp, { skipped: reason });
	return { ok: false, reason };
}

/** Looks for the name where it was not looked for yet; the index learns the answer. */
export function* settle(
	file: FoundFile,
	record: SummaryRecord,
	scratch: Buffer,
): Steps<never, SummaryRecord> {
	const names = yield* settleNames(pathIn(file.in.folder, file.name), record.names, scratch);
	const settled = withNames(record, names);
	file.in.index.set(file.name, record.stamp, settled);
	return settled;
}

function answer(known: Indexed, fromIndex: boolean): Looked {
	return "skipped" in known ? { ok: false, reason: known.skipped } : { ok: true, record: known, fromIndex };
}

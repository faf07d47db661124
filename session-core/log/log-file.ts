/**
 * An agent may compress a session's log or split the log into several files. This module reads such a
 * log as if it were a single plain file.
 */

import {
	type FilePart,
	joined,
	type NotOpened,
	partOf,
	type RegularFile,
	readRegular,
	readSlowly,
	readSpan,
} from "../text/files/index.ts";
import { logBug, placeOfBug } from "../text/index.ts";
import { isRollout, rolloutParts } from "./foreign-files.ts";

/**
 * `stamp.size` is the size of the readable data, which differs from the file's size if the log is
 * compressed or split into several files.
 */
export interface LogFile extends RegularFile {
	/** To detect changes, the session list compares the file's size and modification time on disk. */
	own: RegularFile["stamp"];
}

/**
 * Reads a pi session, which is always a single plain file. If a session triggers a bug, only that
 * session is reported as unreadable.
 */
export function readPlainLog<T extends { ok: boolean }>(
	path: string,
	use: (file: LogFile) => T,
): T | NotOpened {
	try {
		return readRegular(path, (file) => use(asLog(file, undefined)));
	} catch (bug) {
		return notUnderstood(bug);
	}
}

/** Like `readPlainLog`, but also reads logs that are compressed or split into several files. */
export async function readLogSlowly<T extends { ok: boolean }>(
	path: string,
	use: (file: LogFile) => Promise<T>,
): Promise<T | NotOpened> {
	try {
		return await readSlowly(path, async (file) =>
			use(asLog(file, isRollout(path) ? await rolloutParts(path, file) : undefined)),
		);
	} catch (bug) {
		return notUnderstood(bug);
	}
}

function notUnderstood(bug: unknown): NotOpened {
	logBug("log", bug);
	const detail = `this file triggers a bug in session-suite: ${placeOfBug(bug)}`;
	return { ok: false, reason: "failed", code: "", detail };
}

export async function partOfLog(path: string, start: number, length: number): Promise<Buffer> {
	if (!isRollout(path)) return partOf(path, start, length);
	const read = await readLogSlowly(path, async (file) => ({
		ok: true,
		bytes: readSpan(file, start, length),
	}));
	return read.ok ? read.bytes : Buffer.alloc(0);
}

function asLog(file: RegularFile, parts: readonly FilePart[] | undefined): LogFile {
	const own = file.stamp;
	if (!parts) return { ...file, own };
	const { length: size } = joined(parts);
	return { ...file, own, parts, stamp: { ...own, size } };
}

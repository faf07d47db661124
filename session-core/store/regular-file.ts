import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Why a path is not read. `not_regular`: a directory, pipe, socket or device. */
export type OpenFailure = "missing" | "symlink" | "not_regular" | "unreadable";

/** What identifies one state of a file. */
export interface FileStamp {
	size: number;
	/** Modification time in milliseconds, with the fraction: a quarter of a microsecond is what a number can tell apart. */
	mtimeMs: number;
}

export interface RegularFile {
	fd: number;
	stamp: FileStamp;
}

export interface NotOpened {
	ok: false;
	reason: OpenFailure;
	detail: string;
}

export type Opened = { ok: true; file: RegularFile } | NotOpened;

/** O_NONBLOCK, or the open would wait for a pipe's writer; O_NOFOLLOW, or a link would lead anywhere. Windows has neither. */
export const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** What a file is opened for. `append`: to write at its end, and to read. */
const FLAGS = {
	read: constants.O_RDONLY | CAREFUL,
	append: constants.O_RDWR | constants.O_APPEND | CAREFUL,
	write: constants.O_RDWR | CAREFUL,
} as const;

/** Opens a regular file that is there; never waits, never follows a link in the last place of the path. */
export function openRegular(path: string, to: keyof typeof FLAGS = "read"): Opened {
	let fd: number;
	try {
		fd = openSync(path, FLAGS[to]);
	} catch (error) {
		return errorIn(error);
	}
	try {
		const stat = fstatSync(fd);
		if (!stat.isFile()) {
			closeSync(fd);
			return { ok: false, reason: "not_regular", detail: `${path} is not a regular file` };
		}
		return { ok: true, file: { fd, stamp: { size: stat.size, mtimeMs: stat.mtimeMs } } };
	} catch (error) {
		closeSync(fd);
		return { ok: false, reason: "unreadable", detail: String(error) };
	}
}

/** The same for reading, without holding the event loop: the file may be on a slow network. Throws nothing. */
export async function openLater(
	path: string,
): Promise<{ ok: true; handle: FileHandle; stamp: FileStamp } | NotOpened> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(path, FLAGS.read);
		const stat = await handle.stat();
		if (stat.isFile()) return { ok: true, handle, stamp: { size: stat.size, mtimeMs: stat.mtimeMs } };
		await handle.close();
		return { ok: false, reason: "not_regular", detail: `${path} is not a regular file` };
	} catch (error) {
		await handle?.close();
		return errorIn(error);
	}
}

export function closeRegular(file: RegularFile): void {
	closeSync(file.fd);
}

/** Opens a regular file, hands it to `read`, and closes it. A failure on the way is a value, too. */
export function readRegular<T>(path: string, read: (file: RegularFile) => T): T | NotOpened {
	const opened = openRegular(path);
	if (!opened.ok) return opened;
	try {
		return read(opened.file);
	} catch (error) {
		return { ok: false, reason: "unreadable", detail: String(error) };
	} finally {
		closeRegular(opened.file);
	}
}

/**
 * Reads up to `length` bytes from `position`; fewer at the end of the file. With `into`, the answer is a view of that
 * buffer and holds until its next use.
 */
export function readSpan(file: RegularFile, position: number, length: number, into?: Buffer): Buffer {
	const target = into && into.length >= length ? into : Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const read = readSync(file.fd, target, filled, length - filled, position + filled);
		if (read === 0) break;
		filled += read;
	}
	return target.subarray(0, filled);
}

/** The error's code (`ENOENT`, …), whatever was thrown. */
export function errorCode(error: unknown): string {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A failure to open or read as a value. */
export function errorIn(error: unknown): NotOpened {
	return { ok: false, reason: failureOf(error), detail: String(error) };
}

/** What an open that failed says of the path. */
export function failureOf(error: unknown): OpenFailure {
	switch (errorCode(error)) {
		case "ENOENT":
		case "ENOTDIR":
			return "missing";
		case "ELOOP":
		case "EMLINK":
			return "symlink";
		case "ENXIO":
		case "EISDIR":
			return "not_regular";
		default:
			return "unreadable";
	}
}

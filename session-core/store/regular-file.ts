import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

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

export type Opened = { ok: true; file: RegularFile } | { ok: false; reason: OpenFailure; detail: string };

/** O_NONBLOCK, or the open would wait for a pipe's writer; O_NOFOLLOW, or a link would lead anywhere. Windows has neither. */
const FLAGS =
	constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens a regular file for reading; never waits, never follows a link in the last place of the path. */
export function openRegular(path: string): Opened {
	let fd: number;
	try {
		fd = openSync(path, FLAGS);
	} catch (error) {
		return { ok: false, reason: failureOf(error), detail: String(error) };
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

export function closeRegular(file: RegularFile): void {
	closeSync(file.fd);
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

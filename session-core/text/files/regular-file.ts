import * as fs from "node:fs";
import { dirname } from "node:path";
import { errorCode, errorText, FileError, makeFolder } from "./file-system.ts";

export type OpenFailure = "missing" | "symlink" | "not_regular" | "no_permission" | "too_large" | "failed";

export interface NotOpened {
	ok: false;
	reason: OpenFailure;
	code: string;
	detail: string;
}

export interface FileStamp {
	size: number;
	mtimeMs: number;
}

export interface FilePart {
	length: number;
	read(position: number, length: number): Buffer;
}

export interface RegularFile {
	fd: number;
	stamp: FileStamp;
	parts?: readonly FilePart[];
	held?: readonly { start: number; bytes: Buffer }[];
}

const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT } = fs.constants;
/**
 * The flag O_NOFOLLOW rejects symlinks, which could point to any file. The flag does not exist on
 * Windows.
 */
const NO_LINK = fs.constants.O_NOFOLLOW ?? 0;
/** Without O_NONBLOCK, opening a named pipe would block until another process writes to the pipe. */
const NO_WAIT = (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0);

/**
 * The flags for opening a file. Only `follow` accepts a symlink, so it is reserved for files that the
 * user names. `append` also permits reading.
 */
const FLAGS = {
	read: O_RDONLY | NO_LINK | NO_WAIT,
	follow: O_RDONLY | NO_WAIT,
	append: O_RDWR | O_APPEND | NO_LINK | NO_WAIT,
	create: O_WRONLY | O_APPEND | O_CREAT | NO_LINK | NO_WAIT,
} as const;

type To = keyof typeof FLAGS;

/**
 * Opens a file without blocking on a pipe. Rejects a symlink in the last path component unless `to` is
 * `follow`.
 */
export function openRegular(path: string, to: To = "read"): { ok: true; file: RegularFile } | NotOpened {
	try {
		const fd = fs.openSync(path, FLAGS[to], 0o600);
		const stat = fs.fstatSync(fd);
		if (stat.isFile()) return { ok: true, file: { fd, stamp: { size: stat.size, mtimeMs: stat.mtimeMs } } };
		fs.closeSync(fd);
		return { ok: false, reason: "not_regular", code: "", detail: `${path} is not a regular file` };
	} catch (error) {
		return fileFailure(error);
	}
}

export function readRegular<T extends { ok: boolean }>(
	path: string,
	use: (file: RegularFile) => T,
	to: To = "read",
): T | NotOpened {
	const opened = openRegular(path, to);
	if (!opened.ok) return opened;
	try {
		return use(opened.file);
	} catch (error) {
		return fileFailure(error);
	} finally {
		fs.closeSync(opened.file.fd);
	}
}

export async function readSlowly<T extends { ok: boolean }>(
	path: string,
	use: (file: RegularFile) => Promise<T>,
): Promise<T | NotOpened> {
	const opened = openRegular(path);
	if (!opened.ok) return opened;
	try {
		return await use(opened.file);
	} catch (error) {
		return fileFailure(error);
	} finally {
		fs.closeSync(opened.file.fd);
	}
}

/** The number of extra bytes in the buffer for a file. Some files in `/proc` reject a small buffer. */
const BLOCK = 4_096;

export function smallFile(
	path: string,
	most: number,
	to: To = "read",
): { ok: true; text: string } | NotOpened {
	const read = readRegular(path, (file) => ({ ok: true, bytes: readSpan(file, 0, most + BLOCK) }), to);
	if (!read.ok) return read;
	if (read.bytes.length <= most) return { ok: true, text: read.bytes.toString("utf8") };
	return { ok: false, reason: "too_large", code: "", detail: `${path} is larger than ${most} bytes` };
}

export function partOf(path: string, start: number, length: number): Buffer {
	const read = readRegular(path, (file) => {
		const most = Math.max(0, Math.min(length, file.stamp.size - start));
		return { ok: true, bytes: readSpan(file, start, most) };
	});
	return read.ok ? read.bytes : Buffer.alloc(0);
}

/** Each chunk is valid only until the next chunk is read, because all chunks share one buffer. */
export function* chunksOf(file: RegularFile, end: number): Generator<Buffer, void, undefined> {
	const scratch = Buffer.allocUnsafe(256 * 1024);
	for (let at = 0; at < end; ) {
		const bytes = readSpan(file, at, Math.min(scratch.length, end - at), scratch);
		if (bytes.length === 0) return;
		yield bytes;
		at += bytes.length;
	}
}

const COPY = 64 * 1024;

/** Yields copies, so that a stream can keep a chunk while the next chunk is read. */
export function* copiesOf(file: RegularFile): Generator<Buffer, void, undefined> {
	for (let at = 0; at < file.stamp.size; at += COPY)
		yield readSpan(file, at, Math.min(COPY, file.stamp.size - at));
}

/**
 * Reads `length` bytes, or fewer if the file ends earlier. If `into` is large enough, the result is a view
 * of that buffer.
 */
export function readSpan(file: RegularFile, position: number, length: number, into?: Buffer): Buffer {
	const end = Math.min(position + length, file.stamp.size);
	for (const { start, bytes } of file.held ?? [])
		if (start <= position && position <= end && end <= start + bytes.length)
			return bytes.subarray(position - start, end - start);
	if (file.parts) return readParts(file.parts, position, length);
	const target = into && into.length >= length ? into : Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const read = fs.readSync(file.fd, target, filled, length - filled, position + filled);
		if (read === 0) break;
		filled += read;
	}
	return target.subarray(0, filled);
}

export function joined(parts: readonly FilePart[]): FilePart {
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	return { length, read: (position, most) => readParts(parts, position, most) };
}

function readParts(parts: readonly FilePart[], position: number, length: number): Buffer {
	const found: Buffer[] = [];
	let start = 0;
	for (const part of parts) {
		const from = Math.max(0, position - start);
		const to = Math.min(part.length, position + length - start);
		if (from < to) found.push(part.read(from, to - from));
		start += part.length;
	}
	const [first] = found;
	return first && found.length === 1 ? first : Buffer.concat(found);
}

/**
 * Appends text in one write call, so that lines from different processes do not mix. Never follows a
 * symlink or waits for a named pipe.
 */
export function appendRegular(path: string, text: string): { ok: true } | NotOpened {
	try {
		makeFolder(dirname(path));
	} catch (error) {
		return fileFailure(error);
	}
	const append = ({ fd }: RegularFile) => {
		const bytes = Buffer.from(text);
		const written = fs.writeSync(fd, bytes);
		if (written !== bytes.length) throw diskFull(written, bytes);
		return { ok: true as const };
	};
	return readRegular(path, append, "create");
}

export function diskFull(written: number, bytes: Buffer): Error {
	return new FileError(
		"ENOSPC",
		`ENOSPC: the disk is full, ${written} of ${bytes.length} bytes were written`,
	);
}

const FAILURES: Readonly<Record<string, OpenFailure>> = {
	ENOENT: "missing",
	ENOTDIR: "missing",
	ERR_INVALID_ARG_VALUE: "missing",
	ELOOP: "symlink",
	EMLINK: "symlink",
	ENXIO: "not_regular",
	EISDIR: "not_regular",
	EACCES: "no_permission",
	EPERM: "no_permission",
	ERR_BUFFER_TOO_LARGE: "too_large",
	ERR_STRING_TOO_LONG: "too_large",
};

/** Errors of the operating system or the decompressor have an `errno`. Any other error is rethrown. */
export function fileFailure(error: unknown): NotOpened {
	const code = errorCode(error);
	const isExpected = error instanceof FileError || (error instanceof Error && "errno" in error);
	const reason = FAILURES[code] ?? (isExpected ? "failed" : undefined);
	if (reason === undefined) throw error;
	return { ok: false, reason, code, detail: errorText(error) };
}

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** How far back the last line may begin: one tool result can be megabytes long. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** The host writes `type` and `id` first in nearly every line, so the id stands in its beginning. */
const LINE_HEAD_BYTES = 512;
/** In `custom` lines the id stands behind the data: they are read whole, up to this. */
const CUSTOM_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Id of the entry on the file's last line, which is the leaf for whoever opens the file next. Undefined when it
 * cannot be told: no file, a torn line, a line that is too long. Symlinks are not followed.
 */
export function fileLeafId(path: string): string | undefined {
	let fd: number;
	try {
		fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	} catch {
		// No such file, or none of ours to read.
		return undefined;
	}
	try {
		return readLeafId(fd);
	} catch {
		// Unreadable: not known is a safe answer.
		return undefined;
	} finally {
		closeSync(fd);
	}
}

function readLeafId(fd: number): string | undefined {
	const stat = fstatSync(fd);
	if (!stat.isFile() || stat.size < 2) return undefined;
	const last = Buffer.alloc(1);
	readSync(fd, last, 0, 1, stat.size - 1);
	if (last[0] !== NEWLINE) return undefined;
	const start = lineStart(fd, stat.size - 1);
	if (start === undefined) return undefined;
	const head = Buffer.alloc(Math.min(LINE_HEAD_BYTES, stat.size - start));
	readSync(fd, head, 0, head.length, start);
	return (
		/^\{"type":"[^"\\]*","id":"([^"\\]+)"/.exec(head.toString("utf8"))?.[1] ??
		idOfWhole(fd, start, stat.size - 1 - start)
	);
}

function idOfWhole(fd: number, start: number, length: number): string | undefined {
	if (length > CUSTOM_LINE_BYTES) return undefined;
	const line = Buffer.alloc(length);
	readSync(fd, line, 0, length, start);
	try {
		const entry: { type?: unknown; id?: unknown } = JSON.parse(line.toString("utf8"));
		// A header's id is the session's.
		return entry.type !== "session" && typeof entry.id === "string" ? entry.id : undefined;
	} catch {
		// A torn line: not known is a safe answer.
		return undefined;
	}
}

/** Where the line that ends before `end` begins. */
function lineStart(fd: number, end: number): number | undefined {
	const chunk = Buffer.alloc(CHUNK_BYTES);
	const floor = Math.max(0, end - MAX_LINE_BYTES);
	for (let to = end; to > floor; ) {
		const from = Math.max(floor, to - CHUNK_BYTES);
		const size = readSync(fd, chunk, 0, to - from, from);
		const newline = chunk.subarray(0, size).lastIndexOf(NEWLINE);
		if (newline >= 0) return from + newline + 1;
		to = from;
	}
	return floor === 0 ? 0 : undefined;
}

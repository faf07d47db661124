import { type RegularFile, readRegular, readSpan } from "../regular-file.ts";

/** Maximum length of the last line in bytes. A single tool result can be megabytes long. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Number of bytes at the beginning of a line that are searched for its id. In nearly every line, the host writes `type` and `id` first. */
const LINE_HEAD_BYTES = 512;
/**
 * Maximum length in bytes of a `custom` line that is read completely. In such a line, the id follows the data, so reading only the
 * beginning of the line is not enough.
 */
const CUSTOM_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** The end of a session's file. */
export interface FileEnd {
	/** The size of the file in bytes; 0 if there is no file yet. */
	size: number;
	/** Whether the last line has no newline, which means that a write was interrupted. */
	isTorn: boolean;
	/** The id of the entry on the last line, which is the leaf for the next process that opens the file; undefined if it is unknown. */
	leafId: string | undefined;
}

/** Reads the end of a session file without following symlinks. Returns undefined if it cannot be read. */
export function fileEnd(path: string): FileEnd | undefined {
	const found = readRegular(path, (file) => ({ ok: true as const, end: readEnd(file) }));
	if (found.ok) return found.end;
	return found.reason === "missing" ? { size: 0, isTorn: false, leafId: undefined } : undefined;
}

/** See {@link FileEnd.leafId}. */
export function fileLeafId(path: string): string | undefined {
	return fileEnd(path)?.leafId;
}

function readEnd(file: RegularFile): FileEnd {
	const { size } = file.stamp;
	const isTorn = size > 0 && readSpan(file, size - 1, 1)[0] !== NEWLINE;
	return { size, isTorn, leafId: isTorn || size < 2 ? undefined : readLeafId(file, size) };
}

function readLeafId(file: RegularFile, size: number): string | undefined {
	const start = lineStart(file, size - 1);
	if (start === undefined) return undefined;
	const head = readSpan(file, start, Math.min(LINE_HEAD_BYTES, size - start)).toString("utf8");
	const id = /^\{"type":"(?!session")[^"\\]*","id":"([^"\\]+)"/.exec(head)?.[1];
	if (id !== undefined) return id;
	const length = size - 1 - start;
	return length > CUSTOM_LINE_BYTES ? undefined : idOf(readSpan(file, start, length).toString("utf8"));
}

/** Returns the id of the entry on a line; undefined if there is none. */
export function idOf(line: string): string | undefined {
	try {
		const entry: { type?: unknown; id?: unknown } = JSON.parse(line);
		// The id in a header is that of the session, not of an entry.
		return entry.type !== "session" && typeof entry.id === "string" ? entry.id : undefined;
	} catch {
		// The line may be torn, so its id counts as unknown.
		return undefined;
	}
}

/** Returns the start of the line that ends before `end`. */
function lineStart(file: RegularFile, end: number): number | undefined {
	const floor = Math.max(0, end - MAX_LINE_BYTES);
	for (let to = end; to > floor; ) {
		const from = Math.max(floor, to - CHUNK_BYTES);
		const newline = readSpan(file, from, to - from).lastIndexOf(NEWLINE);
		if (newline >= 0) return from + newline + 1;
		to = from;
	}
	return floor === 0 ? 0 : undefined;
}

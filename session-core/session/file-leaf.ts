import { type RegularFile, readRegular, readSpan } from "../store/regular-file.ts";

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
	// Not there, not readable, no file: not known is a safe answer.
	const found = readRegular(path, (file) => ({ ok: true as const, id: readLeafId(file) }));
	return found.ok ? found.id : undefined;
}

function readLeafId(file: RegularFile): string | undefined {
	const { size } = file.stamp;
	if (size < 2 || readSpan(file, size - 1, 1)[0] !== NEWLINE) return undefined;
	const start = lineStart(file, size - 1);
	if (start === undefined) return undefined;
	const head = readSpan(file, start, Math.min(LINE_HEAD_BYTES, size - start)).toString("utf8");
	const id = /^\{"type":"[^"\\]*","id":"([^"\\]+)"/.exec(head)?.[1];
	return id ?? idOfWhole(file, start, size - 1 - start);
}

function idOfWhole(file: RegularFile, start: number, length: number): string | undefined {
	if (length > CUSTOM_LINE_BYTES) return undefined;
	try {
		const line = readSpan(file, start, length).toString("utf8");
		const entry: { type?: unknown; id?: unknown } = JSON.parse(line);
		// A header's id is the session's.
		return entry.type !== "session" && typeof entry.id === "string" ? entry.id : undefined;
	} catch {
		// A torn line: not known is a safe answer.
		return undefined;
	}
}

/** Where the line that ends before `end` begins. */
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

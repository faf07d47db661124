import { afterFirstNewline } from "./lines.ts";
import { type FileStamp, type NotOpened, type RegularFile, readRegular, readSpan } from "./regular-file.ts";

/** A piece of a file as bytes, with where it stands. */
export interface Span {
	bytes: Buffer;
	/** Offset of the first byte in the file. */
	start: number;
	/** The file as it was when it was opened; it may have grown since. */
	stamp: FileStamp;
}

export type SpanOutcome = ({ ok: true } & Span) | NotOpened;

/** The first `bytes` bytes of a regular file. */
export function readHead(path: string, bytes: number): SpanOutcome {
	return withFile(path, (file) => ({ bytes: readSpan(file, 0, Math.min(bytes, file.stamp.size)), start: 0 }));
}

/** The lines that stand whole in the last `bytes` bytes of a file. */
export function lastLines(file: RegularFile, bytes: number, into?: Buffer): { bytes: Buffer; start: number } {
	const start = Math.max(0, file.stamp.size - bytes);
	if (start === 0) return { bytes: readSpan(file, 0, file.stamp.size, into), start };
	// One byte more on the left: if that is a newline, the first line is whole.
	const { bytes: lines, dropped } = afterFirstNewline(
		readSpan(file, start - 1, file.stamp.size - start + 1, into),
	);
	return { bytes: lines, start: start - 1 + dropped };
}

function withFile(path: string, read: (file: RegularFile) => Pick<Span, "bytes" | "start">): SpanOutcome {
	return readRegular(path, (file) => ({ ok: true as const, ...read(file), stamp: file.stamp }));
}

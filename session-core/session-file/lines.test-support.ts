import { type ChunkedLine, LineSplitter } from "./lines.ts";

/** The lines of chunks that are all there. */
export function* linesOfChunks(
	chunks: Iterable<Buffer>,
	maxBytes: number,
	offset = 0,
): Generator<ChunkedLine> {
	const splitter = new LineSplitter(maxBytes, offset);
	for (const chunk of chunks) yield* splitter.add(chunk);
	yield* splitter.end();
}

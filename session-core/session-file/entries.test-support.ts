import { EntryCollector, MAX_LINE_BYTES, type ParsedEntries } from "./entries.ts";
import { linesOfChunks } from "./lines.test-support.ts";

export interface ParseOptions {
	/** Offset of the first byte in the file. Default 0. */
	offset?: number;
	/** Longer lines are passed over, in bytes. Default 8 MiB. */
	maxLineBytes?: number;
}

/** The entries of a whole text, or of the end of a file. */
export function parseEntries(source: string | Buffer, options: ParseOptions = {}): ParsedEntries {
	const { offset = 0, maxLineBytes = MAX_LINE_BYTES } = options;
	const collector = new EntryCollector();
	if (offset > 0) collector.skipGap();
	for (const line of linesOfChunks([Buffer.from(source)], maxLineBytes, offset)) collector.add(line);
	return collector.parsed;
}

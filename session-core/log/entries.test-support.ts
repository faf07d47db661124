import { EntryCollector, type ParsedEntries } from "./entries.ts";
import { linesOf } from "./lines.ts";

/** The entries of a whole text, or of the end of a file, which begins at `offset`. */
export function parseEntries(source: string | Buffer, offset = 0): ParsedEntries {
	const collector = new EntryCollector();
	for (const line of linesOf(Buffer.from(source), offset)) collector.add(line);
	return collector.parsed;
}

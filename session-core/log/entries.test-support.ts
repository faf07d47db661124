import { EntryCollector, type ParsedEntries } from "./entries.ts";
import { linesOf } from "./lines.ts";

/** Parses the entries in a whole file's text, or in the end of a file, which begins at `offset`. */
export function parseEntries(source: string | Buffer, offset = 0): ParsedEntries {
	const collector = new EntryCollector();
	for (const line of linesOf(Buffer.from(source), offset)) collector.add(line);
	return collector.parsed;
}

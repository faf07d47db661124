import { createReadStream } from "node:fs";
import type { SearchHit } from "../../session-core/search/search.ts";
import type { SessionJson } from "../../session-core/session-view/json.ts";

/**
 * Returns a search hit in the JSON format that the shell command and the HTTP server share. `line` counts from 1; it is null if the file
 * can no longer be read.
 */
export async function hitJson({ path, offset, entryId, by, excerpt }: SearchHit, session: SessionJson) {
	return { path, line: await lineNumberAt(path, offset), entry_id: entryId, by, excerpt, session };
}

/** Reads asynchronously, because a hit near the end of a large file must not block the server. */
async function lineNumberAt(path: string, offset: number): Promise<number | null> {
	try {
		let line = 1;
		const before = { end: offset - 1, highWaterMark: 256 * 1024 };
		for await (const bytes of offset > 0 ? createReadStream(path, before) : [])
			for (let at = bytes.indexOf("\n"); at >= 0; at = bytes.indexOf("\n", at + 1)) line++;
		return line;
	} catch {
		// The file can no longer be read.
		return null;
	}
}

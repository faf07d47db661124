import { lineNumberAt } from "../../session-core/search/read.ts";
import type { SearchHit } from "../../session-core/search/search.ts";
import type { SessionJson } from "../../session-core/session-view/json.ts";

/** A hit as scripts get it, in the shell and over HTTP. `line` counts from 1; null: the file is gone. */
export function hitJson({ path, offset, entryId, by, excerpt }: SearchHit, session: SessionJson) {
	return { path, line: lineNumberAt(path, offset) ?? null, entry_id: entryId, by, excerpt, session };
}

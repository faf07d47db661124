import type { SessionSource } from "./entry.ts";

/** Metadata entries in a row beyond which a session has no message worth looking for. */
const MAX_STEPS = 2_000;

/**
 * Id of the last *message* on the active branch: the freshness stamp. Names, labels, model changes and our own
 * records move the leaf without changing what happened, so they do not count.
 */
export function lastMessageId(source: Pick<SessionSource, "getLeafEntry" | "getEntry">): string | undefined {
	let entry = source.getLeafEntry();
	for (let steps = 0; entry && steps < MAX_STEPS; steps++) {
		if (entry.type === "message") return entry.id;
		entry = typeof entry.parentId === "string" ? source.getEntry(entry.parentId) : undefined;
	}
	return undefined;
}

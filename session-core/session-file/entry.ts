import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/**
 * Session entries as they appear in the host's memory or in a file.
 *
 * Real files contain torn lines, foreign entry types and old versions, so only `type` is guaranteed;
 * every reader narrows what it needs. Shapes: the host's `docs/session-format.md`.
 */
export interface Entry {
	type: string;
	id: string;
	parentId?: string | null;
	timestamp?: string;
	[field: string]: unknown;
}

/** The part of the host's session manager that the suite reads; a file reader can provide the same. */
export interface SessionSource {
	getLeafEntry(): Entry | undefined;
	getEntry(id: string): Entry | undefined;
	/** Returns every entry of the file, in file order. It makes a copy, so it is used only for a branch with a broken chain. */
	getEntries(): Entry[];
}

/** The host's session manager as a source of entries. */
export function hostSource(manager: ExtensionContext["sessionManager"]): SessionSource {
	// The host's entry types describe the same objects, but without an index signature: files contain more fields.
	return manager as unknown as SessionSource;
}

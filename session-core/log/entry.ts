import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/**
 * A session entry in the host's memory or in a file, as described in its `docs/session-format.md`. Only `type` is guaranteed, because files
 * may be torn, old, or written by another program, so every reader checks the fields that it uses.
 */
export interface Entry {
	type: string;
	id: string;
	parentId?: string | null;
	timestamp?: string;
	[field: string]: unknown;
}

/** The type of the custom entry that records who chose a title. */
export const TITLE_ENTRY = "session-suite:title";

/** The methods of the host's session manager that the suite uses to read a session. A file reader can implement the same methods. */
export interface SessionSource {
	getLeafEntry(): Entry | undefined;
	getEntry(id: string): Entry | undefined;
	/** Returns every entry in file order. The call makes a copy, so it is used only for a branch whose chain of parents is broken. */
	getEntries(): Entry[];
}

type HostManager = ExtensionContext["sessionManager"];

/** The host's session manager. `branch` and `resetLeaf` move the leaf; they are public in the class, but not declared for extensions. */
export interface HostSource extends SessionSource, Pick<HostManager, "getSessionFile" | "getLeafId"> {
	branch(entryId: string): void;
	resetLeaf(): void;
}

export function hostSource(manager: HostManager): HostSource {
	// The host's types declare only part of the class, and have no index signature for the additional fields that files contain.
	return manager as unknown as HostSource;
}

/** Node's message for an operation that was aborted by a signal (`AbortError`). */
const ABORTED = "This operation was aborted";

/**
 * Returns how an answer ended for the user. If an agent is stopped before a request is sent, pi 0.87.1 stores an error with Node's message
 * (from pi-ai's `api/lazy`); other hosts store `aborted`.
 */
export function stopReasonOf(message: { readonly [key: string]: unknown }): string {
	const { stopReason, errorMessage } = message;
	if (stopReason === "error" && errorMessage === ABORTED) return "aborted";
	return typeof stopReason === "string" ? stopReason : "";
}

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/**
 * A session entry, as it appears in the host's memory or in a file. Files may contain torn lines, other programs' entries and entries in
 * older formats, so only `type` is guaranteed, and every reader must check the other fields that it uses. The host's
 * `docs/session-format.md` describes the fields.
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
 * Returns how an answer ended from the user's point of view. If the user stops the agent before a request is sent (while a command runs),
 * pi 0.87.1 stores an error with Node's message, because pi-ai's `api/lazy` reports the abort as a failure. Older hosts, and hosts from
 * 1.5.1 on, store `aborted`.
 */
export function stopReasonOf(message: { readonly [key: string]: unknown }): string {
	const { stopReason, errorMessage } = message;
	if (stopReason === "error" && errorMessage === ABORTED) return "aborted";
	return typeof stopReason === "string" ? stopReason : "";
}

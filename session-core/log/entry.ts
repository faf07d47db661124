import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/**
 * The host describes entries in its `docs/session-format.md`. Files may be damaged, old or written by another program, so every reader must
 * check the fields that it uses.
 */
export interface Entry {
	type: string;
	id: string;
	parentId?: string | null;
	timestamp?: string;
	[field: string]: unknown;
}

export const TITLE_ENTRY = "session-suite:title";

export interface SessionSource {
	getLeafEntry(): Entry | undefined;
	getEntry(id: string): Entry | undefined;
	/** The host copies all entries for this call, so it is made only if the chain of parents is broken. */
	getEntries(): Entry[];
}

type HostManager = ExtensionContext["sessionManager"];

/** `branch` and `resetLeaf` are public methods of the host's class, but its types do not declare them for extensions. */
export interface HostSource extends SessionSource, Pick<HostManager, "getSessionFile" | "getLeafId"> {
	branch(entryId: string): void;
	resetLeaf(): void;
}

export function hostSource(manager: HostManager): HostSource {
	// The host's types declare only part of its class and none of the additional fields that files contain.
	return manager as unknown as HostSource;
}

/** Node uses this message for an `AbortError`. */
const ABORTED = "This operation was aborted";

/** If the user stops the agent before a request is sent, pi 0.87.1 stores an error with Node's message. Other hosts store `aborted`. */
export function stopReasonOf(message: { readonly [key: string]: unknown }): string {
	const { stopReason, errorMessage } = message;
	if (stopReason === "error" && errorMessage === ABORTED) return "aborted";
	return typeof stopReason === "string" ? stopReason : "";
}

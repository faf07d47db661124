import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { AppendTarget } from "./append.ts";
import type { SessionSource } from "./entry.ts";

/** The host's session manager as a source of entries. */
export function hostSource(manager: ExtensionContext["sessionManager"]): SessionSource {
	// The host's entry interfaces are the same objects, only without an index signature: files hold more than they say.
	return manager as unknown as SessionSource;
}

/** The host's session manager as something to append to with care. */
export function appendTarget(manager: ExtensionContext["sessionManager"]): AppendTarget {
	// Its `branch` is public on the class, though not in what the host promises extensions.
	return manager as unknown as AppendTarget;
}

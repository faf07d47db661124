import { writeFileSync } from "node:fs";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/** What is read of the host's session manager. */
export type OpenedSession = Pick<
	ExtensionContext["sessionManager"],
	"getSessionFile" | "getHeader" | "getEntries"
>;

/**
 * Writes a session's file anew from what the host holds of it, where another process deleted it while this one opened it: the lease
 * that keeps a session from being deleted stood too late. The host would append to a file without a header, which it opens as an
 * empty session. False where there was nothing to bring back: a file stands there, or the host has not written it yet, because
 * nobody answered so far.
 */
export function bringBack(session: OpenedSession): boolean {
	const file = session.getSessionFile();
	const entries = session.getEntries();
	const isWritten = entries.some((entry) => entry.type === "message" && entry.message.role === "assistant");
	if (file === undefined || !isWritten) return false;
	const lines = [session.getHeader(), ...entries].map((entry) => `${JSON.stringify(entry)}\n`);
	try {
		writeFileSync(file, lines.join(""), { flag: "wx" });
		return true;
	} catch {
		// Somebody was faster, or the folder is gone, too.
		return false;
	}
}

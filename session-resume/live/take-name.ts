import { isObject } from "../../session-core/json.ts";
import { type AppendTarget, appendOrUndo } from "../../session-core/session/append.ts";
import { appendBelow } from "../../session-core/session/append-below.ts";
import type { Entry, SessionSource } from "../../session-core/session/entry.ts";
import { fileLeafId } from "../../session-core/session/file-leaf.ts";
import { TITLE_ENTRY } from "../../session-core/store/own-records.ts";

/** The host's session, as far as giving it a name goes. */
export interface NamedSession {
	target: AppendTarget;
	source: Pick<SessionSource, "getEntry" | "getEntries">;
	append(customType: string, data: unknown): void;
	setName(name: string): void;
}

/**
 * Gives the open session a name that the user chose elsewhere: through the host, so that footer and memory have it too, and with
 * the record first that a person chose it. False: it could not be written.
 */
export function takeName(session: NamedSession, name: string): boolean {
	const { target } = session;
	const file = target.getSessionFile();
	const last = file === undefined ? undefined : fileLeafId(file);
	const known = knownName(session.source.getEntries());
	// Nothing to say: the user gave it this name here, too.
	if (known.name === name && !known.isAuto) return true;
	const isForeign = last !== undefined && session.source.getEntry(last) === undefined;
	const data = { title: name, source: "manual" };
	try {
		appendOrUndo(target, () => session.append(TITLE_ENTRY, data));
		// The same words as an automatic title are the user's from now on; the host need not say them again.
		if (known.name !== name) appendOrUndo(target, () => session.setName(name));
		// Another process has gone on: its story stays the one that is opened next.
		if (file !== undefined && isForeign) appendBelow(file, last, { customType: TITLE_ENTRY, data });
		return true;
	} catch {
		// The disk is full, or the file not ours to write: who left the name looks whether it is in the file, and says so.
		return false;
	}
}

/** The name in memory, and whether a model made it up. */
function knownName(entries: readonly Entry[]): { name: unknown; isAuto: boolean } {
	const name = entries.findLast(({ type }) => type === "session_info")?.["name"];
	const title = entries.findLast(({ customType }) => customType === TITLE_ENTRY)?.["data"];
	return { name, isAuto: isObject(title) && title["title"] === name && title["source"] === "auto" };
}

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { errorText } from "../text/files/index.ts";
import { appendBelow, appendCarefully, fileLeafId } from "./append.ts";
import { checkSession } from "./check-session.ts";
import { hostSource, TITLE_ENTRY } from "./entry.ts";
import * as inFile from "./names-in-file.ts";

export interface HostNaming {
	pi: Pick<ExtensionAPI, "appendEntry" | "setSessionName">;
	manager: ExtensionContext["sessionManager"];
}

function ownNames({ manager }: HostNaming): inFile.NameRecord[] {
	return inFile.nameRecords(hostSource(manager).getEntries());
}

export function ownName(host: HostNaming): inFile.CurrentName | undefined {
	return inFile.currentName(ownNames(host));
}

/**
 * Several processes may append to a session file without a lock, and the last `session_info` line
 * determines the session's name. The end of the file is read again right before a name is written, so
 * that a name that the user chose in another process is not overwritten.
 */
export interface NameRequest {
	data: inFile.TitleData;
	mayReplace(current: inFile.CurrentName): boolean;
}

export type NameRefusal = "named_meanwhile" | "unreadable" | "not_written";
export type NameOutcome = { ok: true } | { ok: false; reason: NameRefusal; detail?: string };

function readKnown(host: HostNaming): inFile.NameRecord[] | undefined {
	const path = host.manager.getSessionFile();
	const inMemory = ownNames(host);
	const read = path === undefined ? undefined : inFile.readNamesInFile(path);
	if (!read || (!read.ok && read.reason === "missing")) return inMemory;
	if (!read.ok) return undefined;
	const written = new Set(read.records.map(({ id }) => id));
	return [...inMemory.filter(({ id }) => !written.has(id)), ...read.records];
}

export function knownNames(host: HostNaming): { current: inFile.CurrentName | undefined; previous: string } {
	const records = readKnown(host) ?? ownNames(host);
	return { current: inFile.currentName(records), previous: inFile.previousName(records) };
}

export function namingRefusal(
	host: HostNaming,
	mayReplace: NameRequest["mayReplace"] = () => false,
): NameRefusal | undefined {
	const known = readKnown(host);
	if (!known) return "unreadable";
	const current = inFile.currentName(known);
	return current && !mayReplace(current) ? "named_meanwhile" : undefined;
}

export function nameSession(host: HostNaming, { data, mayReplace }: NameRequest): NameOutcome {
	const reason = namingRefusal(host, mayReplace);
	if (reason) return { ok: false, reason };
	const { pi, manager } = host;
	const append = () => {
		// The title record is written first, because a name without a title record counts as the user's choice.
		pi.appendEntry(TITLE_ENTRY, data);
		pi.setSessionName(data.title);
	};
	const written = appendCarefully(hostSource(manager), append, { anywhere: true });
	return written.ok ? written : { ok: false, reason: "not_written", detail: written.detail };
}

export function nameByPerson(host: HostNaming, title: string): NameOutcome {
	return nameSession(host, { data: { title, source: "manual" }, mayReplace: () => true });
}

/** Adopts a name that the user typed in another pi process. Returns false if no name was adopted. */
export function takeName(host: HostNaming): boolean {
	const own = ownNames(host);
	const found = inFile.currentName(readKnown(host) ?? []);
	if (!found || found.source === "auto" || own.some(({ id }) => id === found.id)) return false;
	const current = inFile.currentName(own);
	if (current?.text === found.text && current.source === "manual") return false;
	return nameByPerson(host, found.text).ok;
}

export type RenameOutcome = { ok: true; name: string } | { ok: false; detail: string };

/**
 * Writes the name directly to the session file, because pi would convert a file that has an older format.
 * If another pi process has the session open, that process adopts the name with `takeName`.
 */
export async function renameInFile(path: string, name: string): Promise<RenameOutcome> {
	const check = await checkSession(path);
	if (!check.ok) return { ok: false, detail: check.detail };
	if (!check.sound) return { ok: false, detail: "its file is damaged; open its repaired copy first." };
	try {
		const record = { type: "custom", customType: TITLE_ENTRY, data: { title: name, source: "manual" } };
		appendBelow(path, fileLeafId(path) ?? null, [record, { type: "session_info", name }]);
		return { ok: true, name };
	} catch (error) {
		return { ok: false, detail: errorText(error) };
	}
}

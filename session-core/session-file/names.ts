import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { appendBelow, appendOrUndo, appendTarget } from "./append.ts";
import { checkSession } from "./check-session.ts";
import { hostSource } from "./entry.ts";
import { fileLeafId } from "./leaf.ts";
import {
	currentName,
	type NameRecord,
	nameRecords,
	readNamesInFile,
	TITLE_ENTRY,
	type TitleData,
} from "./names-in-file.ts";
import { readWholeSession } from "./session-file.ts";

/** The data and operations that naming requires from the session that is open in this process. */
export interface NamePorts {
	/** Returns the path of the session's file; undefined if the session is kept only in memory. */
	file(): string | undefined;
	/** Names before this offset of the file are already in memory; see `loadedBytes`. */
	loaded: number;
	leafId(): string | null;
	/** Whether this process has loaded or written the entry. */
	knows(id: string): boolean;
	/** Returns the name records in this process's memory, oldest first. */
	records(): NameRecord[];
	/** Appends a name and, before it, the record of who chose it. Throws if that fails. */
	write(data: TitleData): void;
}

export interface HostNaming {
	pi: Pick<ExtensionAPI, "appendEntry" | "setSessionName">;
	manager: ExtensionContext["sessionManager"];
	/** Number of bytes of the file that are already in memory (see `loadedBytes`). If it is 0, the whole file is read. */
	loaded: number;
}

/**
 * Returns the {@link NamePorts} of the session that the host has open. If an entry cannot be written, it is removed again from memory and
 * from the file.
 */
export function hostNamePorts({ pi, manager, loaded }: HostNaming): NamePorts {
	const target = appendTarget(manager);
	return {
		loaded,
		file: () => manager.getSessionFile(),
		leafId: () => manager.getLeafId(),
		knows: (id) => manager.getEntry(id) !== undefined,
		records: () => nameRecords(hostSource(manager).getEntries()),
		write: (data) =>
			appendOrUndo(target, () => {
				pi.appendEntry(TITLE_ENTRY, data);
				pi.setSessionName(data.title);
			}),
	};
}

/**
 * A request to name a session. Several processes may append to the session's file at any time without a lock, and the last `session_info`
 * line sets the name for all of them. Two rules ensure that a name chosen by a person takes precedence over every automatic title. (1)
 * Right before an automatic title is written, the end of the file is read. If it contains a name, or an entry that this process does not
 * know, nothing is written. (2) The title record is written before the name, so a name without such a record was chosen by a person. Only a
 * name that lands between the reading and the writing can be lost.
 */
export interface NameRequest {
	data: TitleData;
	/**
	 * The condition under which the name is not written. `named`: the session has a name, or another process has continued the session.
	 * `renamed`: a person has chosen a name since the name with the id `seen`. `never`: the name is always written, because a user typed
	 * it.
	 */
	unless: "named" | "renamed" | "never";
	/** The id of the name that the session had when the title was requested; null if it had none. */
	seen: string | null;
}

export type NameRefusal = "named_meanwhile" | "moved_on" | "unreadable" | "not_written";
/** The result of naming. `detail` is the system's message if the name could not be written. */
export type NameOutcome = { ok: true } | { ok: false; reason: NameRefusal; detail?: string };

/** Returns the name records in memory and in the file, oldest first, and the size of what was read of the file. */
function readKnown(ports: NamePorts): { records: NameRecord[]; end: number } | "unreadable" {
	const path = ports.file();
	const inMemory = ports.records();
	const looked = path === undefined ? undefined : readNamesInFile(path, ports.loaded);
	// The host does not create the file before the first reply.
	if (!looked || (!looked.ok && looked.reason === "missing")) return { records: inMemory, end: 0 };
	if (!looked.ok) return "unreadable";
	const { records, end } = looked;
	const onlyInMemory = inMemory.filter(({ id }) => !records.some((record) => record.id === id));
	return { records: [...onlyInMemory, ...records], end };
}

/** Returns the name records in memory and in the file, oldest first, or only those in memory if the file cannot be read. */
export function knownRecords(ports: NamePorts): NameRecord[] {
	const known = readKnown(ports);
	return known === "unreadable" ? ports.records() : known.records;
}

/** Returns the reason why a name must not be written now, or undefined if it may be written. */
export function refusal(
	ports: NamePorts,
	{ unless, seen }: Pick<NameRequest, "unless" | "seen">,
): NameRefusal | undefined {
	const known = readKnown(ports);
	if (known === "unreadable") return known;
	const current = currentName(known.records);
	if (unless === "renamed" && current?.source === "manual" && current.id !== seen) return "named_meanwhile";
	if (unless !== "named") return undefined;
	if (current) return "named_meanwhile";
	// The leaf is read last, so that it reveals entries that were appended after the names were read.
	return known.end === 0 || fileLeafId(ports.file() ?? "") === ports.leafId() ? undefined : "moved_on";
}

export function nameSession(ports: NamePorts, request: NameRequest): NameOutcome {
	const reason = refusal(ports, request);
	if (reason) return { ok: false, reason };
	try {
		ports.write(request.data);
		return { ok: true };
	} catch (error) {
		// The host could not append, because the disk is full or the file is read-only.
		return {
			ok: false,
			reason: "not_written",
			detail: error instanceof Error ? error.message : String(error),
		};
	}
}

/** Gives the session a name that a person chose, regardless of how the name was entered. */
export function nameByPerson(ports: NamePorts, title: string): NameOutcome {
	return nameSession(ports, { data: { title, source: "manual" }, unless: "never", seen: null });
}

/**
 * Adopts a name that a person gave this session in another process, so that it also appears in the footer and in memory. The name is
 * written again through the host. Only parts of the file that have not been read yet are read. Returns false if there is no such name.
 */
export function takeName(ports: NamePorts): boolean {
	const known = readKnown(ports);
	if (known === "unreadable") return false;
	ports.loaded = known.end;
	const found = currentName(known.records);
	if (!found || found.source === "auto" || ports.knows(found.id)) return false;
	const own = currentName(ports.records());
	if (own?.text === found.text && own.source === "manual") return false;
	return nameByPerson(ports, found.text).ok;
}

export type RenameOutcome = { ok: true; name: string } | { ok: false; detail: string };

/**
 * Names a session that this process does not have open, by appending to its file. (The host is not used, because it rewrites a file in an
 * older format when it opens the file.) A process that has the session open adopts the name later; see {@link takeName}.
 */
export async function renameInFile(path: string, name: string, now: Date): Promise<RenameOutcome> {
	const check = await checkSession(path);
	if (!check.ok) return { ok: false, detail: check.detail };
	// A file that needs repair must not be changed.
	if (!check.sound) return { ok: false, detail: "its file is damaged; open its repaired copy first." };
	try {
		const data: TitleData = { title: name, source: "manual" };
		const record = { type: "custom", customType: TITLE_ENTRY, data };
		appendBelow(path, await leafOf(path), [record, { type: "session_info", name }], now);
		return { ok: true, name };
	} catch (error) {
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

/** Returns the entry below which the next entry must be appended. */
async function leafOf(path: string): Promise<string | null> {
	const id = fileLeafId(path);
	if (id !== undefined) return id;
	const opened = await readWholeSession(path);
	if (!opened.ok) throw new Error(opened.detail);
	return opened.session.getLeafEntry()?.id ?? null;
}

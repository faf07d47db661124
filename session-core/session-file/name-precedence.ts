import { statSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { appendBelow, appendOrUndo, appendTarget, appendToExisting } from "./append.ts";
import { checkSession } from "./check-session.ts";
import { newEntryId } from "./entries.ts";
import { hostSource } from "./entry.ts";
import { fileLeafId } from "./leaf.ts";
import {
	currentName,
	type NameRecord,
	nameRecords,
	newestName,
	personsName,
	TITLE_ENTRY,
	type TitleData,
} from "./name-records.ts";
import { entriesSince, readNamesInFile } from "./names-in-file.ts";
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
	record(data: TitleData): void;
	/** Appends a name. */
	name(text: string): void;
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
		record: (data) => appendOrUndo(target, () => pi.appendEntry(TITLE_ENTRY, data)),
		name: (text) => appendOrUndo(target, () => pi.setSessionName(text)),
	};
}

/**
 * A request to name a session. Several processes may append to the session's file at any time without a lock, and the last `session_info`
 * line sets the name for all of them. Three rules ensure that a name chosen by a person takes precedence over every automatic title. (1)
 * Before an automatic title is written, the end of the file is read. If it contains a name, or an entry that this process does not know,
 * nothing is written. (2) After the title is written, lines that were appended in the meantime are read. If one of them contains a name
 * chosen by a person, that name is written again. (3) The title record is written before the name, so a name without such a record was
 * chosen by a person.
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

/** What is known about the session's name before a new one is written. */
interface Known {
	/** Undefined if there is no file. */
	path: string | undefined;
	/** The records of names, in memory and in the file, oldest first. */
	records: NameRecord[];
	/** Size of the file in bytes; 0 if it does not exist yet. */
	end: number;
	/** The id of the file's last entry, if it is known. */
	leafId: string | undefined;
}

function readKnown(ports: NamePorts): Known | "unreadable" {
	const path = ports.file();
	const inMemory = ports.records();
	const known = { path, records: inMemory, end: 0, leafId: undefined };
	if (path === undefined) return known;
	const looked = readNamesInFile(path, ports.loaded);
	// The host does not create the file before the first reply.
	if (!looked.ok) return looked.reason === "missing" ? known : "unreadable";
	const { records, end } = looked;
	const onlyInMemory = inMemory.filter(({ id }) => !records.some((record) => record.id === id));
	// The leaf is read last, so that it reveals entries that were appended after the names were read.
	return { path, end, records: [...onlyInMemory, ...records], leafId: fileLeafId(path) };
}

/** Returns the name records in memory and in the file, oldest first, or only those in memory if the file cannot be read. */
export function knownRecords(ports: NamePorts): NameRecord[] {
	const known = readKnown(ports);
	return known === "unreadable" ? ports.records() : known.records;
}

/** Returns the id of the session's current name; null if it has none. */
export function seenName(ports: NamePorts): string | null {
	return newestName(knownRecords(ports))?.id ?? null;
}

/** Returns the reason why an automatic title must not be written now, or undefined if it may be written. */
export function refusal(
	ports: NamePorts,
	request: Pick<NameRequest, "unless" | "seen">,
): NameRefusal | undefined {
	const known = readKnown(ports);
	return typeof known === "string" ? known : refuse(ports, known, request);
}

function refuse(
	ports: NamePorts,
	{ records, end, leafId }: Known,
	{ unless, seen }: Pick<NameRequest, "unless" | "seen">,
): NameRefusal | undefined {
	switch (unless) {
		case "never":
			return undefined;
		case "named":
			if (newestName(records)) return "named_meanwhile";
			return end === 0 || leafId === ports.leafId() ? undefined : "moved_on";
		case "renamed": {
			const newest = newestName(records);
			const isNew = newest && newest.id !== seen && newest === personsName(records);
			return isNew ? "named_meanwhile" : undefined;
		}
	}
}

export function nameSession(ports: NamePorts, request: NameRequest): NameOutcome {
	const known = readKnown(ports);
	if (known === "unreadable") return { ok: false, reason: known };
	const reason = refuse(ports, known, request);
	if (reason) return { ok: false, reason };
	try {
		write(ports, request.data);
		return known.path === undefined ? { ok: true } : settle(ports, known.path, known, request.data);
	} catch (error) {
		// The host could not append, because the disk is full or the file is read-only.
		const detail = error instanceof Error ? error.message : String(error);
		return { ok: false, reason: "not_written", detail };
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

function write(ports: NamePorts, data: TitleData): void {
	ports.record(data);
	ports.name(data.title);
}

/**
 * Runs after a name has been written. Restores a name that a person chose at the same moment, and keeps the messages of other processes
 * visible.
 */
function settle(ports: NamePorts, path: string, known: Known, data: TitleData): NameOutcome {
	const since = entriesSince(path, known.end);
	const person = personsName([...known.records, ...nameRecords(since)]);
	const isLost =
		data.source === "auto" && person && !ports.knows(person.id) && !known.records.includes(person);
	const current: TitleData = isLost ? { title: person.text, source: "manual" } : data;
	if (isLost) write(ports, current);
	const before = known.leafId === undefined || isOnlyName(known, ports) ? [] : [known.leafId];
	continueOthers(path, { before, from: known.end, isOurs: ports.knows }, current);
	return isLost ? { ok: false, reason: "named_meanwhile" } : { ok: true };
}

/**
 * Whether the file's last entry is a name that another process wrote below an entry that this process knows. Such a name hides nothing.
 */
function isOnlyName({ leafId, records }: Known, ports: NamePorts): boolean {
	let id = leafId;
	while (id !== undefined && !ports.knows(id)) id = records.find((record) => record.id === id)?.parentId;
	return id !== undefined;
}

/**
 * If another process has continued the session, adds an extra record below that process's last entry. Our own entries are below this
 * process's leaf, so without the extra record, they would hide the other process's messages the next time the file is opened.
 */
function continueOthers(
	path: string,
	{ before, from, isOurs }: { before: string[]; from: number; isOurs(id: string): boolean },
	data: TitleData,
): void {
	const since = entriesSince(path, from);
	const ids = since.flatMap(({ id, type }) => (typeof id === "string" && type !== "session" ? [id] : []));
	const foreign = [...before, ...ids].findLast((id) => !isOurs(id));
	const last = ids.at(-1);
	if (foreign === undefined || last === undefined || !isOurs(last)) return;
	appendBelow(path, foreign, { customType: TITLE_ENTRY, data });
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
		const from = statSync(path).size;
		const parentId = await leafOf(path);
		const [recordId, nameId] = [newEntryId(), newEntryId()];
		const timestamp = now.toISOString();
		const data: TitleData = { title: name, source: "manual" };
		const lines = [
			{ type: "custom", customType: TITLE_ENTRY, data, id: recordId, parentId, timestamp },
			{ type: "session_info", id: nameId, parentId: recordId, timestamp, name },
		];
		const appended = appendToExisting(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
		if (!appended.ok) return appended;
		const ours = [parentId, recordId, nameId];
		continueOthers(path, { before: [], from, isOurs: (id) => ours.includes(id) }, data);
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

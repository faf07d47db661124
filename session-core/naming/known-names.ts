import { fileLeafId } from "../session/file-leaf.ts";
import { lookAtNames } from "./names-in-file.ts";
import type { NameRecord, TitleData } from "./record.ts";

/** What naming needs of the host's session. */
export interface NamePorts {
	/** Undefined where the session is kept in memory only. */
	file(): string | undefined;
	/** Bytes at the beginning of the file whose names are in memory; see `loadedBytes`. */
	loaded: number;
	leafId(): string | null;
	/** The entry was loaded or written by this process. */
	knows(id: string): boolean;
	/** Names and title records in this process's memory, oldest first. */
	records(): NameRecord[];
	/** Append a title record. */
	record(data: TitleData): void;
	/** Append a name. */
	name(text: string): void;
}

/** What was known of the session before we wrote. */
export interface KnownNames {
	/** Undefined where there is no file to read. */
	path: string | undefined;
	/** Names and title records of memory and file, oldest first. */
	records: NameRecord[];
	/** Bytes of the file; 0: not there yet. */
	end: number;
	/** The file's last entry, where it can be told. */
	leafId: string | undefined;
}

/** Look at the session's file once more. Unreadable: not a regular file, or not ours to read. */
export function readKnownNames(ports: NamePorts): KnownNames | "unreadable" {
	const known = memoryOnly(ports);
	const path = ports.file();
	if (path === undefined) return known;
	const looked = lookAtNames(path, ports.loaded);
	// The host writes no file before the first reply.
	if (!looked.ok) return looked.reason === "missing" ? { ...known, path } : "unreadable";
	const { records, end } = looked.look;
	const isInMemoryOnly = ({ id }: NameRecord) => !records.some((record) => record.id === id);
	// The leaf is read last: whatever is appended after the names were read shows in it.
	return {
		path,
		end,
		records: [...known.records.filter(isInMemoryOnly), ...records],
		leafId: fileLeafId(path),
	};
}

/** What this process knows by itself. */
export function memoryOnly(ports: Pick<NamePorts, "records">): KnownNames {
	return { path: undefined, records: ports.records(), end: 0, leafId: undefined };
}

/** Names and title records of memory and file, oldest first; where the file cannot be read, those of memory. */
export function knownRecords(ports: NamePorts): NameRecord[] {
	const before = readKnownNames(ports);
	return before === "unreadable" ? ports.records() : before.records;
}

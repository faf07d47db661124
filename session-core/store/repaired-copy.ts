import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beginReplacing, discarded, type PendingFile } from "./atomic-file.ts";
import { EntryCollector, type ParsedEntries } from "./entries.ts";
import { newEntryId } from "./entry-id.ts";
import { linesOfChunks } from "./lines.ts";
import { chunksOf, type NotOpened, readRegular } from "./regular-file.ts";
import { isRepairable, repairedLines } from "./repair.ts";

export interface Repair {
	/** The damaged file; it is only read. */
	path: string;
	/** Where the copy's file goes. */
	folder: string;
	/** The folder that the copy goes on in. */
	cwd: string;
	now: Date;
}

/** `lost`: lines of which something could not be read. */
export type RepairOutcome = { ok: true; path: string; lost: number } | { ok: false; detail: string };

/** Whether there is anything to repair in a file that the host does not read. */
export function canRepair(path: string): boolean {
	const parsed = readAll(path);
	return parsed.ok && isRepairable(parsed.entries);
}

/** Writes what can be read of a damaged session as a new one, whole or not at all. */
export function repairCopy({ path, folder, cwd, now }: Repair): RepairOutcome {
	const parsed = readAll(path);
	if (!parsed.ok) return parsed;
	if (!isRepairable(parsed.entries)) return { ok: false, detail: "Nothing in this file can be read." };
	const id = randomUUID();
	const timestamp = now.toISOString();
	const copy = join(folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
	let pending: PendingFile | undefined;
	try {
		pending = beginReplacing(copy);
		for (const line of repairedLines(parsed, { id, timestamp, cwd, parentSession: path }, newEntryId))
			pending.write(`${line}\n`);
		pending.commit();
		return { ok: true, path: copy, lost: parsed.badLines };
	} catch (error) {
		return { ok: false, detail: discarded(pending, error) };
	}
}

function readAll(path: string): ({ ok: true } & ParsedEntries) | NotOpened {
	return readRegular(path, (file) => {
		const collector = new EntryCollector();
		for (const line of linesOfChunks(chunksOf(file), Number.POSITIVE_INFINITY)) collector.add(line);
		return { ok: true as const, ...collector.parsed };
	});
}

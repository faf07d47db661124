import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beginReplacing, discarded, type PendingFile, sweepFolder } from "./atomic-file.ts";
import { EntryCollector, type ParsedEntries } from "./entries.ts";
import { newEntryId } from "./entry-id.ts";
import { Pace } from "./pace.ts";
import type { NotOpened } from "./regular-file.ts";
import { isRepairable, repairedLines } from "./repair.ts";
import { wholeLines } from "./whole-lines.ts";

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
export async function canRepair(path: string): Promise<boolean> {
	const parsed = await readAll(path);
	return parsed.ok && isRepairable(parsed.entries);
}

/** Writes what can be read of a damaged session as a new one, whole or not at all. */
export async function repairCopy({ path, folder, cwd, now }: Repair): Promise<RepairOutcome> {
	const parsed = await readAll(path);
	if (!parsed.ok) return parsed;
	if (!isRepairable(parsed.entries)) return { ok: false, detail: "Nothing in this file can be read." };
	const id = randomUUID();
	const timestamp = now.toISOString();
	const copy = join(folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
	let pending: PendingFile | undefined;
	try {
		sweepFolder(folder);
		pending = beginReplacing(copy);
		const pace = new Pace();
		for (const line of repairedLines(parsed, { id, timestamp, cwd, parentSession: path }, newEntryId)) {
			pending.write(`${line}\n`);
			if (pace.isDue) await pace.rest();
		}
		pending.commit();
		return { ok: true, path: copy, lost: parsed.badLines };
	} catch (error) {
		return { ok: false, detail: discarded(pending, error) };
	}
}

async function readAll(path: string): Promise<({ ok: true } & ParsedEntries) | NotOpened> {
	const collector = new EntryCollector();
	const read = await wholeLines(path, (line) => {
		collector.add(line);
		return undefined;
	});
	return read.ok ? { ok: true, ...collector.parsed } : read;
}

import { randomUUID } from "node:crypto";
import { lstatSync, utimesSync } from "node:fs";
import { appendBelow, checkSession, type Format, fileLeafId, openSessionFile } from "../log/index.ts";
import {
	keepNote,
	makeRecord,
	type Note,
	RECAP_ENTRY,
	readSession,
	recordFields,
	replaceRefusal,
	type SessionRecord,
	type WordsFor,
} from "../recap/index.ts";
import { type DebugLog, errorText, readCheckout } from "../text/index.ts";
import { type describeSession, detailsOf, openSession } from "./describe.ts";
import { leaseFinder, liveLeases } from "./live/index.ts";

export interface AddRecordDeps {
	agentDir: string;
	now(): number;
	checkout?: typeof readCheckout;
	words: WordsFor;
	log: DebugLog;
}

/**
 * `not_ours` means that another program wrote the session. `live` means that a process has the session
 * open. `moved_on` means that the session file has changed since the session was read.
 */
export type AddFailure =
	| NonNullable<ReturnType<typeof replaceRefusal>>
	| "live"
	| "not_ours"
	| "damaged"
	| "old_format"
	| "moved_on"
	| "unreadable"
	| "unwritable";

export type AddOutcome =
	| { ok: true; recap: SessionRecord }
	| { ok: false; reason: AddFailure; detail: string; existing?: SessionRecord };

export interface AddRecordOptions {
	force?: boolean | undefined;
	edit?: ((recap: SessionRecord) => SessionRecord) | undefined;
	/**
	 * A note that a model wrote at the user's request. Such a note replaces any existing record, unless
	 * the user has edited that record.
	 */
	note?: Note;
	/** If set, the record is stored only if the session is still in this state. */
	stamp?: string | undefined;
}

type Recorded = Parameters<typeof describeSession>[0] & { format: Format };

/**
 * Stores a note on the session state `stamp` in the session file or, if that file cannot be written, in
 * a separate file.
 */
export async function addNote(
	row: Recorded,
	{ note, stamp }: { note: Note; stamp: string | undefined },
	deps: AddRecordDeps,
): Promise<{ ok: true } | { ok: false; reason: AddFailure; detail: string }> {
	const opened = await openSession(row);
	if (!opened.ok) return failed("unreadable", opened.detail);
	const { reading } = opened;
	if (reading.stamp !== stamp) return failed("moved_on");
	const reason = replaceRefusal(reading, "unedited");
	if (reason) return failed(reason);
	const added = await addRecord(row, { note, stamp }, deps);
	if (added.ok || ["edited", "moved_on", "nothing"].includes(added.reason)) return added;
	const kept = keepNote(
		deps.agentDir,
		row.path,
		makeRecord(reading, { ...detailsOf(row, reading, deps), note }),
	);
	return kept.ok ? kept : failed("unwritable", kept.detail);
}

export async function addRecord(
	row: Recorded,
	options: AddRecordOptions,
	deps: AddRecordDeps,
): Promise<AddOutcome> {
	const outcome = await added(row, options, deps);
	const session = row.id;
	if (outcome.ok) deps.log("record.written", recordFields(outcome.recap));
	else deps.log("record.refused", { session, reason: outcome.reason });
	return outcome;
}

async function added(
	row: Recorded,
	{ force = false, edit, note, stamp }: AddRecordOptions,
	deps: AddRecordDeps,
): Promise<AddOutcome> {
	if (!row.format.canOpen) return failed("not_ours");
	if (isLive(row, deps)) return failed("live");
	// Appending to a damaged file could lose the entry or make the damage worse.
	const check = await checkSession(row.path);
	if (!check.ok) return failed("unreadable", check.detail);
	if (!check.sound) return failed("damaged");
	const checkout = await (deps.checkout ?? readCheckout)(row.cwd);
	const opened = await openSessionFile(row.path);
	if (!opened.ok) return failed("unreadable", opened.detail);
	const { header, stamp: fileStamp } = opened.session;
	// In pi's oldest session format, entries have no ids, so a new entry could not name its parent.
	if ((header?.version ?? 1) < 2) return failed("old_format");
	const reading = readSession(opened.session.slice, header ?? {}, row.cwd);
	if (stamp !== undefined && reading.stamp !== stamp) return failed("moved_on");
	const { existing } = reading;
	const reason = replaceRefusal(reading, force ? "all" : note && "unedited");
	if (reason) return { ...failed(reason), ...(existing && { existing }) };
	const made = makeRecord(reading, { ...detailsOf(row, reading, deps), checkout, note });
	const { created_at } = made;
	const recap = { ...(edit ? edit(existing ?? made) : made), id: randomUUID(), created_at, requested: true };
	const leaf = fileLeafId(row.path);
	if (leaf === undefined) return failed("damaged");
	// The session is checked again, because another process may have opened the session in the meantime.
	if (isLive(row, deps)) return failed("live");
	const before = lstatSync(row.path, { throwIfNoEntry: false });
	if (before?.size !== fileStamp.size) return failed("moved_on");
	try {
		appendBelow(row.path, leaf, [{ type: "custom", customType: RECAP_ENTRY, data: recap }]);
		// `pi -c` opens the last modified session, so saving a record must not change the modification time.
		utimesSync(row.path, before.atime, before.mtime);
		return { ok: true, recap };
	} catch (error) {
		return failed("unwritable", errorText(error));
	}
}

function isLive({ id, path }: Recorded, { agentDir, now }: AddRecordDeps): boolean {
	return leaseFinder(liveLeases(agentDir, now()))({ path, id }) !== undefined;
}

function failed(reason: AddFailure, detail = ""): { ok: false; reason: AddFailure; detail: string } {
	return { ok: false, reason, detail };
}

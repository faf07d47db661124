import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BranchSlice, recentCustomEntries } from "../log/index.ts";
import { namesIn, parseObject, partOf, replaceFile, type WriteOutcome } from "../text/files/index.ts";
import { RECAP_ENTRY, readRecap, type SessionRecord } from "./record.ts";

/** The records in a session file. `stored` and `existing` belong to the session's last message. */
export interface StoredRecords {
	/** The newest record in the session, which may be outdated or belong to a fork's original session. */
	newest: SessionRecord | undefined;
	/** In a fork without new messages, the stored record comes from the original session. */
	stored: SessionRecord | undefined;
	/** The session's existing record, which a new record would replace. */
	existing: SessionRecord | undefined;
}

export function recordsAt(
	slice: Pick<BranchSlice, "entries">,
	{ id, stamp }: { id: string; stamp: string | undefined },
): StoredRecords {
	const records = recentCustomEntries(slice, RECAP_ENTRY).flatMap((entry) => readRecap(entry) ?? []);
	const stored = records.find(({ last_message_id }) => last_message_id === stamp);
	return { newest: records[0], stored, existing: stored?.subject_id === id ? stored : undefined };
}

/**
 * Returns the record to show. A record that the user edited takes precedence over records that the user
 * requested or a model wrote, and those take precedence over automatic records. A fork's own records take
 * precedence over all records of the original session. Notes with an id are ignored, because a record with an
 * id is in the session file and may have been replaced there.
 */
export function currentRecord(
	{ id, stamp, stored }: { id: string; stamp: string | undefined; stored: SessionRecord | undefined },
	notes: readonly (SessionRecord | undefined)[] = [],
): SessionRecord | undefined {
	return [stored, ...notes.filter((note) => idInFile(note) === undefined)]
		.filter((record) => record !== undefined)
		.filter((record) => record.last_message_id === stamp)
		.toSorted((one, other) => rankOf(other, id) - rankOf(one, id) || other.created_at - one.created_at)[0];
}

/** Returns undefined for a record that is not in the session file: a new record, or a note beside the file. */
export function idInFile(record: SessionRecord | undefined): string | undefined {
	return record?.id || undefined;
}

function rankOf({ subject_id, generator, requested }: SessionRecord, id: string): number {
	if (subject_id !== id) return -1;
	if (generator.type === "user_edited") return 2;
	return generator.type === "llm" || requested ? 1 : 0;
}

export type Cause = "end" | "job" | "idle" | "typed" | "note";

/**
 * Determines which existing records a new record may replace. `offline` records were written without a
 * model.
 */
export type Replaceable = "offline" | "unedited" | "all";

type ReplaceRefusal = "nothing" | "exists" | "edited";

/**
 * The reasons for not saving a record. `inherited` means that the session is a fork without new
 * messages, and `edited` means that the user has edited the existing record.
 */
export type RecordRefusal = ReplaceRefusal | "off" | "short" | "inherited";

interface State extends Pick<StoredRecords, "existing"> {
	stamp: string | undefined;
	hasTask: boolean;
}

export function replaceRefusal(
	{ stamp, hasTask, existing }: State,
	replaces: Replaceable | false = false,
): ReplaceRefusal | undefined {
	if (stamp === undefined || !hasTask) return "nothing";
	if (!existing || replaces === "all") return undefined;
	const { type } = existing.generator;
	if (type === "user_edited") return "edited";
	return replaces === "unedited" || (replaces && type === "heuristic") ? undefined : "exists";
}

export function refusal(
	state: State & { messages: number; isInherited: boolean },
	{ cause, replaces, minMessages }: { cause: Cause; replaces?: Replaceable | false; minMessages: number },
): RecordRefusal | undefined {
	const refused = replaceRefusal(state, replaces);
	if (cause === "typed" || refused === "nothing") return refused;
	if (cause === "end" && minMessages === 0) return "off";
	if (cause === "end" && state.messages < minMessages) return "short";
	return state.isInherited ? "inherited" : refused;
}

const MAX_BYTES = 256 * 1024;

/**
 * Stores a note for a session whose file must not be modified, such as another agent's log. The note replaces
 * any older note for the same session.
 */
export function keepNote(agentDir: string, path: string, record: SessionRecord): WriteOutcome {
	return replaceFile(fileOf(agentDir, path), JSON.stringify({ path, record: { ...record, id: "" } }));
}

/**
 * Returns the stored notes, keyed by the path of the session file. Notes on deleted sessions are
 * removed.
 */
export function keptNotes(agentDir: string): ReadonlyMap<string, SessionRecord> {
	const notes = new Map<string, SessionRecord>();
	for (const name of namesIn(folderOf(agentDir))) {
		const file = join(folderOf(agentDir), name);
		const { path, record } = noteIn(file);
		if (typeof path !== "string" || file !== fileOf(agentDir, path)) continue;
		if (!existsSync(path)) rmSync(file, { force: true });
		else if (record) notes.set(path, record);
	}
	return notes;
}

export function keptNote(agentDir: string, path: string): SessionRecord | undefined {
	const note = noteIn(fileOf(agentDir, path));
	return note.path === path ? note.record : undefined;
}

function noteIn(file: string): { path?: unknown; record?: SessionRecord | undefined } {
	const { path, record: data } = parseObject(partOf(file, 0, MAX_BYTES).toString("utf8")) ?? {};
	return { path, record: readRecap({ type: "custom", customType: RECAP_ENTRY, data }) };
}

function folderOf(agentDir: string): string {
	return join(agentDir, "session-suite", "notes");
}

function fileOf(agentDir: string, path: string): string {
	return join(folderOf(agentDir), `${createHash("sha256").update(path).digest("hex").slice(0, 40)}.json`);
}

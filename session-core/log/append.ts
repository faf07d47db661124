import { ftruncateSync, writeSync } from "node:fs";
import {
	diskFull,
	fileErrorText,
	type JsonObject,
	parseObject,
	type RegularFile,
	readRegular,
	readSpan,
} from "../text/files/index.ts";
import { fromLeaf } from "./branch.ts";
import { newEntryId, parseLine } from "./entries.ts";
import { type HostSource, hasRole, TITLE_ENTRY } from "./entry.ts";
import { MAX_LINE_BYTES, NEWLINE, wholeLinesBetween } from "./lines.ts";

/**
 * The reasons why an entry was not appended. `not_saved`: pi has not written the file yet. `moved_on`:
 * another process has written to the file, and an appended entry would hide that process's messages.
 * `earlier_point`: the user moved back with `/tree` and has not sent a prompt yet. `unreadable`: the last
 * line of the file cannot be read. `unwritable`: the append failed and was undone.
 */
export type AppendRefusal = "not_saved" | "moved_on" | "earlier_point" | "unreadable" | "unwritable";

export type AppendOutcome = { ok: true } | { ok: false; reason: AppendRefusal; detail: string };

/**
 * The type of a marker entry at the end of a session file. pi reopens a session at the entry on the file's
 * last line, so the marker's position in the tree decides where the session continues.
 */
const REOPEN_ENTRY = "session-suite:reopen";

/**
 * Appends an entry through pi and undoes a failed append. With `anywhere`, the entry is never refused
 * as `not_saved`, `moved_on` or `earlier_point`.
 */
export function appendCarefully(
	target: HostSource,
	append: () => void,
	{ anywhere = false }: { anywhere?: boolean } = {},
): AppendOutcome {
	const file = target.getSessionFile();
	if (file === undefined) {
		append();
		return { ok: true };
	}
	const end = fileEnd(file);
	if (!end) return refused("unreadable", "the session's file cannot be read");
	if (end.isTorn) return refused("unreadable", "the last line of the session's file is incomplete");
	const leaf = target.getLeafId();
	const known = lastKnown(end, target);
	if (end.size === 0) {
		// Appending to a deleted or emptied file would leave the session without a header.
		if (hasReply(target)) return refused("unreadable", "it was deleted or emptied");
		if (!anywhere) return refused("not_saved");
	} else if (!anywhere) {
		if (end.leafId === undefined) return refused("unreadable");
		if (known === undefined) return refused("moved_on");
		if (leaf === null || known !== leaf) return refused("earlier_point");
	}
	try {
		append();
		if (end.leafId !== undefined && known !== leaf)
			appendBelow(file, end.leafId, [{ type: "custom", customType: REOPEN_ENTRY, data: {} }]);
		return { ok: true };
	} catch (error) {
		// pi versions before 1.5 keep an entry in memory even if the entry could not be written to the file.
		if (leaf === null) target.resetLeaf();
		else if (target.getLeafId() !== leaf) target.branch(leaf);
		cutOff(file, end.size, (id) => target.getEntry(id) !== undefined);
		return refused("unwritable", fileErrorText(error));
	}
}

interface FileEnd {
	size: number;
	isTorn: boolean;
	lines: string[];
	leafId: string | undefined;
}

const END_BYTES = 64 * 1024;

function fileEnd(path: string): FileEnd | undefined {
	const found = readRegular(path, (file) => {
		const { size } = file.stamp;
		const isTorn = size > 0 && readSpan(file, size - 1, 1)[0] !== NEWLINE;
		let length = END_BYTES;
		let { bytes, start } = wholeLinesBetween(file, size - length, size);
		while (bytes.length === 0 && start > 0 && length < MAX_LINE_BYTES) {
			length *= 4;
			({ bytes, start } = wholeLinesBetween(file, size - length, size));
		}
		const lines = bytes.toString("utf8").trimEnd().split("\n");
		const last = isTorn ? undefined : parseObject(lines.at(-1) ?? "");
		const leafId =
			last && last["type"] !== "session" && typeof last["id"] === "string" ? last["id"] : undefined;
		return { ok: true, end: { size, isTorn, lines, leafId } };
	});
	if (found.ok) return found.end;
	return found.reason === "missing" ? { size: 0, isTorn: false, lines: [], leafId: undefined } : undefined;
}

export function fileLeafId(path: string): string | undefined {
	return fileEnd(path)?.leafId;
}

/** The types of entries that another process may append without continuing the conversation. */
const SIDE_ENTRIES: readonly unknown[] = [TITLE_ENTRY, REOPEN_ENTRY];

/**
 * Returns the id of the last entry that this process has loaded. Returns undefined if another process has
 * since appended entries other than title records and reopen markers.
 */
function lastKnown({ lines, leafId }: FileEnd, target: HostSource): string | undefined {
	let wanted: unknown = leafId;
	const left = [...lines];
	while (typeof wanted === "string" && !target.getEntry(wanted)) {
		const entry: JsonObject | undefined = parseLine(left.pop() ?? "").objects.at(-1);
		if (!entry) return undefined;
		if (entry["id"] !== wanted) continue;
		const isSide = entry["type"] === "custom" && SIDE_ENTRIES.includes(entry["customType"]);
		if (!isSide && entry["type"] !== "session_info") return undefined;
		wanted = entry["parentId"];
	}
	return typeof wanted === "string" ? wanted : undefined;
}

function hasReply(target: HostSource): boolean {
	for (const entry of fromLeaf(target)) if (hasRole(entry, "assistant")) return true;
	return false;
}

function refused(reason: AppendRefusal, detail = ""): AppendOutcome {
	return { ok: false, reason, detail };
}

function cutOff(path: string, size: number, isOurs: (id: string) => boolean): void {
	const cut = (file: RegularFile) => {
		const added = readSpan(file, size, Math.max(0, file.stamp.size - size)).toString("utf8");
		const entries = added.split("\n").slice(0, -1).filter(Boolean).map(parseObject);
		if (entries.every((entry) => isOurs(String(entry?.["id"])))) ftruncateSync(file.fd, size);
		return { ok: true };
	};
	// The failed append is reported anyway, so an error while undoing the append is ignored.
	readRegular(path, cut, "append");
}

/**
 * Appends entries to a session file, starting below the entry with the id `below`, even if pi has not
 * loaded that entry. If the disk is full, the incomplete entries are removed and an error is thrown.
 */
export function appendBelow(path: string, below: string | null, entries: readonly JsonObject[]): void {
	const timestamp = new Date().toISOString();
	const ids = entries.map(newEntryId);
	const lines = entries.map((entry, index) =>
		JSON.stringify({ ...entry, id: ids[index], parentId: ids[index - 1] ?? below, timestamp }),
	);
	const append = (file: RegularFile) => {
		const { size } = file.stamp;
		const isTorn = size > 0 && readSpan(file, size - 1, 1)[0] !== NEWLINE;
		const bytes = Buffer.from(`${isTorn ? "\n" : ""}${lines.join("\n")}\n`);
		const written = writeSync(file.fd, bytes);
		if (written === bytes.length) return { ok: true as const };
		cutOff(path, size, (id) => ids.includes(id));
		throw diskFull(written, bytes);
	};
	const appended = readRegular(path, append, "append");
	if (!appended.ok) throw new Error(appended.detail);
}

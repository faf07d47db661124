import { MAX_RECORD, newestRecords, type OwnRecords } from "./own-records.ts";
import type { Steps } from "./pace.ts";
import { closeRegular, openRegular, readSpan } from "./regular-file.ts";

/** Newest name and newest title record of a part of a file. */
export type Named = Pick<OwnRecords, "name" | "title">;

/** What is known of a session's name: by the end of the file, by an older state of it, and what between is unread. */
export interface NameFacts {
	newer: Named;
	older: Named;
	gap: { from: number; to: number } | undefined;
}

export interface SessionName {
	name: string | undefined;
	source: "auto" | "manual" | undefined;
}

/** How far back a name is looked for in one file, in bytes. Beyond, only the file's beginning counts. */
export const NAME_SCAN_BYTES = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;
/** Read again of an older state: its last line may have been torn, and completed since. */
const TORN_LINE = 8 * 1024;

/** The name that counts. It is automatic only if the newest title record says so of the very same name. */
export function nameOf({ newer, older }: NameFacts): SessionName {
	const { name, title } = { ...older, ...newer };
	if (name === undefined || name === "") return { name: undefined, source: undefined };
	return { name, source: title?.auto && title.text === name ? "auto" : "manual" };
}

/** Whether no further look into the file can change the name. */
export function isSettled({ newer, gap }: NameFacts): boolean {
	return gap === undefined || (newer.name !== undefined && newer.title !== undefined);
}

/** Facts of a grown file: what its end says, on top of the facts of its beginning or older state, which reached to `known`. */
export function factsOnTop(tail: Named, tailStart: number, before: NameFacts, known: number): NameFacts {
	const from = Math.max(0, known - TORN_LINE);
	const gap = tailStart > from ? { from, to: tailStart } : undefined;
	return { newer: named(tail), older: named({ ...before.older, ...before.newer }), gap };
}

/** Reads what is unread, backwards, and gives settled facts. A file that can no longer be read keeps the facts it has. */
export function* settleNames(path: string, facts: NameFacts, scratch: Buffer): Steps<never, NameFacts> {
	if (isSettled(facts) || !facts.gap) return { ...facts, gap: undefined };
	const opened = openRegular(path);
	if (!opened.ok) return facts;
	const { from, to } = facts.gap;
	const limit = Math.max(from, to - NAME_SCAN_BYTES);
	let newer = facts.newer;
	try {
		for (let end = to; end > limit; ) {
			const start = Math.max(limit, end - CHUNK);
			const bytes = readSpan(opened.file, start, end - start, scratch);
			newer = { ...newestRecords(bytes, unknownOf(newer)), ...newer };
			if (newer.name !== undefined && newer.title !== undefined) break;
			// A record that lies across the cut is seen whole by the next look.
			end = start > limit ? start + Math.min(MAX_RECORD, (end - start) >> 1) : limit;
			yield;
		}
		return { newer, older: facts.older, gap: undefined };
	} catch {
		// The file failed in mid-read: what is known stays, and the next scan tries again.
		return facts;
	} finally {
		closeRegular(opened.file);
	}
}

function unknownOf(facts: Named): ("name" | "title")[] {
	return (["name", "title"] as const).filter((kind) => facts[kind] === undefined);
}

function named({ name, title }: Named): Named {
	return { ...(name !== undefined && { name }), ...(title && { title }) };
}

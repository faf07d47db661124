import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isObject } from "../json.ts";
import type { Entry } from "../session/entry.ts";
import { beginReplacing, discarded, type PendingFile, sweepFolder } from "./atomic-file.ts";
import { EntryCollector, UNREADABLE } from "./entries.ts";
import { newEntryId } from "./entry-id.ts";
import { hostReading } from "./host-reading.ts";
import { Pace } from "./pace.ts";
import { wholeLines } from "./whole-lines.ts";

export interface Fork {
	/** The session that is forked; it is only read. */
	path: string;
	/** The last entry that the fork keeps; undefined: all of them, branches included. */
	entryId: string | undefined;
	/** The folder that the fork goes on in. */
	cwd: string;
	/** Where its file goes. */
	folder: string;
	now: Date;
}

/** `damaged`: the host would not read it. `old_format`: it would rewrite the original. `no_reply`: the host keeps no such session. */
export type ForkFailure = "damaged" | "old_format" | "no_entry" | "no_reply" | "unreadable" | "unwritable";

export type ForkOutcome =
	| { ok: true; path: string; id: string }
	| { ok: false; reason: ForkFailure; detail: string };

/** The host's current format. */
const VERSION = 3;

/**
 * Copies a session up to one of its entries into a new one, as the host forks its own: a header that names the parent, the
 * entries of that branch, and the labels on them. Put in place whole or not at all.
 */
export async function forkFile({ entryId, ...place }: Fork): Promise<ForkOutcome> {
	const kept = await keptEntries({ path: place.path, entryId });
	return kept.ok ? write(kept.entries, place) : kept;
}

type ForkRefusal = Extract<ForkOutcome, { ok: false }>;

/** Why this session cannot be forked there; undefined: it can. Writes nothing. */
export async function obstacleToFork(fork: Pick<Fork, "path" | "entryId">): Promise<ForkRefusal | undefined> {
	const kept = await keptEntries(fork);
	return kept.ok ? undefined : kept;
}

async function keptEntries({
	path,
	entryId,
}: Pick<Fork, "path" | "entryId">): Promise<{ ok: true; entries: Entry[] } | ForkRefusal> {
	const reading = await hostReading(path);
	if (!reading.ok) return failed("unreadable", reading.detail);
	if (!reading.reads) return failed("damaged", "Its file is damaged.");
	const collector = new EntryCollector();
	const read = await wholeLines(path, (line) => {
		collector.add(line);
		return undefined;
	});
	if (!read.ok) return failed("unreadable", read.detail);
	const { headers, entries } = collector.parsed;
	if ((headers[0]?.version ?? 1) < VERSION) {
		return failed(
			"old_format",
			"This session is in an old format. Open it once instead: pi brings it up to date.",
		);
	}
	const readable = withoutLost(entries);
	const kept = entryId === undefined ? readable : branchOf(readable, entryId);
	if (kept.length === 0) return failed("no_entry", "The session does not hold this point any more.");
	if (entryId !== undefined && !kept.some(isReply)) {
		return failed("no_reply", "Nothing was replied before this point; begin a new session instead.");
	}
	return { ok: true, entries: kept };
}

async function write(
	entries: readonly Entry[],
	{ path, cwd, folder, now }: Omit<Fork, "entryId">,
): Promise<ForkOutcome> {
	const id = randomUUID();
	const timestamp = now.toISOString();
	const copy = join(folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
	const pace = new Pace();
	let pending: PendingFile | undefined;
	try {
		sweepFolder(folder);
		pending = beginReplacing(copy);
		const header = { type: "session", version: VERSION, id, timestamp, cwd, parentSession: path };
		pending.write(`${JSON.stringify(header)}\n`);
		for (const entry of entries) {
			pending.write(`${JSON.stringify(entry)}\n`);
			if (pace.isDue) await pace.rest();
		}
		pending.commit();
		return { ok: true, path: copy, id };
	} catch (error) {
		return failed("unwritable", discarded(pending, error));
	}
}

/** What hung below a damaged line hangs below that one's parent. */
function withoutLost(entries: readonly Entry[]): Entry[] {
	const lost = new Map<string, string | null>();
	for (const { type, id, parentId } of entries) if (type === UNREADABLE) lost.set(id, parentId ?? null);
	if (lost.size === 0) return [...entries];
	// Written anew after a torn attempt, it is not lost.
	for (const { type, id } of entries) if (type !== UNREADABLE) lost.delete(id);
	return entries
		.filter(({ type }) => type !== UNREADABLE)
		.map((entry) => {
			let parentId = entry.parentId ?? null;
			// Each is taken once: lost lines can name each other in a circle.
			for (const seen = new Set<string>(); parentId !== null && lost.has(parentId) && !seen.has(parentId); ) {
				seen.add(parentId);
				parentId = lost.get(parentId) ?? null;
			}
			return parentId === (entry.parentId ?? null) ? entry : { ...entry, parentId };
		});
}

/** From the first entry to this one, and behind them the labels that they have now. */
function branchOf(entries: readonly Entry[], entryId: string): Entry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const branch: Entry[] = [];
	const seen = new Set<string>();
	for (let at = byId.get(entryId); at && !seen.has(at.id); at = byId.get(at.parentId ?? "")) {
		seen.add(at.id);
		branch.push(at);
	}
	const kept = chained(branch.reverse().filter(({ type }) => type !== "label"));
	return [...kept, ...labelsOn(entries, seen, kept.at(-1)?.id ?? null)];
}

/** Labels left out of the middle leave no gap. */
function chained(branch: readonly Entry[]): Entry[] {
	return branch.map((entry, index) => ({ ...entry, parentId: branch[index - 1]?.id ?? null }));
}

function labelsOn(entries: readonly Entry[], kept: ReadonlySet<string>, last: string | null): Entry[] {
	const labels = new Map<string, Entry>();
	for (const entry of entries) {
		const target = entry["targetId"];
		if (entry.type !== "label" || typeof target !== "string" || !kept.has(target)) continue;
		labels.delete(target);
		if (entry["label"]) labels.set(target, entry);
	}
	let parentId = last;
	return [...labels.values()].map((label) => {
		const placed = { ...label, id: newEntryId(), parentId };
		parentId = placed.id;
		return placed;
	});
}

function isReply(entry: Entry): boolean {
	const message = entry["message"];
	return entry.type === "message" && isObject(message) && message["role"] === "assistant";
}

function failed(reason: ForkFailure, detail: string): ForkRefusal {
	return { ok: false, reason, detail };
}

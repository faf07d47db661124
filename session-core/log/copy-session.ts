import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isObject, replaceByLines, sweepFolder } from "../text/files/index.ts";
import { isShowable } from "./check-session.ts";
import { newEntryId, readEntries, UNREADABLE } from "./entries.ts";
import { type Entry, hasRole, messageOf } from "./entry.ts";
import { EVERY_LINE } from "./lines.ts";

interface CopyRequest {
	path: string;
	/** The last entry of the branch to copy. If undefined, all branches are copied. */
	entryId?: string | undefined;
	cwd: string;
	folder: string;
	now: Date;
}

export type CopyOutcome =
	| { ok: true; path: string; id: string; lost: number }
	| { ok: false; detail: string };

/** Copies a session, including its labels. The copy is valid even if the original file is damaged. */
export async function copySession({ cwd, folder, now, ...source }: CopyRequest): Promise<CopyOutcome> {
	const kept = await entriesToCopy(source.path, source.entryId);
	if (!kept.ok) return kept;
	const id = randomUUID();
	const timestamp = now.toISOString();
	const path = join(folder, `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
	const header = { type: "session", version: 3, id, timestamp, cwd, parentSession: source.path };
	sweepFolder(folder);
	const written = await replaceByLines(path, jsonLines([header, ...kept.entries]));
	return written.ok ? { ok: true, path, id, lost: kept.lost } : written;
}

function* jsonLines(values: readonly unknown[]): Generator<string> {
	for (const value of values) yield JSON.stringify(value);
}

export async function isCopyable(path: string): Promise<boolean> {
	return (await entriesToCopy(path)).ok;
}

async function entriesToCopy(
	path: string,
	entryId?: string,
): Promise<{ ok: true; entries: Entry[]; lost: number } | { ok: false; detail: string }> {
	const read = await readEntries(path, EVERY_LINE);
	if (!read.ok) return read;
	const chain = new Chain();
	for (const entry of read.parsed.entries) chain.add(entry);
	if (chain.entries.length === 0) return { ok: false, detail: "Nothing in this file can be read." };
	const kept = { ok: true as const, entries: chain.entries, lost: read.parsed.badLines + chain.dropped };
	if (entryId === undefined) return kept;
	const branch = branchOf(chain.entries, chain.placeOf(entryId));
	if (branch.length === 0) return { ok: false, detail: "The session no longer contains this entry." };
	// pi does not save a session until the agent has replied.
	return branch.some((entry) => hasRole(entry, "assistant"))
		? { ...kept, entries: branch }
		: { ok: false, detail: "The agent has not replied before this entry. Start a new session instead." };
}

class Chain {
	readonly entries: Entry[] = [];
	dropped = 0;
	readonly #originals = new Map<string, Entry>();
	/**
	 * Maps the entry ids in the original session to the entry ids in the copy. The id of a lost entry is
	 * mapped to the copy of the entry's parent.
	 */
	readonly #places = new Map<string, string | null>();
	/** In format version 1, entries refer to other entries by line number, counted from the header. */
	readonly #inOrder: (string | null)[] = [null];

	placeOf(id: unknown): string | undefined {
		return (typeof id === "string" && this.#places.get(id)) || undefined;
	}

	add(entry: Entry): void {
		const found = withUsage(entry);
		const place = entry.type !== UNREADABLE && isShowable(found) ? this.#keep(found) : this.#skip(entry);
		this.#inOrder.push(place);
	}

	#keep(entry: Entry): string {
		const twin = this.#originals.get(entry.id);
		if (twin && JSON.stringify(twin) === JSON.stringify(entry)) return entry.id;
		const kept: Entry = { ...entry, id: this.#freeId(entry.id), parentId: this.#parentOf(entry) };
		for (const field of ["targetId", "firstKeptEntryId", "fromId"] as const)
			if (this.placeOf(entry[field])) kept[field] = this.placeOf(entry[field]);
		const { firstKeptEntryIndex: index } = entry;
		if (typeof index === "number") {
			delete kept["firstKeptEntryIndex"];
			if (this.#inOrder[index]) kept["firstKeptEntryId"] = this.#inOrder[index];
		}
		this.#originals.set(kept.id, entry);
		this.#places.set(entry.id, kept.id);
		this.entries.push(kept);
		return kept.id;
	}

	#skip(lost: Entry): string | null {
		if (lost.type !== UNREADABLE) this.dropped++;
		const parent = this.#parentOf(lost);
		// If the file contains a damaged and an intact version of an entry, the intact version is used.
		if (!this.#places.has(lost.id)) this.#places.set(lost.id, parent);
		return parent;
	}

	/**
	 * Returns the id of an entry's parent in the copy. In a damaged file, the parent may be missing or may
	 * follow the entry. In that case, the preceding entry becomes the parent.
	 */
	#parentOf({ parentId }: Entry): string | null {
		if (parentId === null || parentId === undefined) return null;
		const place = this.#places.get(parentId);
		return place === undefined ? (this.entries.at(-1)?.id ?? null) : place;
	}

	/**
	 * Entries without an id, as in format version 1, are given temporary ids that begin with `@`. A copy
	 * of the session needs permanent ids.
	 */
	#freeId(id: string): string {
		let free = id;
		while (free === "" || free.startsWith("@") || this.#originals.has(free)) free = newEntryId();
		return free;
	}
}

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST };

/** pi adds up token counts and costs, so values that another program left out are set to 0. */
function withUsage(entry: Entry): Entry {
	if (entry.type === "compaction") return { ...entry, tokensBefore: entry["tokensBefore"] ?? 0 };
	const message = hasRole(entry, "assistant") ? messageOf(entry) : undefined;
	const usage = isObject(message?.["usage"]) ? message["usage"] : {};
	if (!message || isObject(usage["cost"])) return entry;
	return { ...entry, message: { ...message, usage: { ...NO_USAGE, ...usage, cost: NO_COST } } };
}

function branchOf(entries: readonly Entry[], entryId: string | undefined): Entry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const branch: Entry[] = [];
	for (let at = byId.get(entryId ?? ""); at; at = byId.get(at.parentId ?? ""))
		if (at.type !== "label") branch.push(at);
	const kept = new Set(branch.map(({ id }) => id));
	const labels = new Map<string, Entry>();
	for (const entry of entries) {
		const { type, targetId: target, label } = entry;
		if (type !== "label" || typeof target !== "string" || !kept.has(target)) continue;
		labels.delete(target);
		if (label) labels.set(target, { ...entry, id: newEntryId() });
	}
	const all = [...branch.reverse(), ...labels.values()];
	return all.map((entry, index) => ({ ...entry, parentId: all[index - 1]?.id ?? null }));
}

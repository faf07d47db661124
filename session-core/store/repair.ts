import { isObject } from "../json.ts";
import type { Entry } from "../session/entry.ts";
import { type ParsedEntries, UNREADABLE } from "./entries.ts";
import { isTaken } from "./host-shapes.ts";

/** The header of a repaired copy, as the host writes its own. */
export interface CopyHeader {
	id: string;
	timestamp: string;
	cwd: string;
	/** The damaged file. */
	parentSession: string;
}

/** Fields that name another entry. */
const REFERENCES = ["targetId", "firstKeptEntryId", "fromId"] as const;

/** Whether anything of a damaged session can be given to the host. */
export function isRepairable(entries: Iterable<Entry>): boolean {
	for (const entry of entries) if (isKept(entry)) return true;
	return false;
}

/**
 * The lines of a copy that the host reads: a new header, and every readable entry in its order. The chain of parents holds:
 * what hung below a lost entry hangs below that one's parent, where its line still says so, else below the entry before it.
 */
export function* repairedLines(
	{ entries }: Pick<ParsedEntries, "entries">,
	header: CopyHeader,
	newId: () => string,
): Generator<string> {
	yield JSON.stringify({ type: "session", version: 3, ...header });
	const chain = new Chain(newId);
	for (const entry of entries) {
		const kept = isKept(entry) ? chain.place(counted(entry), entries) : chain.skip(entry);
		if (kept) yield JSON.stringify(kept);
	}
}

function isKept(entry: Entry): boolean {
	return entry.type !== UNREADABLE && isTaken(counted(entry));
}

const NO_USAGE = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 0,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** The entry with the figures that the host adds up, where another program left them out: nothing said is lost for them. */
function counted(entry: Entry): Entry {
	if (entry.type === "compaction") return { ...entry, tokensBefore: entry["tokensBefore"] ?? 0 };
	const message = entry["message"];
	if (entry.type !== "message" || !isObject(message) || message["role"] !== "assistant") return entry;
	const usage = isObject(message["usage"]) ? message["usage"] : {};
	const cost = isObject(usage["cost"]) ? usage["cost"] : NO_USAGE.cost;
	return { ...entry, message: { ...message, usage: { ...NO_USAGE, ...usage, cost } } };
}

/** The entries of the copy so far, by the ids that the damaged file knew them under. */
class Chain {
	readonly #newId: () => string;
	/** Of every id, the one in the copy; of a lost entry, its parent's. Of equal ids the later one counts, as for the host. */
	readonly #places = new Map<string, string | null>();
	readonly #written = new Map<string, Entry>();
	#last: string | null = null;

	constructor(newId: () => string) {
		this.#newId = newId;
	}

	/** The entry as it stands in the copy; undefined for one that stands there already. */
	place(entry: Entry, entries: readonly Entry[]): Entry | undefined {
		const twin = this.#written.get(entry.id);
		if (twin && isSame(twin, entry)) return undefined;
		const placed: Entry = { ...entry, id: this.#freeId(entry.id), parentId: this.#parentOf(entry) };
		this.#refer(placed, entries);
		this.#written.set(placed.id, entry);
		this.#places.set(entry.id, placed.id);
		this.#last = placed.id;
		return placed;
	}

	skip(lost: Entry): undefined {
		this.#places.set(lost.id, this.#parentOf(lost));
	}

	/** Always an entry that stands before: a circle, or a parent that comes later, is damage. */
	#parentOf({ parentId }: Entry): string | null {
		if (parentId === null || parentId === undefined) return null;
		const place = this.#places.get(parentId);
		return place === undefined ? this.#last : place;
	}

	#freeId(id: string): string {
		let free = id;
		while (free === "" || free.startsWith("@") || this.#written.has(free)) free = this.#newId();
		return free;
	}

	#refer(entry: Entry, entries: readonly Entry[]): void {
		for (const field of REFERENCES) {
			const id = entry[field];
			const place = typeof id === "string" ? this.#places.get(id) : undefined;
			if (place) entry[field] = place;
		}
		// Version 1 counted lines, the header's included.
		const index = entry["firstKeptEntryIndex"];
		if (typeof index !== "number") return;
		delete entry["firstKeptEntryIndex"];
		const first = this.#places.get(entries[index - 1]?.id ?? "");
		if (first) entry["firstKeptEntryId"] = first;
	}
}

function isSame(one: Entry, other: Entry): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

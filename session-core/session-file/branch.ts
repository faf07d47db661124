import type { Entry, SessionSource } from "./entry.ts";
import { contentText, hasRole, isMessageEntry } from "./message.ts";

export interface BranchSlice {
	entries: Entry[];
	/** The first user messages of the branch, oldest first; empty if the walk was not truncated. */
	opening: Entry[];
	firstReply?: Entry | undefined;
	/** Whether the walk stopped at a limit before it reached the root. */
	truncated: boolean;
}

/** Maximum number of entries of a walk, counted from the leaf, and of all characters in them. */
const MAX_ENTRIES = 600;
const MAX_CHARACTERS = 4_000_000;

/** Number of user messages that are kept from the beginning of a long branch. */
const OPENING_MESSAGES = 3;

/**
 * Walks the active branch from its leaf, within limits. Never calls `getBranch()`, which copies the whole branch twice. If the chain of
 * parents is broken (by a torn line or another tool's entry), the walk continues with the entry that precedes the orphaned entry in the
 * file. The preceding entry is most likely the parent, because the host only appends.
 */
export function walkBranch(source: SessionSource): BranchSlice {
	let list: Entry[] | undefined;
	/** Returns the file's entries in order, which are copied from the host only when they are needed. */
	const log = () => {
		list ??= source.getEntries();
		return list;
	};
	const seen = new Set<string>();
	const entries: Entry[] = [];
	let characters = 0;
	let firstReply: Entry | undefined;
	let current = source.getLeafEntry() ?? tornLeaf(log());
	while (current && entries.length < MAX_ENTRIES && characters < MAX_CHARACTERS) {
		seen.add(current.id);
		entries.push(current);
		characters += roughSize(current);
		if (hasRole(current, "assistant")) firstReply = current;
		const parentId: string | null | undefined = current.parentId;
		if (parentId === null) {
			current = undefined;
			break;
		}
		const parent: Entry | undefined =
			parentId === undefined || seen.has(parentId) ? undefined : source.getEntry(parentId);
		const previous: Entry | undefined = parent ?? before(log(), current, seen);
		// Without a parent, the chain is broken, so replies may be missing.
		if (!parent && previous) firstReply = undefined;
		current = previous;
	}
	const truncated = current !== undefined;
	return {
		entries: entries.reverse(),
		...(current ? openingFrom(source, current, log) : { opening: [], firstReply }),
		truncated,
	};
}

/** Returns the entry that precedes another one in the file. */
function before(list: readonly Entry[], entry: Entry, seen: ReadonlySet<string>): Entry | undefined {
	for (let index = list.lastIndexOf(entry) - 1; index >= 0; index--) {
		const candidate = list[index];
		if (candidate && !seen.has(candidate.id)) return candidate;
	}
	return undefined;
}

/** Returns the last entry if it has no id, so that the host has no leaf. The host also has none if it was moved before the root. */
function tornLeaf(list: readonly Entry[]): Entry | undefined {
	const last = list.at(-1);
	return last && typeof last.id !== "string" ? last : undefined;
}

type Opening = Pick<BranchSlice, "opening" | "firstReply">;

/** The first messages of the branches that contain `anchor`. Entries that are appended later do not change these messages. */
const openings = new WeakMap<SessionSource, Opening & { anchor: string }>();

/** Maximum number of parent links that are followed from the cut to find the anchor of the previous walk. */
const REACH = 400;

/** Reuses what the previous walk found if this branch still contains the anchor of that walk. */
function openingFrom(source: SessionSource, cut: Entry, entries: () => Entry[]): Opening {
	const known = openings.get(source);
	let entry: Entry | undefined = cut;
	for (let steps = 0; known && entry && steps < REACH; steps++) {
		if (entry.id === known.anchor) {
			const { anchor: _, ...opening } = known;
			openings.set(source, { ...opening, anchor: cut.id });
			return opening;
		}
		entry = typeof entry.parentId === "string" ? source.getEntry(entry.parentId) : undefined;
	}
	const opening = openingOf(entries(), cut);
	openings.set(source, { ...opening, anchor: cut.id });
	return opening;
}

/** Parents precede their children, so one backward pass that follows `parentId` finds the chain without a lookup for each entry. */
function openingOf(list: Entry[], from: Entry): Opening {
	const opening: Entry[] = [];
	let firstReply: Entry | undefined;
	let wanted: string | null | undefined = from.id;
	for (let index = list.length - 1; index >= 0 && typeof wanted === "string"; index--) {
		const entry = list[index];
		if (entry?.id !== wanted) continue;
		wanted = entry.parentId;
		if (hasRole(entry, "assistant")) firstReply = entry;
		if (!hasRole(entry, "user")) continue;
		if (opening.length === OPENING_MESSAGES) opening.shift();
		opening.push(entry);
	}
	return { opening: opening.reverse(), firstReply: wanted === null ? firstReply : undefined };
}

function roughSize(entry: Entry): number {
	const message = entry["message"];
	if (typeof message !== "object" || message === null) return 200;
	if ("content" in message) return contentText(message.content).length + 200;
	return "output" in message && typeof message.output === "string" ? message.output.length : 200;
}

export function recentCustomEntries(slice: Pick<BranchSlice, "entries">, customType: string): Entry[] {
	return slice.entries
		.filter((entry) => entry.type === "custom" && entry["customType"] === customType)
		.reverse();
}

/** Maximum number of entries that are searched for a message, because parents may form a cycle. */
const MAX_STEPS = 2_000;

type Leaf = Pick<SessionSource, "getLeafEntry" | "getEntry">;

/** Yields the entries of the branch, beginning with its leaf. */
export function* fromLeaf(source: Leaf): Generator<Entry> {
	let entry = source.getLeafEntry();
	for (let steps = 0; entry && steps < MAX_STEPS; steps++) {
		yield entry;
		entry = typeof entry.parentId === "string" ? source.getEntry(entry.parentId) : undefined;
	}
}

/**
 * Returns the id of the last *message* on the active branch, which identifies the state of the conversation. Names, labels, model changes
 * and the suite's records are not messages: they move the leaf without continuing the conversation.
 */
export function lastMessageId(source: Leaf): string | undefined {
	for (const entry of fromLeaf(source)) if (isMessageEntry(entry)) return entry.id;
	return undefined;
}

/** Returns the id of the newest name entry after the last message; undefined if there is none. */
export function renameSince(source: Leaf): string | undefined {
	for (const entry of fromLeaf(source)) {
		if (entry.type === "session_info") return entry.id;
		if (isMessageEntry(entry)) break;
	}
	return undefined;
}

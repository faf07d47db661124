import type { Entry, SessionSource } from "./entry.ts";
import { contentText, hasRole, isMessageEntry, messageOf, readMessage, roleOf } from "./message.ts";
import { isSlashCommand, userWords } from "./user-words.ts";

export interface BranchSlice {
	/** The kept entries of the branch, oldest first. Entries of the type {@link LEFT_OUT} represent the omitted ones. */
	entries: Entry[];
	firstReply?: Entry | undefined;
}

/** The type of an entry that represents omitted entries. Such an entry belongs to the request before it. */
const LEFT_OUT = "suite:left_out";

export interface LeftOut {
	/** The number of left-out steps that belong to the request before this entry; undefined if not all of them were counted. */
	steps: number | undefined;
	requests: boolean;
}

export function leftOutIn({ type, steps, requests }: Entry): LeftOut | undefined {
	if (type !== LEFT_OUT) return undefined;
	return { steps: typeof steps === "number" ? steps : undefined, requests: requests === true };
}

/** How many of the newest entries are kept: at most this number of entries, or entries with about this number of characters. */
const RECENT = { entries: 600, characters: 600_000 };
/** The same limits for a list. The newest message is enough, because a list shows only requests and how the last run ended. */
export const BRIEF = { entries: 1, characters: 0 };

/** How many of the newest requests determine a session's topic. */
export const TOPIC_REQUESTS = 6;
/** How many requests from before the newest entries are kept: the last ones of these requests, and the first ones of the branch. */
export const NEWEST_REQUESTS = 10;
export const FIRST_REQUESTS = 3;

/**
 * Walks the active branch from its leaf. Keeps the newest entries, within limits, and the requests before them, however far back those are,
 * so that no work is credited to the wrong request. Never calls `getBranch()`, which copies the whole branch twice. If the chain of parents
 * is broken (by a torn line or another tool's entry), the walk continues with the entry that precedes the orphaned entry in the file. That
 * entry is most likely the parent, because the host only appends.
 */
export function walkBranch(source: SessionSource): BranchSlice {
	let list: Entry[] | undefined;
	/** Returns the file's entries in order, which are copied from the host only when they are needed. */
	const log = () => {
		list ??= source.getEntries();
		return list;
	};
	const seen = new Set<string>();
	const window = new Window();
	let firstReply: Entry | undefined;
	let current = source.getLeafEntry() ?? tornLeaf(log());
	while (current && !window.isFull) {
		seen.add(current.id);
		window.add(current);
		if (hasRole(current, "assistant")) firstReply = current;
		const parentId: string | null | undefined = current.parentId;
		const isKnown = typeof parentId === "string" && !seen.has(parentId);
		const parent: Entry | undefined = isKnown ? source.getEntry(parentId) : undefined;
		const previous: Entry | undefined =
			parent ?? (parentId === null ? undefined : before(log(), current, seen));
		// Without a parent, the chain is broken, so replies may be missing.
		if (!parent && previous) firstReply = undefined;
		current = previous;
	}
	const newest = window.entries.toReversed();
	if (!current) return { entries: newest, firstReply };
	const earlier = earlierFrom(source, current, log);
	return { entries: [...askedBefore(earlier), ...newest], firstReply: earlier.firstReply };
}

export class Window {
	readonly entries: Entry[] = [];
	readonly #most: typeof RECENT;
	#characters = 0;
	#hasMessage = false;
	#hasAnswer = false;
	#isResult = false;

	constructor(most = RECENT) {
		this.#most = most;
	}

	get isFull(): boolean {
		// The user's words and commands are kept with the preceding answer, which names the model, and a result with its call.
		const isEnough = this.#hasAnswer || (this.#hasMessage && this.#holds(RECENT));
		return isEnough && !this.#isResult && this.#holds(this.#most);
	}

	#holds({ entries, characters }: typeof RECENT): boolean {
		return this.entries.length >= entries || this.#characters >= characters;
	}

	add(entry: Entry): void {
		this.entries.push(entry);
		const { role, content, output } = messageOf(entry) ?? {};
		const text = content === undefined && typeof output === "string" ? output : contentText(content);
		this.#characters += text.length + 200;
		this.#hasMessage ||= isMessageEntry(entry);
		this.#hasAnswer ||= hasRole(entry, "assistant");
		this.#isResult = role === "toolResult";
	}
}

/** A request from before the newest entries, and the number of left-out steps after it. */
export interface Asked {
	entry: Entry;
	steps: number;
}

/** The requests in part of a branch, newest first. */
interface Earlier {
	/** As many of the newest requests as are needed. */
	asked: readonly Asked[];
	first: readonly Asked[];
	count: number;
}

/** Keeps the newest requests, one of them in the user's own words, and the first. `isCounted`: whether those have counted steps. */
export function askedBefore({ asked, first, count }: Earlier, isCounted = true): Entry[] {
	const newest = asked.slice(0, enoughOf(asked));
	const opening = first.filter(({ entry }) => newest.every((one) => one.entry.id !== entry.id));
	const isWhole = newest.length + opening.length === count;
	return [...newest, ...opening].reverse().flatMap(({ entry, steps }, index) => {
		const requests = !isWhole && index === opening.length - 1;
		const left = { steps: isCounted || index >= opening.length ? steps : undefined, requests };
		return [entry, { type: LEFT_OUT, id: `${entry.id}:left`, parentId: entry.id, ...left }];
	});
}

function enoughOf(asked: readonly Asked[]): number {
	let requests = 0;
	const enough = asked.findIndex(({ entry }) => hasRole(entry, "user") && ++requests === NEWEST_REQUESTS);
	const found = asked.findIndex(({ entry }) => isAsked(entry));
	return enough < 0 || found < 0 ? asked.length : Math.max(enough, found) + 1;
}

/** Whether an entry contains the user's own words or images, rather than only a command or text that a program inserted. */
export function isAsked(entry: Entry): boolean {
	const message = readMessage(entry);
	if (message?.role !== "user") return false;
	const { text, expansion } = userWords(message.text);
	return message.images > 0 || expansion !== undefined || (text !== "" && !isSlashCommand(text));
}

function before(list: readonly Entry[], entry: Entry, seen: ReadonlySet<string>): Entry | undefined {
	const at = list.lastIndexOf(entry);
	return list.findLast(({ id }, index) => index < at && !seen.has(id));
}

/** Returns the last entry if it has no id, in which case the host has no leaf; nor has it one after a reset to before the root. */
function tornLeaf(list: readonly Entry[]): Entry | undefined {
	const last = list.at(-1);
	return last && typeof last.id !== "string" ? last : undefined;
}

interface EarlierPart extends Earlier {
	firstReply: Entry | undefined;
}

/** The requests that the previous walk found, for every branch that contains `anchor`, because entries are only appended. */
const known = new WeakMap<SessionSource, EarlierPart & { anchor: string }>();

/** Maximum number of parent links that are followed from the cut to find the anchor of the previous walk. */
const REACH = 400;

/** Returns the requests up to the entry `cut`, based on the previous walk if this branch still contains that walk's anchor. */
function earlierFrom(source: SessionSource, cut: Entry, log: () => Entry[]): EarlierPart {
	const last = known.get(source);
	const newer = new Passing();
	let entry: Entry | undefined = cut;
	for (let step = 0; last && entry && step < REACH && entry.id !== last.anchor; step++) {
		newer.pass(entry);
		entry = typeof entry.parentId === "string" ? source.getEntry(entry.parentId) : undefined;
	}
	const isKnown = last !== undefined && entry?.id === last.anchor;
	const earlier = isKnown ? { ...last, ...newer.after(last) } : earlierIn(log(), cut);
	known.set(source, { ...earlier, anchor: cut.id });
	return earlier;
}

/** Maximum number of breaks in the chain of parents, each of which takes another pass. */
export const MAX_BREAKS = 16;

/** Parents precede their children, so one backward pass that follows `parentId` finds the chain without a lookup for each entry. */
function earlierIn(list: readonly Entry[], from: Entry): EarlierPart {
	const passing = new Passing();
	let firstReply: Entry | undefined;
	let wanted: string | null | undefined = from.id;
	let breaks = 0;
	let at = list.length;
	for (let index = at - 1; typeof wanted === "string"; index--) {
		if (index < 0) {
			// No entry has this id. The walk continues with the preceding entry, as it does near the leaf.
			index = at - 1;
			if (index < 0 || ++breaks > MAX_BREAKS) break;
			wanted = list[index]?.id;
		}
		const entry = list[index];
		if (entry?.id !== wanted) continue;
		at = index;
		wanted = entry?.parentId;
		if (entry && hasRole(entry, "assistant")) firstReply = entry;
		if (entry) passing.pass(entry);
	}
	const isWhole = wanted === null && breaks === 0;
	return { ...passing.all, firstReply: isWhole ? firstReply : undefined };
}

const SUMMARIES = ["compaction", "branch_summary"];

/** Collects the requests among entries, which are passed newest first. */
export class Passing {
	readonly asked: Asked[] = [];
	#steps = 0;

	pass(entry: Entry): void {
		const role = roleOf(entry);
		if (role === "toolResult" || role === "bashExecution") this.#steps++;
		else if (role === undefined ? SUMMARIES.includes(entry.type) : role === "user") {
			this.asked.push({ entry, steps: this.#steps });
			this.#steps = 0;
		}
	}

	/** All requests, provided that the walk reached the beginning of the branch. */
	get all(): Earlier {
		return this.after({ asked: [], first: [], count: 0 });
	}

	/** Returns all requests on the branch, given those in its earlier part. */
	after({ asked: [newest, ...others], first, count }: Earlier): Earlier {
		const joined = newest ? [{ ...newest, steps: newest.steps + this.#steps }, ...others] : [];
		const asked = [...this.asked, ...joined];
		const users = count === joined.length ? asked.filter(({ entry }) => hasRole(entry, "user")) : first;
		return {
			asked: asked.slice(0, enoughOf(asked)),
			first: users.slice(-FIRST_REQUESTS),
			count: count + this.asked.length,
		};
	}
}

export function recentCustomEntries(slice: Pick<BranchSlice, "entries">, customType: string): Entry[] {
	const isWanted = (entry: Entry) => entry.type === "custom" && entry["customType"] === customType;
	return slice.entries.filter(isWanted).reverse();
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

/** Returns the id of the last message on the active branch. Names, labels and records do not continue the conversation. */
export function lastMessageId(source: Leaf): string | undefined {
	for (const entry of fromLeaf(source)) if (isMessageEntry(entry)) return entry.id;
	return undefined;
}

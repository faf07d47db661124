import {
	contentText,
	type Entry,
	hasRole,
	isMessageEntry,
	messageOf,
	readMessage,
	roleOf,
	type SessionSource,
} from "./entry.ts";
import { isSlashCommand, userWords } from "./user-words.ts";

export interface BranchSlice {
	/** The entries, oldest first. An entry of type `suite:left_out` represents omitted entries. */
	entries: Entry[];
	firstReply?: Entry | undefined;
}

const LEFT_OUT = "suite:left_out";

export interface LeftOut {
	/**
	 * The number of omitted tool results and shell commands, or undefined if some of them were not
	 * counted.
	 */
	steps: number | undefined;
	requests: boolean;
	commit?: string;
}

export function leftOutIn({ type, steps, requests, commit }: Entry): LeftOut | undefined {
	if (type !== LEFT_OUT) return undefined;
	const made = typeof commit === "string" && { commit };
	return { steps: typeof steps === "number" ? steps : undefined, requests: requests === true, ...made };
}

/**
 * The approximate limits for the newest part of a branch. This part is kept in full, but only the
 * user's requests are kept from the older part.
 */
const RECENT = { entries: 600, characters: 600_000 };
export const BRIEF = { entries: 1, characters: 0 };

/**
 * The maximum number of entries that are kept from a branch. The limit protects against damaged files,
 * which may contain thousands of tool results without a tool call.
 */
const MOST = 4 * RECENT.entries;

export const TOPIC_REQUESTS = 6;
/**
 * The first three and last ten requests of a branch are kept, even if the entries between those
 * requests are omitted.
 */
export const NEWEST_REQUESTS = 10;
export const FIRST_REQUESTS = 3;

/**
 * Walks a branch from the leaf to the root, and keeps the newest entries and earlier requests. pi's
 * `getBranch()` is not used, because it copies the whole branch twice.
 */
export function walkBranch(source: SessionSource): BranchSlice {
	let list: Entry[] | undefined;
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
		// A branch is read from its newest entry backward, usually until at least one reply has been read,
		// because only replies name the model.
		const isEnough = this.#hasAnswer || (this.#hasMessage && this.#holds(RECENT));
		return this.entries.length >= MOST || (isEnough && !this.#isResult && this.#holds(this.#most));
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

export interface Asked {
	entry: Entry;
	steps: number;
	commit?: unknown;
}

interface Earlier {
	asked: readonly Asked[];
	first: readonly Asked[];
	count: number;
}

/**
 * Keeps the first and the newest requests of a branch, including at least one in the user's own
 * words.
 */
export function askedBefore({ asked, first, count }: Earlier, isCounted = true): Entry[] {
	const newest = asked.slice(0, enoughOf(asked));
	const opening = first.filter(({ entry }) => newest.every((one) => one.entry.id !== entry.id));
	const isWhole = newest.length + opening.length === count;
	return [...newest, ...opening].reverse().flatMap(({ entry, steps, commit }, index) => {
		const requests = !isWhole && index === opening.length - 1;
		const left = { steps: isCounted || index >= opening.length ? steps : undefined, requests, commit };
		return [entry, { type: LEFT_OUT, id: `${entry.id}:left`, parentId: entry.id, ...left }];
	});
}

function enoughOf(asked: readonly Asked[]): number {
	let requests = 0;
	const enough = asked.findIndex(({ entry }) => hasRole(entry, "user") && ++requests === NEWEST_REQUESTS);
	const found = asked.findIndex(({ entry }) => isAsked(entry));
	return enough < 0 || found < 0 ? asked.length : Math.max(enough, found) + 1;
}

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

/**
 * If a session file's last entry has no id, pi reports no leaf, so the last entry is used as the
 * leaf.
 */
function tornLeaf(list: readonly Entry[]): Entry | undefined {
	const last = list.at(-1);
	return last && typeof last.id !== "string" ? last : undefined;
}

interface EarlierPart extends Earlier {
	firstReply: Entry | undefined;
}

/** pi only appends entries, so the part of a branch before the entry `anchor` never changes. */
const known = new WeakMap<SessionSource, EarlierPart & { anchor: string }>();

const MAX_LINKS_TO_ANCHOR = 400;

function earlierFrom(source: SessionSource, cut: Entry, log: () => Entry[]): EarlierPart {
	const last = known.get(source);
	const newer = new Passing();
	let entry: Entry | undefined = cut;
	for (let step = 0; last && entry && step < MAX_LINKS_TO_ANCHOR && entry.id !== last.anchor; step++) {
		newer.pass(entry);
		entry = typeof entry.parentId === "string" ? source.getEntry(entry.parentId) : undefined;
	}
	const isKnown = last !== undefined && entry?.id === last.anchor;
	const earlier = isKnown ? { ...last, ...newer.after(last) } : earlierIn(log(), cut);
	known.set(source, { ...earlier, anchor: cut.id });
	return earlier;
}

/** The maximum number of missing parents that are searched for. Each search reads older entries. */
export const MAX_BREAKS = 16;

function earlierIn(list: readonly Entry[], from: Entry): EarlierPart {
	const passing = new Passing();
	let firstReply: Entry | undefined;
	let wanted: string | null | undefined = from.id;
	let breaks = 0;
	let at = list.length;
	for (let index = at - 1; typeof wanted === "string"; index--) {
		if (index < 0) {
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

/**
 * Collects the requests of a branch and counts the tool results after each request. The entries must be
 * passed in order from newest to oldest.
 */
export class Passing {
	readonly asked: Asked[] = [];
	#steps = 0;
	#commit: unknown;

	pass(entry: Entry): void {
		const role = roleOf(entry);
		this.#commit ??= entry["commit"];
		if (role === "toolResult" || role === "bashExecution") this.#steps++;
		else if (role === undefined ? SUMMARIES.includes(entry.type) : role === "user") {
			this.asked.push({ entry, steps: this.#steps, commit: this.#commit });
			this.#steps = 0;
			this.#commit = undefined;
		}
	}

	get all(): Earlier {
		return this.after({ asked: [], first: [], count: 0 });
	}

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

/**
 * The maximum length of a branch. The limit is needed because parent ids in a damaged file may form a
 * cycle.
 */
const MAX_STEPS = 2_000;

type Leaf = Pick<SessionSource, "getLeafEntry" | "getEntry">;

export function* fromLeaf(source: Leaf): Generator<Entry> {
	let entry = source.getLeafEntry();
	for (let steps = 0; entry && steps < MAX_STEPS; steps++) {
		yield entry;
		entry = typeof entry.parentId === "string" ? source.getEntry(entry.parentId) : undefined;
	}
}

export function lastMessageId(source: Leaf): string | undefined {
	for (const entry of fromLeaf(source)) if (isMessageEntry(entry)) return entry.id;
	return undefined;
}

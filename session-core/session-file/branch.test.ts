import { describe, expect, it, vi } from "vitest";
import { walkBranch } from "./branch.ts";
import type { Entry, SessionSource } from "./entry.ts";

/** A source over entries in file order; the leaf is the last one unless another is named. */
function sourceOf(entries: Entry[], leafId = entries.at(-1)?.id) {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const getEntries = vi.fn(() => [...entries]);
	const source: SessionSource = {
		getLeafEntry: () => (leafId === undefined ? undefined : byId.get(leafId)),
		getEntry: (id) => byId.get(id),
		getEntries,
	};
	return { source, getEntries };
}

function message(id: string, parentId: string | null, text = id, role = "user"): Entry {
	return { type: "message", id, parentId, message: { role, content: text } };
}

function chain(count: number): Entry[] {
	return Array.from({ length: count }, (_, index) =>
		message(`m${index}`, index === 0 ? null : `m${index - 1}`),
	);
}

const ids = (entries: readonly Entry[]): string[] => entries.map((entry) => entry.id);

describe("walkBranch", () => {
	it("gives the active branch oldest first, and nothing of the abandoned one", () => {
		const entries = [message("a", null), message("left", "a"), message("b", "a"), message("c", "b")];
		const { source, getEntries } = sourceOf(entries);
		expect(walkBranch(source)).toEqual({
			entries: [entries[0], entries[2], entries[3]],
			opening: [],
			truncated: false,
		});
		expect(getEntries).not.toHaveBeenCalled();
	});

	it("stops at the bound of entries and still finds the branch's first user messages", () => {
		const entries = chain(640);
		const slice = walkBranch(sourceOf(entries).source);
		expect(slice.truncated).toBe(true);
		expect(ids(slice.entries)).toEqual(ids(entries.slice(40)));
		expect(ids(slice.opening)).toEqual(["m0", "m1", "m2"]);
	});

	it("stops at the bound of characters", () => {
		const entries = [
			message("old", null),
			message("big", "old", "x".repeat(5_000_000)),
			message("new", "big"),
		];
		const slice = walkBranch(sourceOf(entries).source);
		expect(ids(slice.entries)).toEqual(["big", "new"]);
		expect(slice.truncated).toBe(true);
	});

	it("copies the log once for the opening of a long branch, not at every walk", () => {
		const { source, getEntries } = sourceOf(chain(640));
		walkBranch(source);
		walkBranch(source);
		expect(getEntries).toHaveBeenCalledTimes(1);
	});

	it("goes on in file order where a parent is missing", () => {
		const entries = [
			message("a", null),
			message("b", "a"),
			message("orphan", "gone"),
			message("d", "orphan"),
		];
		const slice = walkBranch(sourceOf(entries).source);
		expect(ids(slice.entries)).toEqual(["a", "b", "orphan", "d"]);
	});

	it("survives parents in a circle", () => {
		const entries = [message("a", "b"), message("b", "a")];
		const slice = walkBranch(sourceOf(entries).source);
		expect(ids(slice.entries)).toEqual(["a", "b"]);
	});

	it("reads a log whose last entry lost its id, and the entries before it", () => {
		const torn = { type: "message", message: { role: "assistant", content: "late" } } as unknown as Entry;
		const entries = [message("a", null), message("b", "a"), torn];
		const slice = walkBranch(sourceOf(entries, undefined).source);
		expect(slice.entries).toEqual(entries);
	});

	it("is empty for an empty session, and for a leaf that was moved before the root", () => {
		expect(walkBranch(sourceOf([]).source).entries).toEqual([]);
		const moved = { ...sourceOf(chain(3)).source, getLeafEntry: () => undefined };
		expect(walkBranch(moved).entries).toEqual([]);
	});
});

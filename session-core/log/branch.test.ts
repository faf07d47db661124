import { describe, expect, it, vi } from "vitest";
import { isObject } from "../text/files/json.ts";
import { type BranchSlice, leftOutIn, walkBranch } from "./branch.ts";
import { type Entry, hasRole } from "./entry.ts";
import { sourceOf } from "./session.test-support.ts";

/** The source, whose copies of all entries are counted. */
function counted(entries: Entry[]) {
	const source = sourceOf(entries);
	const getEntries = vi.fn(source.getEntries);
	return { source: { ...source, getEntries }, getEntries };
}

function message(id: string, parentId: string | null, text = id, role = "user"): Entry {
	return { type: "message", id, parentId, message: { role, content: text } };
}

function chain(count: number): Entry[] {
	return Array.from({ length: count }, (_, index) =>
		message(`m${index}`, index === 0 ? null : `m${index - 1}`),
	);
}

function requestsOf({ entries }: BranchSlice): string[] {
	return ids(entries.filter((entry) => hasRole(entry, "user")));
}

const ids = (entries: readonly Entry[]): string[] => entries.map((entry) => entry.id);

describe("walkBranch", () => {
	it("returns the active branch, oldest first, and nothing from the abandoned one", () => {
		const entries = [message("a", null), message("left", "a"), message("b", "a"), message("c", "b")];
		const { source, getEntries } = counted(entries);
		expect(walkBranch(source)).toEqual({
			entries: [entries[0], entries[2], entries[3]],
			firstReply: undefined,
		});
		expect(getEntries).not.toHaveBeenCalled();
	});

	it("stops at the maximum number of entries, but still finds the first and the newest requests before them", () => {
		const entries = chain(640);
		const kept = requestsOf(walkBranch(sourceOf(entries)));
		const named = (numbers: number[]) => numbers.map((number) => `m${number}`);
		expect(kept.slice(0, 13)).toEqual(named([0, 1, 2, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]));
		expect(kept.slice(13)).toEqual(ids(entries.slice(40)));
	});

	it.each([299, 300, 2_000])(
		"finds the newest request before %i calls, and counts the steps that were left out",
		(calls) => {
			const entries = [message("a", null), message("b", "a"), message("c", "b"), message("d", "c")];
			const add = (role: string) =>
				entries.push(message(`m${entries.length}`, entries.at(-1)?.id ?? null, role, role));
			for (let call = 0; call < calls; call++) for (const role of ["assistant", "toolResult"]) add(role);
			const getEntries = vi.fn(() => [...entries]);
			const getEntry = (id: string) => entries.find((one) => one.id === id);
			const source = { getLeafEntry: () => entries.at(-1), getEntry, getEntries };
			for (const more of [0, 1, 2]) {
				if (more > 0) for (const role of ["assistant", "toolResult"]) add(role);
				const slice = walkBranch(source);
				expect(requestsOf(slice).slice(0, 4)).toEqual(["a", "b", "c", "d"]);
				const after = slice.entries.findLast((entry) => leftOutIn(entry));
				const left = after ? (leftOutIn(after)?.steps ?? 0) : 0;
				const steps = slice.entries.filter(
					({ message }) => isObject(message) && message["role"] === "toolResult",
				);
				expect(left + steps.length).toBe(calls + more);
			}
			expect(getEntries.mock.calls.length).toBeLessThan(2);
		},
	);

	it("goes back to a request in the user's own words, past commands", () => {
		const entries = [message("a", null, "Fix the leak in the cache of the parser")];
		for (let turn = 0; turn < 20; turn++) {
			entries.push(message(`c${turn}`, entries.at(-1)?.id ?? null, "/tests"));
			for (let call = 0; call < 100; call++)
				entries.push(message(`${turn}.${call}`, entries.at(-1)?.id ?? null, "x", "toolResult"));
		}
		expect(requestsOf(walkBranch(sourceOf(entries)))[0]).toBe("a");
	});

	const big = "x".repeat(5_000_000);
	it.each([
		[
			"stops at the maximum number of characters",
			[message("old", null), message("big", "old", big), message("new", "big")],
			"old old:left big new",
		],
		[
			"continues in file order if a parent is missing",
			[message("a", null), message("b", "a"), message("c", "gone"), message("d", "c")],
			"a b c d",
		],
		["survives a cycle of parents", [message("a", "b"), message("b", "a")], "a b"],
	])("%s", (_, entries, expected) =>
		expect(ids(walkBranch(sourceOf(entries)).entries).join(" ")).toBe(expected),
	);

	it("copies a long log only once, not for every walk", () => {
		const { source, getEntries } = counted(chain(640));
		walkBranch(source);
		walkBranch(source);
		expect(getEntries).toHaveBeenCalledTimes(1);
	});

	it("reads a log whose last entry has lost its id", () => {
		const torn = { type: "message", message: { role: "assistant", content: "late" } } as unknown as Entry;
		const entries = [message("a", null), message("b", "a"), torn];
		const slice = walkBranch({ ...sourceOf(entries), getLeafEntry: () => undefined });
		expect(slice.entries).toEqual(entries);
	});

	it("is empty for an empty session, and for a leaf that was moved before the root", () => {
		expect(walkBranch(sourceOf([])).entries).toEqual([]);
		const moved = { ...sourceOf(chain(3)), getLeafEntry: () => undefined };
		expect(walkBranch(moved).entries).toEqual([]);
	});
});

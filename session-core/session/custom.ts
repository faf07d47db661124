import type { BranchSlice } from "./branch.ts";
import type { Entry } from "./entry.ts";

/** The `custom` entries of one type in the slice, newest first. */
export function recentCustomEntries(slice: Pick<BranchSlice, "entries">, customType: string): Entry[] {
	const found: Entry[] = [];
	for (let index = slice.entries.length - 1; index >= 0; index--) {
		const entry = slice.entries[index];
		if (entry?.type === "custom" && entry["customType"] === customType) found.push(entry);
	}
	return found;
}

import { fileIdOf } from "../../session-core/catalog/match.ts";
import { safeText } from "../../session-core/text/safe.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";

/** Minimum length of a short id. From this length on, an id is accepted even if it is not hexadecimal. */
const SHORTEST = 8;

interface Called {
	id: string;
	path: string;
}

/**
 * Returns a function that shortens the ids of these sessions. A short id is as long as needed to match only one of them, and at least eight
 * characters. In the host's ids, the first characters encode the time: ids of seven weeks share four, and ids of a minute share eight.
 */
export function shortIds(rows: readonly Called[]): (row: Called) => string {
	const keys = rows.flatMap(keysOf).toSorted((one, other) => (one.key < other.key ? -1 : 1));
	const lengths = new Map<string, number>();
	for (const [index, { key, id }] of keys.entries()) {
		if (key !== id) continue;
		let needed = SHORTEST;
		for (const step of [-1, 1]) {
			let at = index + step;
			// Copies of a session have the same id, so no part of it tells them apart.
			while (keys[at]?.id === id) at += step;
			needed = Math.max(needed, sharedLength(key, keys[at]?.key ?? "") + 1);
		}
		lengths.set(id, needed);
	}
	return ({ id }) => {
		const shown = cleanLine(safeText(id));
		return shown === id ? id.slice(0, lengths.get(id.toLowerCase())) : shown;
	};
}

/** Returns all texts that the beginning of an id is compared with: the id in the header, and the one in the file's name. */
function keysOf({ id: cased, path }: Called): { key: string; id: string }[] {
	const id = cased.toLowerCase();
	const parts = fileIdOf(path).split("_");
	return [id, ...parts.map((_, index) => parts.slice(index).join("_"))].map((key) => ({ key, id }));
}

function sharedLength(one: string, other: string): number {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length++;
	return length;
}

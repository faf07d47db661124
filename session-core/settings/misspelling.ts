import { isObject, type JsonObject } from "../json.ts";
import { clipColumns } from "../text/clip.ts";
import { cleanLine } from "../text/sanitize.ts";

/** A file with more unknown names than this is somebody else's; looking at each would only cost time. */
const MAX_NAMES = 100;
const MAX_LENGTH = 60;

/**
 * A line for each unknown name that looks like one of `known` (dotted paths). Other unknown names are passed over in
 * silence: they may belong to a newer version.
 */
export function misspellings(root: JsonObject, known: readonly string[]): string[] {
	const groups = new Set(
		known.flatMap((path) => (path.includes(".") ? [path.slice(0, path.indexOf("."))] : [])),
	);
	const names = Object.entries(root).flatMap(([name, value]) =>
		groups.has(name) && isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
	);
	const all = [...groups, ...known];
	return names
		.filter((name) => !all.includes(name) && name.length <= MAX_LENGTH)
		.slice(0, MAX_NAMES)
		.flatMap((name) => {
			const meant = all.find((path) => isNear(name, path)) ?? all.find((path) => isMisplaced(name, path));
			return meant ? [`unknown key "${clipColumns(cleanLine(name), 40)}". Did you mean "${meant}"?`] : [];
		});
}

/** The same name but for a slip or two of the fingers, or another way to write compound words. */
function isNear(name: string, path: string): boolean {
	const [wanted, found] = [plain(path), plain(name)];
	const slips = wanted.length - wanted.lastIndexOf(".") > 6 ? 2 : 1;
	return groupOf(wanted) === groupOf(found) && isWithin(wanted, found, slips);
}

/** The right name in the wrong group. */
function isMisplaced(name: string, path: string): boolean {
	const leaf = plain(name).split(".").at(-1) ?? "";
	return leaf.length > 6 && leaf === plain(path).split(".").at(-1);
}

function plain(name: string): string {
	return name.toLowerCase().replace(/[_-]/g, "");
}

function groupOf(path: string): string {
	return path.slice(0, path.lastIndexOf(".") + 1);
}

/** Whether at most `limit` insertions, deletions, replacements (Levenshtein, 1966) lie between two short words. */
function isWithin(a: string, b: string, limit: number): boolean {
	if (Math.abs(a.length - b.length) > limit) return false;
	let row = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		row = next;
	}
	return (row.at(-1) ?? 0) <= limit;
}

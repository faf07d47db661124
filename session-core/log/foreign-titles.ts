import { isObject, type JsonObject, textOf } from "../text/files/index.ts";
import { parseLine } from "./entries.ts";
import { PLACE } from "./foreign-entries.ts";
import type { Format } from "./format.ts";
import { NEWLINE } from "./lines.ts";
import { addNewest, type ListedNames, newestRecords, readNameRecord } from "./names-in-file.ts";

/** The oldest versions of Claude Code wrote titles only at the beginning of a log. */
const SUMMARY = '{"type":"summary"';
const MAX_TITLE_BYTES = 16 * 1024;

/**
 * Returns the names and the folder that are recorded in a part of a session file. Secrets in the names
 * are redacted. The most recent recap is returned only if `readRecap` is given.
 */
export function recordsIn<Recap>(
	bytes: Buffer,
	{ titles, places }: Format,
	readRecap?: (entry: JsonObject) => Recap | undefined,
): ListedNames & { recap?: Recap } {
	if (titles.length === 0) return newestRecords(bytes, readRecap);
	const found: ListedNames = {};
	const isOld = bytes.subarray(0, SUMMARY.length).equals(Buffer.from(SUMMARY));
	for (const mark of [...titles, ...(isOld ? [SUMMARY] : [])]) {
		const [{ object } = {}] = newestWith(mark, bytes);
		const record = object && readNameRecord({ id: "", ...object });
		// The oldest versions of Claude Code also wrote the titles of other sessions into a session's file.
		const leaf = object?.["leafUuid"];
		const isOwn = leaf === undefined || bytes.includes(`"uuid":"${String(leaf)}"`);
		if (record?.kind === "name" || isOwn) addNewest(found, record);
	}
	const marked = places.flatMap((mark) => newestWith(mark, bytes, 2)).toSorted((one, two) => two.at - one.at);
	const stated = marked.flatMap(({ object }) => (object["customType"] === PLACE ? [object["data"]] : []));
	return { ...found, ...placeOf(stated.filter(isObject)) };
}

function placeOf(stated: readonly JsonObject[]): Pick<ListedNames, "cwd" | "continuedIn"> {
	const continuedIn = stated.map((one) => textOf(one["continuedIn"])).find(Boolean);
	const [newest, before] = stated.filter((one) => "cwd" in one);
	// A session that leaves a worktree continues in the folder from which it entered the worktree.
	const cwd = newest && (textOf(newest["cwd"]) || textOf(before?.["from"] ?? before?.["cwd"]));
	return { ...(cwd !== undefined && { cwd }), ...(continuedIn !== undefined && { continuedIn }) };
}

interface Marked {
	object: JsonObject;
	at: number;
}

function newestWith(mark: string, bytes: Buffer, count = 1): Marked[] {
	const found: Marked[] = [];
	// `includes` is called first, because it is many times faster than `lastIndexOf`.
	if (!bytes.includes(mark)) return found;
	for (let end = bytes.length, lines = 0; lines < count && end > 0; lines++) {
		const hit = bytes.lastIndexOf(mark, end - 1);
		if (hit < 0) break;
		const start = bytes.lastIndexOf(NEWLINE, hit) + 1;
		const newline = bytes.indexOf(NEWLINE, hit);
		const stop = newline < 0 ? bytes.length : newline;
		const { objects } = parseLine(stop - start > MAX_TITLE_BYTES ? "" : bytes.toString("utf8", start, stop));
		found.push(...objects.reverse().map((object) => ({ object, at: start })));
		end = start;
	}
	return found;
}

import { isObject, type JsonObject } from "../json.ts";
import type { Recap } from "../recap/record.ts";
import { parseLine } from "./line-objects.ts";
import { shownLine } from "./shown-line.ts";
import { readRecap } from "./stored-recap.ts";

/** Custom entry that says who chose a title: `{ title, source: "auto" | "manual" }`. */
export const TITLE_ENTRY = "session-suite:title";

/** The records that a session is listed by; of each, the newest in a part of a file. Absent where that part holds none. */
export interface OwnRecords {
	/** Empty if the name was cleared. */
	name?: string;
	title?: { text: string; auto: boolean };
	recap?: Recap;
}

/** Such records are short; a line above this is none. In bytes. */
export const MAX_RECORD = 64 * 1024;

/**
 * All marks begin like this, so one pass finds them all: a pass costs more than everything else that is done to a file.
 * Text that a session quotes has its quotation marks escaped and does not match.
 */
const MARK = 'ype":"session';
const KINDS: ReadonlyMap<string, keyof OwnRecords> = new Map([
	['_info"', "name"],
	['-suite:title"', "title"],
	['-suite:recap"', "recap"],
]);
const LONGEST = 13;

/** The newest record of each wanted kind in these bytes, looked for from the end. Lines cut at either end are not seen. */
export function newestRecords(bytes: Buffer, wanted: readonly (keyof OwnRecords)[]): OwnRecords {
	const missing = new Set(wanted);
	const found: OwnRecords = {};
	for (let end = bytes.length; end > 0 && missing.size > 0; ) {
		const hit = bytes.lastIndexOf(MARK, end - 1);
		if (hit < 0) break;
		end = hit;
		const kind = kindAt(bytes, hit + MARK.length);
		if (kind === undefined || !missing.has(kind)) continue;
		const start = bytes.lastIndexOf(0x0a, hit) + 1;
		const newline = bytes.indexOf(0x0a, hit);
		const stop = newline < 0 ? bytes.length : newline;
		if (stop - start <= MAX_RECORD) take(bytes.toString("utf8", start, stop), found);
		for (const one of wanted) if (found[one] !== undefined) missing.delete(one);
		end = start;
	}
	return found;
}

function kindAt(bytes: Buffer, at: number): keyof OwnRecords | undefined {
	const rest = bytes.toString("latin1", at, at + LONGEST);
	return KINDS.get(rest.slice(0, rest.indexOf('"') + 1));
}

/** Reads what a line holds, its last object first; what was found before is newer and stays. */
function take(line: string, found: OwnRecords): void {
	for (const object of parseLine(line).objects.reverse()) {
		const name = found.name ?? readName(object);
		const title = found.title ?? readTitle(object);
		const recap = found.recap ?? readRecap(object);
		Object.assign(found, name !== undefined && { name }, title && { title }, recap && { recap });
	}
}

function readName(object: JsonObject): string | undefined {
	if (object["type"] !== "session_info") return undefined;
	const name = object["name"];
	return typeof name === "string" ? shownLine(name) : "";
}

function readTitle(object: JsonObject): OwnRecords["title"] {
	const data = object["data"];
	if (object["customType"] !== TITLE_ENTRY || !isObject(data)) return undefined;
	const text = data["title"];
	return typeof text === "string" ? { text: shownLine(text), auto: data["source"] === "auto" } : undefined;
}

import {
	isObject,
	type JsonObject,
	type OpenFailure,
	type Pace,
	readRegular,
	textOf,
} from "../text/files/index.ts";
import { cleanLine, clipColumns, shownLine } from "../text/index.ts";
import { parseLine } from "./entries.ts";
import { TITLE_ENTRY } from "./entry.ts";
import { NEWLINE, piecesOf, wholeLinesBetween } from "./lines.ts";
import { readLogSlowly } from "./log-file.ts";

export type TitleSource = "auto" | "manual";

/** A title record stores whether a session name was chosen by the user or by an automatic feature. */
export interface TitleData {
	title: string;
	source: TitleSource;
	model?: string;
}

export type NameRecord =
	| { kind: "name"; id: string; text: string }
	| { kind: "title"; id: string; data: TitleData };

/** The maximum width of a name in columns. A longer name was probably pasted by mistake. */
const NAME_COLUMNS = 200;

/**
 * Converts a name that the user typed to the form in which it is stored. Returns an empty string if no
 * part of the name can be displayed.
 */
export function nameText(typed: string): string {
	return clipColumns(cleanLine(typed), NAME_COLUMNS);
}

export function readNameRecord(entry: Readonly<Record<string, unknown>>): NameRecord | undefined {
	const { type, id, name, customType, data } = entry;
	if (typeof id !== "string") return undefined;
	if (type === "session_info") return { kind: "name", id, text: textOf(name).trim() };
	if (type !== "custom" || customType !== TITLE_ENTRY || !isObject(data)) return undefined;
	const { title, source, model } = data;
	if (typeof title !== "string" || (source !== "auto" && source !== "manual")) return undefined;
	return { kind: "title", id, data: { title, source, ...(typeof model === "string" && { model }) } };
}

export function nameRecords(entries: readonly Readonly<Record<string, unknown>>[]): NameRecord[] {
	return entries.flatMap((entry) => readNameRecord(entry) ?? []);
}

export interface CurrentName {
	id: string;
	text: string;
	source: TitleSource;
	/**
	 * The model that generated the name, or undefined if the user chose the name or if the automatic name
	 * is the user's own prompt.
	 */
	model: string | undefined;
}

/**
 * A name is automatic only if the most recent title record has the same text and is marked as
 * automatic.
 */
export function currentName(records: readonly NameRecord[]): CurrentName | undefined {
	const name = records.findLast((record) => record.kind === "name");
	if (!name) return undefined;
	const title = records.findLast((record) => record.kind === "title")?.data;
	const source = sourceOf(name.text, title && { text: title.title, auto: title.source === "auto" });
	return { id: name.id, text: name.text, source, model: source === "auto" ? title?.model : undefined };
}

function sourceOf(name: string, title: ListedNames["title"]): TitleSource {
	return title?.auto && title.text === name ? "auto" : "manual";
}

export function previousName(records: readonly NameRecord[]): string {
	const names = records.filter((record) => record.kind === "name").map(({ text }) => text);
	return names.findLast((text) => text !== names.at(-1)) ?? "";
}

const MAX_RECORD_BYTES = 64 * 1024;
const MAX_SCAN_BYTES = 64 * 1024 * 1024;

/**
 * The name, title and folder of a session, read from a part of the session file. Secrets in the name and
 * the title are redacted.
 */
export interface ListedNames {
	name?: string;
	title?: { text: string; auto: boolean };
	cwd?: string;
	continuedIn?: string;
}

/**
 * A search for `_info"` or `-suite:` is ten times as fast as a search for `"session`, because these two
 * strings begin with a rare character. Records that are quoted in a message are not found, because
 * their quotation marks are escaped.
 */
const MARKS = ['_info"', "-suite:"];
const BEFORE = /(?<!\\)"session$/;
const KINDS = { name: '_info"', title: '-suite:title"', recap: '-suite:recap"' };
type Kind = keyof typeof KINDS;
const ALL_KINDS: readonly Kind[] = ["name", "title", "recap"];

function* markedObjects(bytes: Buffer, isWanted: (kind: Kind) => boolean): Generator<JsonObject> {
	const hits: number[] = [];
	for (const mark of MARKS)
		for (let hit = bytes.indexOf(mark); hit >= 0; hit = bytes.indexOf(mark, hit + 1)) hits.push(hit);
	let end = bytes.length;
	for (const hit of hits.sort((one, other) => other - one)) {
		if (hit >= end || !BEFORE.test(bytes.toString("latin1", Math.max(0, hit - 9), hit))) continue;
		const after = bytes.toString("latin1", hit, hit + 13);
		if (!ALL_KINDS.some((kind) => after.startsWith(KINDS[kind]) && isWanted(kind))) continue;
		const start = bytes.lastIndexOf(NEWLINE, hit) + 1;
		const newline = bytes.indexOf(NEWLINE, hit);
		end = newline < 0 ? bytes.length : newline;
		if (end - start <= MAX_RECORD_BYTES)
			yield* parseLine(bytes.toString("utf8", start, end)).objects.reverse();
		end = start;
	}
}

export function addNewest(found: ListedNames, record: NameRecord | undefined): void {
	if (record?.kind === "name") found.name ??= shownLine(record.text);
	if (record?.kind === "title")
		found.title ??= { text: shownLine(record.data.title), auto: record.data.source === "auto" };
}

export function newestRecords<Recap>(
	bytes: Buffer,
	readRecap?: (entry: JsonObject) => Recap | undefined,
): ListedNames & { recap?: Recap } {
	const found: ListedNames & { recap?: Recap } = {};
	const isMissing = (kind: Kind) =>
		found[kind] === undefined && (kind !== "recap" || readRecap !== undefined);
	for (const object of markedObjects(bytes, isMissing)) {
		const record = readNameRecord(object);
		addNewest(found, record);
		const recap = found.recap ?? readRecap?.(object);
		if (recap) found.recap = recap;
		if (!ALL_KINDS.some(isMissing)) break;
	}
	return found;
}

/**
 * Another process may add a name while the session file is being read, so the last 4 MB are searched
 * again.
 */
const TAIL = 4 * 1024 * 1024;

export function readNamesInFile(
	path: string,
): { ok: true; records: NameRecord[] } | { ok: false; reason: OpenFailure } {
	return readRegular(path, (file) => {
		const { size } = file.stamp;
		const { bytes } = wholeLinesBetween(file, size - TAIL, size);
		const objects = [...markedObjects(bytes, (kind) => kind !== "recap")];
		return { ok: true, records: nameRecords(objects.reverse()) };
	});
}

export interface NameFacts extends ListedNames {
	/**
	 * The offset of the part of the session file that has not been searched and may contain a newer name.
	 * Absent if nothing remains to be searched.
	 */
	gap?: number;
}

export function nameOf(
	{ name: given, title }: NameFacts,
	isTitled: boolean,
): { name: string | undefined; source: TitleSource | undefined } {
	const name = (given ?? (isTitled ? title?.text : undefined)) || undefined;
	return { name, source: name === undefined ? undefined : sourceOf(name, title) };
}

/**
 * Searches a session file for a newer name, beginning at the offset `gap`. If the file cannot be read,
 * returns `facts` unchanged, so that the next call tries again.
 */
export async function settleNames(
	path: string,
	facts: NameFacts,
	scratch: Buffer,
	pace: Pace,
	namesIn: (bytes: Buffer) => NameFacts = newestRecords,
): Promise<NameFacts> {
	const { gap, ...known } = facts;
	if (gap === undefined) return facts;
	const found = await readLogSlowly(path, async (file) => {
		let names: NameFacts = known;
		const from = Math.max(gap, file.stamp.size - MAX_SCAN_BYTES);
		for (const { bytes } of piecesOf(file, { from, scratch, longest: MAX_RECORD_BYTES })) {
			names = { ...names, ...namesIn(bytes) };
			if (pace.isDue) await pace.rest();
		}
		return { ok: true, names };
	});
	return found.ok ? found.names : facts;
}

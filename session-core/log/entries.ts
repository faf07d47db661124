import { randomUUID } from "node:crypto";
import {
	type FileStamp,
	isObject,
	type JsonObject,
	jsonObjectsIn,
	type NotOpened,
	parseObject,
	textOf,
} from "../text/files/index.ts";
import { type Entry, hasRole } from "./entry.ts";
import { ROLLBACK } from "./foreign-entries.ts";
import { asHostEntries } from "./foreign-lines.ts";
import { type Format, formatIn } from "./format.ts";
import { type Line, wholeLines } from "./lines.ts";

export interface SessionHeader {
	id: string;
	/**
	 * The version of the session file format. Version 1 did not store this field, so the default is 1.
	 */
	version: number;
	cwd: string;
	timestamp: string | undefined;
	parentSession: string | undefined;
	provider: string | undefined;
	modelId: string | undefined;
	format: Format;
	/**
	 * True if another session's agent started this session. pi's own session files do not store this fact.
	 */
	isChild: boolean;
	/** True if a program wrote the first prompt. Undefined if unknown, as in pi's own sessions. */
	isProgram: boolean | undefined;
	branch: string | undefined;
}

export interface ParsedEntries {
	headers: SessionHeader[];
	/**
	 * The entries in file order. A damaged line whose id and parent are readable becomes an entry of type
	 * `unreadable`.
	 */
	entries: Entry[];
	badLines: number;
	/** The number of earlier requests that the user discarded by going back to an earlier point. */
	rolledBack: number;
	begins: unknown;
}

export const UNREADABLE = "unreadable";

/** The placeholder id for a parent that was not read. Real entries never have this id. */
export const GAP = "@gap";

export class EntryCollector {
	readonly parsed: ParsedEntries = {
		headers: [],
		entries: [],
		badLines: 0,
		rolledBack: 0,
		begins: undefined,
	};
	#previous: string | null = null;
	#isAlone = false;
	#isCompacted = false;
	#recent = new Map<string, unknown>();
	readonly #old = new Map<string, unknown>();

	/**
	 * Parses one line of a session file without the preceding lines. If the entry has a `branchAt` field
	 * or the parent id `GAP`, the caller must find the entry's parent.
	 */
	readAlone(line: Line): ParsedEntries {
		this.#previous = GAP;
		this.#isAlone = true;
		this.add(line);
		return this.parsed;
	}

	add(line: Line): void {
		const text = line.bytes.toString("utf8");
		const { objects, damaged } = parseLine(text);
		if (damaged) {
			this.parsed.badLines++;
			const place = damagedPlace(text);
			if (place && place.id !== objects[0]?.["id"]) this.parsed.entries.push({ type: UNREADABLE, ...place });
		}
		objects.forEach((object, index) => {
			this.#addObject(object, syntheticId(line.offset, index));
		});
	}

	#addObject(object: JsonObject, fallbackId: string): void {
		const { type } = object;
		if (typeof type !== "string") this.parsed.badLines++;
		else if (type === "session") this.#addHeader(object);
		else if (type === ROLLBACK) this.#rollBack(Number(object["turns"]));
		else {
			const isInOrder = this.parsed.headers[0]?.format.isInOrder;
			const own = isInOrder ? this.#placed(object) : object;
			if (!own) return;
			const entry = toEntry(own, type, fallbackId, this.#previous);
			this.#previous = entry.id;
			if (isInOrder) this.#recent.set(entry.id, object["timestamp"]);
			this.parsed.entries.push(entry);
		}
	}

	/**
	 * Sets an entry's parent to the entry that the `branchAt` field names. The field is ignored if it
	 * names an entry before the last compaction, because the user cannot go back beyond a compaction.
	 * Returns undefined if the log line repeats an earlier line.
	 */
	#placed(object: JsonObject): JsonObject | undefined {
		const { branchAt, ...own } = object;
		const { id, timestamp, type } = object;
		const known = typeof id === "string" && [this.#recent, this.#old].find((ids) => ids.has(id));
		if (known) {
			if (known.get(id) === timestamp) return undefined;
			own["id"] = undefined;
		}
		if (type === "compaction") {
			for (const [old, at] of this.#recent) this.#old.set(old, at);
			this.#recent = new Map();
			this.#isCompacted = true;
		}
		if (branchAt === undefined) return own;
		const isKnown = branchAt === null ? !this.#isCompacted : this.#recent.has(String(branchAt));
		if (this.#isAlone && !this.#isCompacted && (branchAt === null || !isKnown))
			return { ...object, id: own["id"] };
		return isKnown ? { ...own, parentId: branchAt } : own;
	}

	#addHeader(object: JsonObject): void {
		const { parsed } = this;
		const [first] = parsed.headers;
		const header = readHeader(object);
		if (object["begins"] === true) {
			if (parsed.begins !== undefined && parsed.begins !== object["id"]) this.#previous = null;
			parsed.begins = object["id"];
		}
		if (first && header.format.isInOrder) {
			first.cwd ||= header.cwd;
			first.isProgram ??= header.isProgram;
		} else if (header.id === "") parsed.badLines++;
		else parsed.headers.push(header);
	}

	#rollBack(turns: number): void {
		let left = turns || 0;
		for (const entry of this.parsed.entries.toReversed()) {
			if (left <= 0) break;
			if (entry.id !== this.#previous) continue;
			if (hasRole(entry, "user")) left--;
			this.#previous = entry.parentId ?? null;
		}
		this.parsed.rolledBack += left;
	}
}

export async function readEntries(
	path: string,
	limit: { longest?: number } = {},
): Promise<{ ok: true; stamp: FileStamp; parsed: ParsedEntries } | NotOpened> {
	const collector = new EntryCollector();
	const read = await wholeLines(path, (line) => void collector.add(line), limit);
	return read.ok ? { ...read, parsed: collector.parsed } : read;
}

function readHeader(object: JsonObject): SessionHeader {
	const text = (name: string) => textOf(object[name]) || undefined;
	const { version, isProgram } = object;
	return {
		id: textOf(object["id"]),
		version: typeof version === "number" ? version : 1,
		cwd: textOf(object["cwd"]),
		timestamp: text("timestamp"),
		// In format version 1, the field for the parent session was called `branchedFrom`.
		parentSession: text("parentSession") ?? text("branchedFrom"),
		provider: text("provider"),
		modelId: text("modelId"),
		format: formatIn(object),
		isChild: object["isChild"] === true,
		isProgram: typeof isProgram === "boolean" ? isProgram : undefined,
		branch: text("branch"),
	};
}

function toEntry(object: JsonObject, type: string, fallbackId: string, previous: string | null): Entry {
	const { parentId: found, message } = object;
	const parentId = typeof found === "string" || found === null ? found : previous;
	const entry = { ...object, type, id: textOf(object["id"]) || fallbackId, parentId };
	// Before format version 3, the `custom` role was called `hookMessage`.
	if (!isObject(message) || message["role"] !== "hookMessage") return entry;
	return { ...entry, message: { ...message, role: "custom" } };
}

/**
 * pi's own ids never begin with `@`, so a generated id that begins with `@` cannot equal one of pi's
 * ids.
 */
export function syntheticId(offset: number, index: number): string {
	return index === 0 ? `@${offset.toString(36)}` : `@${offset.toString(36)}.${index}`;
}

/**
 * The types of pi's own entries. Entries of other types come from extensions or forks of pi, and always
 * have an id.
 */
const HOST_TYPES =
	/^(?:message|model_change|thinking_level_change|compaction|branch_summary|custom|custom_message|label|session_info)$/;

/**
 * The output of `pi --mode json` begins with the same header as a session file, but the other lines
 * have different types and no ids.
 */
export function isSessionLog({ headers, entries }: Pick<ParsedEntries, "headers" | "entries">): boolean {
	if (entries.length === 0) return headers.length > 0;
	return entries.some(({ type, id }) => HOST_TYPES.test(type) || !id.startsWith("@"));
}

export function newEntryId(): string {
	return randomUUID().slice(0, 8);
}

/**
 * Matches the beginning of an intact entry inside a damaged line, but not the beginning of a content
 * block, such as `{"type":"text"`.
 */
const ENTRY_START =
	/\{\s*"(?:parentUuid"|timestamp"\s*:\s*"[^"]{0,40}"\s*,\s*"(?:type|ordinal)"|type"\s*:\s*"(?!(?:text|thinking|image|toolCall)")[^"]*"\s*,\s*"(?:id|version|customType|parentId|timestamp|sessionId|uuid|\w+Title|agentName|summary)")/g;

export function parseLine(line: string): { objects: JsonObject[]; damaged: boolean } {
	const text = line.trim();
	if (text === "") return { objects: [], damaged: false };
	const whole = parseObject(text);
	return whole ? { objects: asHostEntries(whole), damaged: false } : recover(text);
}

/**
 * Reads the ids at the start of a damaged line, because these ids link the entries before and after
 * that line.
 */
function damagedPlace(line: string): { id: string; parentId: string | null } | undefined {
	const head = line.slice(0, 300);
	const [, id, parentId = null] =
		/^\s*\{"type":"\w+","id":"([\w-]{1,64})","parentId":(?:null|"([\w-]{1,64})")/.exec(head) ?? [];
	return id === undefined ? undefined : { id, parentId };
}

function recover(text: string): { objects: JsonObject[]; damaged: boolean } {
	const { objects, around } = jsonObjectsIn(text, (at) => {
		ENTRY_START.lastIndex = at;
		return ENTRY_START.exec(text)?.index ?? -1;
	});
	return { objects: objects.flatMap(asHostEntries), damaged: !/^[\s\0]*$/.test(around) };
}

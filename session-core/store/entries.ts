import { isObject, type JsonObject } from "../json.ts";
import type { Entry } from "../session/entry.ts";
import { damagedPlace, parseLine } from "./line-objects.ts";
import type { ChunkedLine } from "./lines.ts";

/** A session's first line, narrowed. Older hosts wrote the model here too. */
export interface SessionHeader {
	id: string;
	/** 1 where the file does not say. */
	version: number;
	cwd: string;
	timestamp: string | undefined;
	/** Path of the session that this one was forked from or started by. */
	parentSession: string | undefined;
	provider: string | undefined;
	modelId: string | undefined;
}

export interface ParsedEntries {
	/** In file order; the first is the session's, a later one was left by a reset or a merge. */
	headers: SessionHeader[];
	/** In file order. Damaged lines that still tell their place stand here as entries of type {@link UNREADABLE}. */
	entries: Entry[];
	/** Lines of which something could not be read. */
	badLines: number;
	/** Lines above the cap, passed over. */
	longLines: number;
}

/** Type of the stand-in for an entry whose content is lost and whose id and parent are not. */
export const UNREADABLE = "unreadable";

export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Parent of the first entry without a parent where the reading began in mid-file: names no entry. */
const GAP = "@gap";

/**
 * Reads entries from whatever a session file holds; never throws, loses no intact entry. Takes lines in file order; pieces of
 * one file may be added one after the other. Entries of version 1 have no ids: theirs are made of the line's offset, which an
 * appending writer never changes.
 */
export class EntryCollector {
	readonly parsed: ParsedEntries = { headers: [], entries: [], badLines: 0, longLines: 0 };
	#previous: string | null = null;

	/** The next line does not follow the last one, or begins in mid-file: something before it was not read. */
	skipGap(): void {
		this.#previous = GAP;
	}

	add(line: ChunkedLine): void {
		if ("tooLong" in line) {
			this.parsed.longLines++;
			return;
		}
		const text = line.bytes.toString("utf8");
		const { objects, damaged } = parseLine(text);
		if (damaged) this.#addDamaged(text, objects[0]);
		objects.forEach((object, index) => {
			this.#addObject(object, syntheticId(line.offset, index));
		});
	}

	#addDamaged(text: string, first: JsonObject | undefined): void {
		this.parsed.badLines++;
		const place = damagedPlace(text);
		if (place && place.id !== first?.["id"]) this.parsed.entries.push({ type: UNREADABLE, ...place });
	}

	#addObject(object: JsonObject, fallbackId: string): void {
		const type = object["type"];
		if (typeof type !== "string") {
			this.parsed.badLines++;
			return;
		}
		if (type === "session") {
			const header = readHeader(object);
			if (header) this.parsed.headers.push(header);
			else this.parsed.badLines++;
			return;
		}
		const entry = toEntry(object, type, fallbackId, this.#previous);
		this.#previous = entry.id;
		this.parsed.entries.push(entry);
	}
}

/** Reads a header. Undefined without a usable id. */
export function readHeader(object: JsonObject): SessionHeader | undefined {
	const id = object["id"];
	if (typeof id !== "string" || id === "") return undefined;
	const version = object["version"];
	return {
		id,
		version: typeof version === "number" ? version : 1,
		cwd: stringOr(object["cwd"]) ?? "",
		timestamp: stringOr(object["timestamp"]),
		// Version 1 called it `branchedFrom`.
		parentSession: stringOr(object["parentSession"]) ?? stringOr(object["branchedFrom"]),
		provider: stringOr(object["provider"]),
		modelId: stringOr(object["modelId"]),
	};
}

function toEntry(object: JsonObject, type: string, fallbackId: string, previous: string | null): Entry {
	const id = stringOr(object["id"]) ?? fallbackId;
	const found = object["parentId"];
	const parentId = typeof found === "string" || found === null ? found : previous;
	return withCurrentRole({ ...object, type, id, parentId });
}

/** Version 3 renamed the role `hookMessage`. */
function withCurrentRole(entry: Entry): Entry {
	const message = entry["message"];
	if (!isObject(message) || message["role"] !== "hookMessage") return entry;
	return { ...entry, message: { ...message, role: "custom" } };
}

/** `@` never begins an id of the host's, so a made-up one is known as such. */
export function syntheticId(offset: number, index: number): string {
	return index === 0 ? `@${offset.toString(36)}` : `@${offset.toString(36)}.${index}`;
}

function stringOr(value: unknown): string | undefined {
	return typeof value === "string" && value !== "" ? value : undefined;
}

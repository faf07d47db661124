import { isObject, type JsonObject } from "../json.ts";
import { isTaken } from "./host-shapes.ts";
import { linesOf } from "./lines.ts";

/**
 * What the host makes of a session file: a port of `loadEntriesFromFile` and of what `SessionManager.open` does with its
 * result (0.73.1 and 0.87.1). It says yes only to what every known host reads; a differential fuzz test holds it to that.
 */

/**
 * Why the host must not be given a file. `replaced`: it finds no header and puts an empty session in the file's place (newer
 * hosts end). `breaks`: it fails, or never ends, on what a line holds. `loses_lines`: the format is old and it would write
 * the file anew, without what it cannot read.
 */
export type HostRefusal = "replaced" | "breaks" | "loses_lines";

export type HostVerdict = { reads: true } | { reads: false; why: HostRefusal };

/** The host's current format; it rewrites files of older ones when it opens them. */
const CURRENT_VERSION = 3;
/** The first format whose entries have ids; files of older ones are made into one straight line. */
const TREE_VERSION = 2;

/** Takes a file's lines in order and says what the host would do with the file. */
export class HostLoader {
	#header: JsonObject | undefined;
	#refused: HostRefusal | undefined;
	/** The last line so far is one that only some hosts can read. */
	#endsDoubtful = false;
	/** A line was passed over. */
	#damaged = false;
	#isTree = false;
	#last: JsonObject | undefined;
	readonly #parents = new Map<unknown, unknown>();

	/** Nothing that follows can make the host read the file. */
	get isRefused(): boolean {
		return this.#refused !== undefined;
	}

	add(line: string): void {
		if (this.isRefused || line.trim() === "") return;
		const value = parsed(line);
		this.#endsDoubtful = value === undefined && parsed(line.trimEnd()) !== undefined;
		if (value !== undefined) this.#take(value);
		else if (!this.#header && !this.#damaged && isDoubtfulStart(line)) this.#refused = "replaced";
		else this.#damaged = true;
	}

	verdict(): HostVerdict {
		const why = this.#refused ?? this.#refusalAtEnd();
		return why === undefined ? { reads: true } : { reads: false, why };
	}

	#take(value: unknown): void {
		if (!this.#header) {
			if (isHeader(value)) this.#header = value;
			else this.#refused = "replaced";
			return;
		}
		if (!isTaken(value)) {
			this.#refused = "breaks";
			return;
		}
		if (value["type"] === "session") return;
		this.#last = value;
		// Messages only: a name may have been appended to a file of any age.
		this.#isTree ||= value["type"] === "message" && "parentId" in value;
		this.#parents.set(value["id"], value["parentId"]);
	}

	#refusalAtEnd(): HostRefusal | undefined {
		if (!this.#header) return "replaced";
		if (this.#endsDoubtful) return "breaks";
		const version = this.#header["version"] ?? 1;
		if (typeof version !== "number") return "breaks";
		if (version < CURRENT_VERSION && this.#damaged) return "loses_lines";
		// Made into one line, a tree would lose its branches: its header is damaged, it is not that old.
		if (version < TREE_VERSION) return this.#isTree ? "loses_lines" : undefined;
		return this.#last && !this.#leadsToRoot(this.#last) ? "breaks" : undefined;
	}

	/** The host walks from the last entry to the first without looking where it has been. */
	#leadsToRoot(leaf: JsonObject): boolean {
		if (typeof leaf["id"] !== "string" || leaf["id"] === "") return false;
		const seen = new Set<unknown>();
		for (let id: unknown = leaf["id"]; id && this.#parents.has(id); id = this.#parents.get(id)) {
			if (seen.has(id)) return false;
			seen.add(id);
		}
		return true;
	}
}

/** Whether the first line that is JSON is a header. The bytes may be the beginning of a longer file. */
export function beginsAsSession(bytes: Buffer): boolean {
	let isFirst = true;
	for (const line of linesOf(bytes)) {
		const text = line.bytes.toString("utf8");
		if (text.trim() === "") continue;
		const value = parsed(text);
		if (value !== undefined) return isHeader(value);
		if (isFirst && isDoubtfulStart(text)) return false;
		isFirst = false;
	}
	return false;
}

/** The folder has to be text, too: the older host passes on whatever stands there. */
function isHeader(value: unknown): value is JsonObject {
	if (!isObject(value) || value["type"] !== "session" || typeof value["id"] !== "string") return false;
	return value["cwd"] === undefined || typeof value["cwd"] === "string";
}

/**
 * Older hosts trim the file as a whole before they split it: at its two ends they read lines that newer ones pass over, as
 * behind a byte order mark. Where they would not agree, the file is not handed over.
 */
function isDoubtfulStart(line: string): boolean {
	return parsed(line.trimStart()) !== undefined;
}

function parsed(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		// The host passes over such lines.
		return undefined;
	}
}

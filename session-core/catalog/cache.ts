import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
	beginReplacing,
	discarded,
	type PendingFile,
	sweepFolder,
	type WriteOutcome,
} from "../atomic-file.ts";
import { isObject } from "../json.ts";
import type { Pace } from "../pace.ts";
import { type FileStamp, readRegular, readSpan } from "../regular-file.ts";
import type { SummaryRecord } from "./summary.ts";

/**
 * Increase this number whenever the fields of a summary change or its texts are sanitized, redacted or clipped differently, because
 * stored summaries are shown without further checks. `cache.test.ts` fails until the number is increased.
 */
export const CACHE_VERSION = 5;

const FORMAT = "session-suite index";
const TAB = 0x09;
const NEWLINE = 0x0a;
/** Maximum size of a cache file in bytes. A larger file was not written by this suite. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Maximum length of the header in bytes, which is enough for any folder's path. */
const MAX_HEADER_BYTES = 16 * 1024;
const WRITE_CHUNK = 128 * 1024;
/** What is known about a file: its summary, or why it is not listed. */
type Cached = SummaryRecord | { skipped: "empty" | "not_session" };

/** The state of a session file, and its record as JSON: either a new string or a range of the loaded bytes. */
interface CacheLine extends FileStamp {
	json: string | { from: number; to: number };
}

export function cacheFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "index");
}

/** Returns the path of the cache for one folder of sessions. */
export function cachePath(agentDir: string, folder: string): string {
	const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
	return join(cacheFolder(agentDir), `${hash}.index`);
}

/**
 * Summaries of the session files in one folder, keyed by name, size and mtime. The cache file contains a header line and then one line per
 * session file: `name TAB size TAB mtime TAB JSON`. JSON is parsed only when it is
 * needed, so thousands of lines load in milliseconds. Because this is only a cache, processes replace the file without a lock, and the last
 * writer wins. Lost or damaged records are recreated from the session files.
 */
export class FolderCache {
	readonly folder: string;
	readonly #path: string;
	readonly #header: string;
	readonly #bytes: Buffer;
	readonly #lines = new Map<string, CacheLine>();
	/** Whether the cache file must be written again. */
	#hasChanged = false;

	constructor(agentDir: string, folder: string) {
		this.folder = folder;
		this.#path = cachePath(agentDir, folder);
		this.#header = `${JSON.stringify({ format: FORMAT, version: CACHE_VERSION, folder })}\n`;
		const read = readRegular(this.#path, (file) => readSpan(file, 0, Math.min(file.stamp.size, MAX_BYTES)));
		const isOurs = Buffer.isBuffer(read) && read.indexOf(this.#header) === 0;
		this.#bytes = isOurs ? read : Buffer.alloc(0);
	}

	async load(pace: Pace): Promise<void> {
		for (let start = this.#header.length; start < this.#bytes.length; ) {
			const end = this.#bytes.indexOf(NEWLINE, start);
			// The last line is incomplete.
			if (end < 0) return;
			this.#loadLine(start, end);
			start = end + 1;
			if (pace.isDue) await pace.rest();
		}
	}

	/** Returns the files that were changed last when they were cached, newest first. */
	newest(count: number): { name: string; mtimeMs: number }[] {
		const times = [...this.#lines.values()].map(({ mtimeMs }) => mtimeMs).sort((one, other) => other - one);
		const oldest = times[count - 1] ?? Number.NEGATIVE_INFINITY;
		return [...this.#lines]
			.flatMap(([name, { mtimeMs }]) => (mtimeMs >= oldest ? [{ name, mtimeMs }] : []))
			.toSorted((one, other) => other.mtimeMs - one.mtimeMs)
			.slice(0, count);
	}

	/** Returns the cached record of a file if the file is still in the cached state, otherwise undefined. */
	current(name: string, stamp: FileStamp): Cached | undefined {
		const line = this.#lines.get(name);
		return line && isSame(line, stamp) ? this.#read(line) : undefined;
	}

	/** Returns the newest known record of a file, even if the file has changed since. */
	previous(name: string): SummaryRecord | undefined {
		const line = this.#lines.get(name);
		const known = line && this.#read(line);
		return known && "summary" in known ? known : undefined;
	}

	set(name: string, stamp: FileStamp, known: Cached): void {
		// A tab or newline in the name would break the format, so such a file is read every time.
		if (/[\t\n]/.test(name)) return;
		const json = JSON.stringify(known);
		const line = this.#lines.get(name);
		if (line && isSame(line, stamp) && this.#json(line) === json) return;
		this.#hasChanged = true;
		this.#lines.set(name, { ...stamp, json });
	}

	/** Removes the records of all files that are not in `names`. */
	keepOnly(names: Pick<ReadonlySet<string>, "has">): void {
		for (const name of this.#lines.keys()) {
			if (names.has(name)) continue;
			this.#lines.delete(name);
			this.#hasChanged = true;
		}
	}

	/** Stores the records, if any has changed. */
	async save(pace: Pace): Promise<WriteOutcome> {
		if (!this.#hasChanged) return { ok: true };
		let pending: PendingFile | undefined;
		try {
			pending = beginReplacing(this.#path);
			let piece = this.#header;
			for (const [name, line] of this.#lines) {
				piece += `${name}\t${line.size}\t${line.mtimeMs}\t${this.#json(line)}\n`;
				if (piece.length < WRITE_CHUNK) continue;
				pending.write(piece);
				piece = "";
				if (pace.isDue) await pace.rest();
			}
			pending.write(piece);
			pending.commit();
			return { ok: true };
		} catch (error) {
			return { ok: false, detail: discarded(pending, error) };
		}
	}

	#loadLine(start: number, end: number): void {
		const size = this.#bytes.indexOf(TAB, start) + 1;
		const mtime = this.#bytes.indexOf(TAB, size) + 1;
		const json = this.#bytes.indexOf(TAB, mtime) + 1;
		if (size === 0 || mtime === 0 || json === 0 || json > end) return;
		const name = this.#bytes.toString("utf8", start, size - 1);
		this.#lines.set(name, {
			size: Number(this.#bytes.toString("latin1", size, mtime - 1)),
			mtimeMs: Number(this.#bytes.toString("latin1", mtime, json - 1)),
			json: { from: json, to: end },
		});
	}

	#read(line: CacheLine): Cached | undefined {
		try {
			const known: unknown = JSON.parse(this.#json(line));
			return isCached(known) ? known : undefined;
		} catch {
			// The line is damaged, so the session file is read again.
			return undefined;
		}
	}

	#json({ json }: CacheLine): string {
		return typeof json === "string" ? json : this.#bytes.toString("utf8", json.from, json.to);
	}
}

/** Returns the size of a folder's index in bytes; undefined if there is none yet. */
export function indexBytes(agentDir: string, folder: string): number | undefined {
	return statSync(cachePath(agentDir, folder), { throwIfNoEntry: false })?.size;
}

/** Removes caches of other versions, caches of folders that no longer exist, and temporary files of dead processes. */
export function sweepCaches(agentDir: string): void {
	const root = cacheFolder(agentDir);
	sweepFolder(root);
	try {
		for (const name of readdirSync(root)) {
			const path = join(root, name);
			if (name.endsWith(".index") && isOutdated(path)) rmSync(path, { force: true });
		}
	} catch {
		// Either there is no cache yet, or a file cannot be removed. Both are harmless.
	}
}

function isOutdated(path: string): boolean {
	const head = readRegular(path, (file) => readSpan(file, 0, MAX_HEADER_BYTES));
	if (!Buffer.isBuffer(head)) return false;
	try {
		const header: unknown = JSON.parse(head.toString("utf8", 0, head.indexOf(NEWLINE)));
		if (!isObject(header) || header["format"] !== FORMAT) return false;
		const { folder, version } = header;
		return version !== CACHE_VERSION || typeof folder !== "string" || !existsSync(folder);
	} catch {
		// The file is not a cache or is damaged. The next listing of its folder replaces it.
		return false;
	}
}

/** Checks only some of the fields, because the version in the header guarantees that the others exist. */
function isCached(value: unknown): value is Cached {
	return isObject(value) && ("skipped" in value || (isObject(value["summary"]) && isObject(value["names"])));
}

function isSame(one: FileStamp, other: FileStamp): boolean {
	return one.size === other.size && one.mtimeMs === other.mtimeMs;
}

import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { formatNamed } from "../log/index.ts";
import {
	type FileStamp,
	isObject,
	type Pace,
	parseObject,
	partOf,
	replaceByLines,
	sweepFolder,
} from "../text/files/index.ts";
import type { SummaryRecord } from "./summary.ts";

/**
 * Increase this number whenever the fields of a summary change, its texts are sanitized, redacted or clipped differently, or another
 * request becomes the topic. Stored summaries are shown without further checks. `cache.test.ts` fails until the number is increased.
 */
export const CACHE_VERSION = 17;

const FORMAT = "session-suite index";
/** The maximum size of a cache file in bytes. The suite does not write larger files. */
const MAX_BYTES = 256 * 1024 * 1024;
/** A file's cached summary. `skipped` means that the file is empty or is not a session. */
type Cached = SummaryRecord | { skipped: true };

interface CacheLine extends FileStamp {
	json: string;
}

export function cacheFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "index");
}

export function cachePath(agentDir: string, folder: string): string {
	const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
	return join(cacheFolder(agentDir), `${hash}.index`);
}

/**
 * The cached summaries of the session files in one folder, keyed by name, size and mtime. The cache file consists of a header line and one
 * line per session file: `name TAB size TAB mtime TAB JSON`. The JSON is parsed only when it is needed, so thousands of lines load in
 * milliseconds. Processes replace the cache file without a lock, and the last writer wins. Lost or damaged lines are created again from the
 * session files.
 */
export class FolderCache {
	readonly folder: string;
	readonly #path: string;
	readonly #header: string;
	readonly #lines = new Map<string, CacheLine>();
	#hasChanged = false;

	constructor(agentDir: string, folder: string) {
		this.folder = folder;
		this.#path = cachePath(agentDir, folder);
		this.#header = JSON.stringify({ format: FORMAT, version: CACHE_VERSION, folder });
	}

	async load(pace: Pace): Promise<void> {
		const text = partOf(this.#path, 0, MAX_BYTES).toString("utf8");
		if (!text.startsWith(`${this.#header}\n`)) return;
		// The last line of the cache file is empty or incomplete, so it is not read.
		for (let start = this.#header.length + 1, end: number; ; start = end + 1) {
			end = text.indexOf("\n", start);
			if (end < 0) return;
			const atSize = text.indexOf("\t", start) + 1;
			const atTime = text.indexOf("\t", atSize) + 1;
			const atJson = text.indexOf("\t", atTime) + 1;
			const [size, mtimeMs] = [Number(text.slice(atSize, atTime)), Number(text.slice(atTime, atJson))];
			// A line that was cut off has fewer fields, and a damaged line is not valid JSON.
			if (start < atSize && atSize < atTime && atTime < atJson && atJson < end)
				this.#lines.set(text.slice(start, atSize - 1), { size, mtimeMs, json: text.slice(atJson, end) });
			if (pace.isDue) await pace.rest();
		}
	}

	/** Returns the names of the cached files that were modified last, newest first. */
	newest(count: number): { name: string; mtimeMs: number }[] {
		const times = [...this.#lines.values()].map(({ mtimeMs }) => mtimeMs).sort((one, other) => other - one);
		const oldest = times[count - 1] ?? Number.NEGATIVE_INFINITY;
		return [...this.#lines]
			.flatMap(([name, { mtimeMs }]) => (mtimeMs >= oldest ? [{ name, mtimeMs }] : []))
			.toSorted((one, other) => other.mtimeMs - one.mtimeMs)
			.slice(0, count);
	}

	current(name: string, stamp: FileStamp): Cached | undefined {
		const line = this.#lines.get(name);
		return line && isSame(line, stamp) ? readCached(line) : undefined;
	}

	previous(name: string): SummaryRecord | undefined {
		const line = this.#lines.get(name);
		const known = line && readCached(line);
		return known && "summary" in known ? known : undefined;
	}

	set(name: string, stamp: FileStamp, known: Cached): void {
		// A tab or newline in a file's name would break the format, so such a file is not cached.
		if (/[\t\n]/.test(name)) return;
		const json = JSON.stringify(known);
		const line = this.#lines.get(name);
		if (line && isSame(line, stamp) && line.json === json) return;
		this.#hasChanged = true;
		this.#lines.set(name, { ...stamp, json });
	}

	keepOnly(names: Pick<ReadonlySet<string>, "has">): void {
		for (const name of this.#lines.keys()) {
			if (names.has(name)) continue;
			this.#lines.delete(name);
			this.#hasChanged = true;
		}
	}

	/** Writes the cache file. If this fails, the only consequence is that the next listing takes longer. */
	async save(): Promise<void> {
		if (this.#hasChanged) await replaceByLines(this.#path, this.#content());
	}

	*#content(): Generator<string> {
		yield this.#header;
		for (const [name, { size, mtimeMs, json }] of this.#lines) yield `${name}\t${size}\t${mtimeMs}\t${json}`;
	}
}

/** Returns the size of a folder's index in bytes, or undefined if the folder has no index yet. */
export function indexBytes(agentDir: string, folder: string): number | undefined {
	return statSync(cachePath(agentDir, folder), { throwIfNoEntry: false })?.size;
}

/** Removes caches of other versions, caches of folders that no longer exist, and temporary files of processes that have ended. */
export function sweepCaches(agentDir: string): void {
	const root = cacheFolder(agentDir);
	sweepFolder(root);
	try {
		for (const name of readdirSync(root)) {
			const path = join(root, name);
			if (name.endsWith(".index") && isOutdated(path)) rmSync(path, { force: true });
		}
	} catch {
		// There is no cache yet, or a file cannot be removed, which does no harm.
	}
}

function isOutdated(path: string): boolean {
	// Reading a few kilobytes is enough, because the header contains only a folder's path.
	const [head = ""] = partOf(path, 0, 16 * 1024)
		.toString("utf8")
		.split("\n", 1);
	const { format, version, folder } = parseObject(head) ?? {};
	return (
		format === FORMAT && !(version === CACHE_VERSION && typeof folder === "string" && existsSync(folder))
	);
}

/** Returns undefined if the line is damaged. Only some fields are checked, because the cache version guarantees that the others exist. */
function readCached({ json }: CacheLine): Cached | undefined {
	const known = parseObject(json);
	const summary = known?.["summary"];
	if (isObject(summary)) summary["format"] = formatNamed(summary["format"]);
	const isCached = known && ("skipped" in known || (isObject(summary) && isObject(known["names"])));
	return isCached ? (known as unknown as Cached) : undefined;
}

function isSame(one: FileStamp, other: FileStamp): boolean {
	return one.size === other.size && one.mtimeMs === other.mtimeMs;
}

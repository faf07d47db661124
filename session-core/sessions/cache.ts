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
} from "../text/index.ts";
import type { SummaryRecord } from "./summary.ts";

/**
 * Increase this version whenever the format or wording of session summaries changes, so that outdated cached
 * summaries are discarded.
 */
export const CACHE_VERSION = 22;

const INDEX_FORMAT = "session-suite index";
/** The maximum size of a cache file in bytes. A larger file would not be read completely. */
const MAX_BYTES = 256 * 1024 * 1024;
/** The number of bytes of a cache file that are read to show the first rows of a list. */
const HEAD_BYTES = 128 * 1024;
type Cached = SummaryRecord | { skipped: true };

interface CacheLine extends FileStamp {
	json: string | Buffer;
}

export function cacheFolder(agentDir: string): string {
	return join(agentDir, "session-suite", "index");
}

export function cachePath(agentDir: string, folder: string): string {
	const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
	return join(cacheFolder(agentDir), `${hash}.index`);
}

/**
 * Caches the summaries of all session files in a folder. Each line of the cache file has the form
 * `name TAB size TAB mtime TAB JSON`, newest file first. The JSON is decoded only on demand, so
 * thousands of lines load within milliseconds. No lock is needed, because lost lines are simply created
 * again.
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
		this.#header = JSON.stringify({ format: INDEX_FORMAT, version: CACHE_VERSION, folder });
	}

	async load(pace: Pace): Promise<void> {
		for (const [name, line] of this.#read(MAX_BYTES)) {
			this.#lines.set(name, line);
			if (pace.isDue) await pace.rest();
		}
	}

	newest(count: number): { name: string; stamp: FileStamp; read(): Cached | undefined }[] {
		const lines = [...this.#read(HEAD_BYTES)].slice(0, count);
		return lines.map(([name, line]) => ({ name, stamp: line, read: () => readCached(line) }));
	}

	*#read(most: number): Generator<[name: string, CacheLine]> {
		const bytes = partOf(this.#path, 0, most);
		let start = bytes.indexOf("\n") + 1;
		if (bytes.toString("utf8", 0, start) !== `${this.#header}\n`) return;
		for (let end = 0; ; start = end + 1) {
			end = bytes.indexOf("\n", start);
			if (end < 0) return;
			const atSize = bytes.indexOf("\t", start) + 1;
			const atTime = bytes.indexOf("\t", atSize) + 1;
			const atJson = bytes.indexOf("\t", atTime) + 1;
			if (!(start < atSize && atSize < atTime && atTime < atJson && atJson < end)) continue;
			const [name = "", size, mtimeMs] = bytes.toString("utf8", start, atJson - 1).split("\t");
			yield [name, { size: Number(size), mtimeMs: Number(mtimeMs), json: bytes.subarray(atJson, end) }];
		}
	}

	current(name: string, stamp: FileStamp): Cached | undefined {
		const line = this.#lines.get(name);
		return line && isSameStamp(line, stamp) ? readCached(line) : undefined;
	}

	previous(name: string): SummaryRecord | undefined {
		const line = this.#lines.get(name);
		const known = line && readCached(line);
		return known && "summary" in known ? known : undefined;
	}

	set(name: string, stamp: FileStamp, known: Cached): void {
		// A tab or newline in the file name would break the format of the cache.
		if (/[\t\n]/.test(name)) return;
		const json = JSON.stringify(known);
		const line = this.#lines.get(name);
		if (line && isSameStamp(line, stamp) && String(line.json) === json) return;
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

	/**
	 * Errors in writing the cache are ignored, because a missing cache only makes the next listing slower.
	 */
	async save(): Promise<void> {
		if (this.#hasChanged) await replaceByLines(this.#path, this.#content());
	}

	*#content(): Generator<string> {
		yield this.#header;
		const newestFirst = [...this.#lines].sort(([, one], [, other]) => other.mtimeMs - one.mtimeMs);
		for (const [name, { size, mtimeMs, json }] of newestFirst) yield `${name}\t${size}\t${mtimeMs}\t${json}`;
	}
}

export function indexBytes(agentDir: string, folder: string): number | undefined {
	return statSync(cachePath(agentDir, folder), { throwIfNoEntry: false })?.size;
}

export function sweepCaches(agentDir: string): void {
	const root = cacheFolder(agentDir);
	sweepFolder(root);
	try {
		for (const name of readdirSync(root)) {
			const path = join(root, name);
			if (name.endsWith(".index") && isOutdated(path)) rmSync(path, { force: true });
		}
	} catch {
		// An outdated cache file that cannot be removed does no harm.
	}
}

function isOutdated(path: string): boolean {
	const [head = ""] = partOf(path, 0, 16 * 1024)
		.toString("utf8")
		.split("\n", 1);
	const { format, version, folder } = parseObject(head) ?? {};
	return (
		format === INDEX_FORMAT &&
		!(version === CACHE_VERSION && typeof folder === "string" && existsSync(folder))
	);
}

/**
 * Checks only a few fields of a cached summary, because a cache file from another version is ignored
 * anyway.
 */
function readCached({ json }: CacheLine): Cached | undefined {
	const known = parseObject(String(json));
	const summary = known?.["summary"];
	if (isObject(summary)) summary["format"] = formatNamed(summary["format"]);
	const isCached = known && ("skipped" in known || (isObject(summary) && isObject(known["names"])));
	return isCached ? (known as unknown as Cached) : undefined;
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
	return one.size === other.size && one.mtimeMs === other.mtimeMs;
}

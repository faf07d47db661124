/**
 * Codex stores a thread in one or several files, called rollouts: `rollout-<time>-<thread>.jsonl` and, after the thread was reverted,
 * `rollout-<time>-<thread>_<rollout>.jsonl`. A rollout that continues another one contains only its own records. The `history_base` in its
 * first line names the previous rollout and the point at which that rollout is cut: everything after the cut was reverted. Forks name their
 * base in the same way. Source: codex-rs/thread-store (rollout_lineage.rs) and codex-rs/rollout (rollout_file_name.rs) in public forks of
 * about rust-v0.153.4.
 */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as zlib from "node:zlib";
import {
	type FilePart,
	isObject,
	type JsonObject,
	parseObject,
	partOf,
	type RegularFile,
	readRegular,
	readSpan,
	smallFile,
	textOf,
} from "../text/files/index.ts";
import { shownLine } from "../text/index.ts";

const ROLLOUT =
	/^(rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([\da-zA-Z-]+?)(?:_([\da-zA-Z-]+))?)\.jsonl(\.zst)?$/;
const COMPRESSED = ".zst";

interface RolloutName {
	thread: string;
	rollout: string;
	/** Sorts a thread's files by creation time, and an uncompressed file after its compressed version, which it replaces. */
	order: string;
}

function rolloutName(name: string): RolloutName | undefined {
	// Most names belong to other agents' logs.
	if (!name.startsWith("rollout-")) return undefined;
	const [, stem = "", thread = "", rollout = thread, compressed] = ROLLOUT.exec(name) ?? [];
	return thread === "" ? undefined : { thread, rollout, order: stem + (compressed ? "" : "~") };
}

export function isRollout(path: string): boolean {
	return path.includes("rollout-") && rolloutName(basename(path)) !== undefined;
}

/** Maximum length of a chain of rollouts, as in Codex. */
const MOST = 128;

/** Returns the parts of a rollout if it consists of more than its own file; undefined otherwise. */
export function rolloutParts(path: string, file: RegularFile): FilePart[] | undefined {
	const own = bytesOf(path, file);
	const parts = partsUpTo(path, own, own.length, new Set([path]));
	return parts.length > 1 || path.endsWith(COMPRESSED) ? parts : undefined;
}

/**
 * Returns the first line, which identifies the session; the base up to the point at which it is cut; and the file's own records up to
 * `end`.
 */
function partsUpTo(path: string, own: FilePart, end: number, seen: Set<string>): FilePart[] {
	const first = firstLine(own);
	// The history that a child received from its parent is not the child's own work.
	const begin = first && childBegin(own, first);
	if (first && begin !== undefined) return [slice(own, 0, first.length), slice(own, begin, end)];
	const base = first && historyBase(first);
	const before = base && seen.size < MOST ? fileOf(base.rollout, path) : undefined;
	if (!first || !base || before === undefined || seen.has(before)) return [slice(own, 0, end)];
	seen.add(before);
	const read = readRegular(before, (opened) => bytesOf(before, opened, true));
	if ("ok" in read) return [slice(own, 0, end)];
	const past = partsUpTo(before, read, cutIn(read, base), seen);
	return [slice(own, 0, first.length), ...past, slice(own, first.length, end)];
}

/** `later`: whether the bytes are read after the file was closed, in which case it is opened again. */
function bytesOf(path: string, file: RegularFile, later = false): FilePart {
	const { size } = file.stamp;
	if (path.endsWith(COMPRESSED)) return partIn(decompressedLog(path, file));
	const read = later
		? (position: number, length: number) => partOf(path, position, length)
		: (position: number, length: number) => readSpan(file, position, length);
	return { length: size, read };
}

function partIn(bytes: Buffer): FilePart {
	return {
		length: bytes.length,
		read: (position, length) => bytes.subarray(position, position + length),
	};
}

function slice(part: FilePart, from: number, to: number): FilePart {
	return {
		length: Math.max(0, to - from),
		read: (position, length) => part.read(from + position, length),
	};
}

/** Maximum size in bytes of a compressed log after decompression, because all of it is in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/** The type definitions are for the oldest supported version of Node, which has no zstd. */
const platform: { constants: object; zstdDecompressSync?: Decompress } = zlib;

/** Whether this version of Node can read compressed logs: 22.15 or newer. */
export function canDecompress(): boolean {
	return platform.zstdDecompressSync !== undefined;
}

/** The most recently decompressed log, unless its memory has been reclaimed. A log that is shown or searched is read several times. */
let latest: { key: string; bytes: WeakRef<Buffer> } | undefined;

function decompressedLog(path: string, file: RegularFile): Buffer {
	const { size, mtimeMs } = file.stamp;
	const key = `${path}\n${size} ${mtimeMs}`;
	const known = latest?.key === key ? latest.bytes.deref() : undefined;
	const bytes = known ?? decompressed(readSpan(file, 0, size));
	latest = { key, bytes: new WeakRef(bytes) };
	return bytes;
}

function decompressed(bytes: Buffer): Buffer {
	const decompress = platform.zstdDecompressSync;
	if (!decompress) throw new Error("a compressed log, which needs Node 22.15 or newer");
	return decompress(bytes, { maxOutputLength: MAX_BYTES });
}

/** Number of bytes that are read at once to find the end of the first line, which can contain the agent's instructions. */
const HEAD = 32 * 1024;
const MAX_HEAD = 4 * 1024 * 1024;

function firstLine(part: FilePart): Buffer | undefined {
	for (let length = HEAD; length <= MAX_HEAD; length *= 4) {
		const bytes = part.read(0, Math.min(length, part.length));
		const newline = bytes.indexOf("\n");
		if (newline >= 0) return bytes.subarray(0, newline + 1);
		if (bytes.length >= part.length) return undefined;
	}
	return undefined;
}

/**
 * Whether a program started the thread. Values of `thread_source` that are not listed here name features with which a person started the
 * thread.
 */
export function isBackgroundThread({ source, thread_source }: JsonObject): boolean {
	if (/^(?:subagent|guardian|memory)/.test(textOf(thread_source))) return true;
	return isObject(source) && (source["subagent"] !== undefined || source["internal"] !== undefined);
}

/** Returns where a child's own records begin; undefined if the thread is not a child. */
function childBegin(part: FilePart, first: Buffer): number | undefined {
	if (!/"subagent|"internal"|"thread_source"/.test(first.toString("latin1"))) return undefined;
	const meta = metaIn(first);
	if (!isBackgroundThread(meta)) return undefined;
	const start = countIn(meta["subagent_history_start_ordinal"]);
	return start === undefined ? first.length : cutIn(part, { endByte: undefined, endOrdinal: start });
}

interface HistoryBase {
	rollout: string;
	/** The number of the first record that was reverted. */
	endOrdinal: number | undefined;
	endByte: number | undefined;
}

function historyBase(first: Buffer): HistoryBase | undefined {
	if (!first.includes('"history_base"')) return undefined;
	const base = metaIn(first)["history_base"];
	if (!isObject(base)) return undefined;
	const { thread_id, rollout_id, end_ordinal_exclusive, end_byte_offset } = base;
	return {
		rollout: textOf(rollout_id) || textOf(thread_id),
		endOrdinal: countIn(end_ordinal_exclusive),
		endByte: countIn(end_byte_offset),
	};
}

function metaIn(first: Buffer): JsonObject {
	const meta = parseObject(first.toString("utf8").trim())?.["payload"];
	return isObject(meta) ? meta : {};
}

function countIn(value: unknown): number | undefined {
	return typeof value === "number" && value > 0 && Number.isSafeInteger(value) ? value : undefined;
}

/** Returns where a rollout is cut. If the cut is inside a line, the line is left out. */
function cutIn(part: FilePart, { endByte, endOrdinal }: Omit<HistoryBase, "rollout">): number {
	if (endByte === undefined && endOrdinal === undefined) return part.length;
	if (endByte !== undefined) return part.read(0, Math.min(endByte, part.length)).lastIndexOf("\n") + 1;
	const bytes = part.read(0, part.length);
	const first = bytes.subarray(0, bytes.indexOf("\n") + 1);
	let ordinal = historyBase(first)?.endOrdinal ?? 0;
	for (let start = 0; start < bytes.length; ordinal++) {
		const newline = bytes.indexOf("\n", start);
		const end = newline < 0 ? bytes.length : newline + 1;
		const stated = /"ordinal":\s?(\d+)/.exec(
			bytes.toString("latin1", start, Math.min(end, start + 120)),
		)?.[1];
		if (stated !== undefined) ordinal = Number(stated);
		if (ordinal >= (endOrdinal ?? 0)) return start;
		start = end;
	}
	return bytes.length;
}

/** The rollouts below a folder: the newest file of each thread, and the file of each rollout. */
interface Rollouts {
	newest: Map<string, string>;
	files: Map<string, string>;
	readAt: number;
}

const known = new Map<string, Rollouts>();
/** If a file was not found by the last search, the folder is searched again after this many milliseconds. */
const OUTDATED_MS = 250;
const TREES = ["sessions", "archived_sessions"];

/** Returns the folder that contains `sessions/` and `archived_sessions/`. For a file outside both, returns the file's own folder. */
function homeOf(path: string): { home: string; trees: readonly string[] } {
	let folder = dirname(path);
	for (let level = 0; level < 5; level++, folder = dirname(folder))
		if (TREES.includes(basename(folder))) return { home: dirname(folder), trees: TREES };
	return { home: dirname(path), trees: ["."] };
}

/** Returns the path of the file in which Codex keeps the names of threads; undefined if the rollout was copied out of Codex's folders. */
export function nameIndex(path: string): string | undefined {
	const { home, trees } = homeOf(path);
	return trees === TREES ? join(home, "session_index.jsonl") : undefined;
}

/** Maximum size in bytes of an index of names. */
const MAX_INDEX = 16 * 1024 * 1024;

/** Returns the newest name of each thread, safe to show. Lines are only appended, so the last line about a thread has its newest name. */
export function readNames(index: string): ReadonlyMap<string, string> {
	const read = smallFile(index, MAX_INDEX);
	const entries = read.ok ? read.text.split("\n").map((line) => parseObject(line.trim()) ?? {}) : [];
	return new Map(
		entries.flatMap(({ id, thread_name }) => {
			const name = shownLine(textOf(thread_name));
			return typeof id === "string" && name !== "" ? [[id, name] as const] : [];
		}),
	);
}

function rolloutsNear(path: string, isEnough: (found: Rollouts) => boolean): Rollouts {
	const { home, trees } = homeOf(path);
	const before = known.get(home);
	const now = performance.now();
	if (before && (isEnough(before) || now - before.readAt < OUTDATED_MS)) return before;
	const found: Rollouts = { newest: new Map(), files: new Map(), readAt: now };
	const orders = new Map<string, string>();
	const keepNewer = (map: Map<string, string>, key: string, order: string, file: string) => {
		const of = `${map === found.newest ? "thread" : "rollout"} ${key}`;
		if ((orders.get(of) ?? "") >= order) return;
		orders.set(of, order);
		map.set(key, file);
	};
	for (const tree of trees) {
		const root = join(home, tree);
		for (const name of namesBelow(root, trees === TREES)) {
			const one = rolloutName(basename(name));
			if (!one) continue;
			keepNewer(found.newest, one.thread, one.order, join(root, name));
			keepNewer(found.files, one.rollout, one.order, join(root, name));
		}
	}
	known.set(home, found);
	return found;
}

function namesBelow(root: string, recursive: boolean): string[] {
	try {
		return readdirSync(root, { recursive, encoding: "utf8" });
	} catch {
		// The folder does not exist or cannot be read.
		return [];
	}
}

function fileOf(rollout: string, path: string): string | undefined {
	return rolloutsNear(path, ({ files }) => files.has(rollout)).files.get(rollout);
}

/** Returns the file with the thread's newest state, unless that is the given file. */
export function newerRollout(path: string): string | undefined {
	const own = rolloutName(basename(path));
	if (!own) return undefined;
	// A thread can be reverted, and files can be removed, at any time.
	known.delete(homeOf(path).home);
	const newest = rolloutsNear(path, () => true).newest.get(own.thread);
	const { order = "" } = (newest && rolloutName(basename(newest))) || {};
	return order > own.order ? newest : undefined;
}

/** Returns the files, except those whose thread has a newer file. */
export function withoutOlderRollouts<File extends { name: string }>(files: readonly File[]): readonly File[] {
	if (!files.some(({ name }) => name.startsWith("rollout-"))) return files;
	const newest = new Map<string, string>();
	const names = files.map(({ name }) => rolloutName(name));
	for (const one of names)
		if (one && one.order > (newest.get(one.thread) ?? "")) newest.set(one.thread, one.order);
	return files.filter((_, index) => {
		const one = names[index];
		return !one || newest.get(one.thread) === one.order;
	});
}

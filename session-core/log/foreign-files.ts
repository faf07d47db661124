/**
 * Codex stores a thread in one or more files, called rollouts: `rollout-<time>-<thread>.jsonl` and, after
 * the thread was reverted, `rollout-<time>-<thread>_<rollout>.jsonl`. A rollout that continues or forks
 * another rollout contains only its own records. The field `history_base` in its first line names the
 * other rollout and the point at which that rollout is cut off. Source: codex-rs/thread-store
 * (rollout_lineage.rs) and codex-rs/rollout (rollout_file_name.rs) in public forks of Codex
 * (about version rust-v0.153.4).
 */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as files from "../text/files/index.ts";
import {
	type FilePart,
	type JsonObject,
	parseObject,
	type RegularFile,
	type Steps,
	textOf,
} from "../text/files/index.ts";
import { shownLine } from "../text/index.ts";
import { fieldsIn } from "./foreign-entries.ts";
import { CODEX, type Format } from "./format.ts";
import { decompressed, isCompressed } from "./zstd.ts";

const ROLLOUT =
	/^(rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([\da-zA-Z-]+?)(?:_([\da-zA-Z-]+))?)\.jsonl(\.zst)?$/;

interface RolloutName {
	thread: string;
	rollout: string;
	order: string;
}

function rolloutName(name: string): RolloutName | undefined {
	if (!name.startsWith("rollout-")) return undefined;
	const [, stem = "", thread = "", rollout = thread, compressed] = ROLLOUT.exec(name) ?? [];
	return thread === "" ? undefined : { thread, rollout, order: stem + (compressed ? "" : "~") };
}

export function isRollout(path: string): boolean {
	return path.includes("rollout-") && rolloutName(basename(path)) !== undefined;
}

const MAX_CHAIN = 128;

/**
 * Returns the parts of a log, or undefined if the log is a single uncompressed file. Parts are
 * decompressed without blocking the event loop.
 */
export async function rolloutParts(path: string, file: RegularFile): Promise<FilePart[] | undefined> {
	const parts = partsOf(path, isCompressed(path) ? await decompressed(path, file) : wholeFile(file));
	let next = parts.next();
	while (!next.done) {
		const { value } = next;
		const read = await files.readSlowly(value, async (base) => ({
			ok: true,
			part: await decompressed(value, base),
		}));
		next = parts.next(read.ok ? read.part : undefined);
	}
	return next.value;
}

/**
 * Yields the paths of compressed logs. The caller must decompress each log and pass the data to
 * `next()`.
 */
type Parts<R> = Generator<string, R, FilePart | undefined>;

function* partsOf(path: string, own: FilePart): Parts<FilePart[] | undefined> {
	const parts = yield* partsUpTo(path, own, own.length, new Set([path]));
	return parts.length > 1 || isCompressed(path) ? parts : undefined;
}

function* partsUpTo(path: string, own: FilePart, end: number, seen: Set<string>): Parts<FilePart[]> {
	const first = firstLine(own);
	if (!first) return [slice(own, 0, end)];
	const { length } = first;
	const meta = metaIn(first);
	if (meta && isBackgroundThread(meta)) {
		const start = countIn(meta["subagent_history_start_ordinal"]);
		return [slice(own, 0, length), slice(own, start === undefined ? length : offsetOf(own, start), end)];
	}
	const base = meta && historyBase(meta);
	const before = base && seen.size < MAX_CHAIN ? fileOf(base.rollout, path) : undefined;
	if (!base || before === undefined || seen.has(before)) return [slice(own, 0, end)];
	const past = isCompressed(before) ? yield before : baseFile(before);
	if (!past) return [slice(own, 0, end)];
	seen.add(before);
	const older = yield* partsUpTo(before, past, cutIn(past, base), seen);
	return [slice(own, 0, length), ...older, slice(own, length, end)];
}

function wholeFile(file: RegularFile): FilePart {
	return { length: file.stamp.size, read: (position, length) => files.readSpan(file, position, length) };
}

/** The returned `FilePart` reopens the file for each read, because `readRegular` closes the file. */
function baseFile(path: string): FilePart | undefined {
	const read = files.readRegular(path, ({ stamp }) => ({ ok: true, length: stamp.size }));
	if (!read.ok) return undefined;
	return { length: read.length, read: (position, length) => files.partOf(path, position, length) };
}

function slice(part: FilePart, from: number, to: number): FilePart {
	return {
		length: Math.max(0, to - from),
		read: (position, length) => part.read(from + position, length),
	};
}

/**
 * The number of bytes to read first from a log. The first line may be longer, because it can contain
 * the agent's instructions.
 */
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

function metaIn(first: Buffer): JsonObject | undefined {
	if (!/"subagent|"internal"|"thread_source"|"history_base"/.test(first.toString("latin1"))) return undefined;
	return fieldsIn(parseObject(first.toString("utf8").trim())?.["payload"]);
}

export function isBackgroundThread({ source, thread_source }: JsonObject): boolean {
	const { subagent, internal } = fieldsIn(source);
	return /^(?:subagent|guardian|memory)/.test(textOf(thread_source)) || (subagent ?? internal) !== undefined;
}

interface HistoryBase {
	rollout: string;
	endOrdinal: number | undefined;
	endByte: number | undefined;
}

function historyBase({ history_base }: JsonObject): HistoryBase | undefined {
	const { thread_id, rollout_id, end_ordinal_exclusive, end_byte_offset } = fieldsIn(history_base);
	const rollout = textOf(rollout_id) || textOf(thread_id);
	const cut = { endOrdinal: countIn(end_ordinal_exclusive), endByte: countIn(end_byte_offset) };
	return rollout === "" ? undefined : { rollout, ...cut };
}

function countIn(value: unknown): number | undefined {
	return typeof value === "number" && value > 0 && Number.isSafeInteger(value) ? value : undefined;
}

function cutIn(part: FilePart, { endByte, endOrdinal }: HistoryBase): number {
	if (endByte !== undefined) return part.read(0, Math.min(endByte, part.length)).lastIndexOf("\n") + 1;
	return endOrdinal === undefined ? part.length : offsetOf(part, endOrdinal);
}

/**
 * If a record in a Codex log has no `ordinal`, its number is the preceding record's number plus one.
 */
function offsetOf(part: FilePart, wanted: number): number {
	const bytes = part.read(0, part.length);
	const first = metaIn(bytes.subarray(0, bytes.indexOf("\n") + 1));
	let ordinal = (first && historyBase(first)?.endOrdinal) ?? 0;
	for (let start = 0; start < bytes.length; ordinal++) {
		const newline = bytes.indexOf("\n", start);
		const end = newline < 0 ? bytes.length : newline + 1;
		const head = bytes.toString("latin1", start, Math.min(end, start + 120));
		ordinal = Number(/"ordinal":\s?(\d+)/.exec(head)?.[1] ?? ordinal);
		if (ordinal >= wanted) return start;
		start = end;
	}
	return bytes.length;
}

const rolloutsByHome = new Map<string, { paths: ReadonlyMap<string, string>; readAt: number }>();
/** The minimum time in milliseconds between two searches for Codex logs in the same folder. */
const OUTDATED_MS = 250;
const TREES = ["sessions", "archived_sessions"];

function homeOf(path: string): string | undefined {
	let folder = dirname(path);
	for (let level = 0; level < 5; level++, folder = dirname(folder))
		if (TREES.includes(basename(folder))) return dirname(folder);
	return undefined;
}

function* rolloutsNear(path: string): Generator<RolloutName & { path: string }> {
	const home = homeOf(path);
	for (const root of home === undefined ? [dirname(path)] : TREES.map((tree) => join(home, tree)))
		for (const name of namesBelow(root, home !== undefined)) {
			const one = rolloutName(basename(name));
			if (one) yield { ...one, path: join(root, name) };
		}
}

function namesBelow(root: string, recursive: boolean): string[] {
	try {
		return readdirSync(root, { recursive, encoding: "utf8" });
	} catch {
		return [];
	}
}

function fileOf(rollout: string, near: string): string | undefined {
	const home = homeOf(near) ?? dirname(near);
	const before = rolloutsByHome.get(home);
	const now = performance.now();
	if (before && (before.paths.has(rollout) || now - before.readAt < OUTDATED_MS))
		return before.paths.get(rollout);
	const found = [...rolloutsNear(near)].sort((one, other) => (one.order < other.order ? -1 : 1));
	const paths = new Map(found.map((one) => [one.rollout, one.path]));
	rolloutsByHome.set(home, { paths, readAt: now });
	return paths.get(rollout);
}

export function newerLog(path: string): string | undefined {
	const own = rolloutName(basename(path));
	if (!own) return undefined;
	rolloutsByHome.delete(homeOf(path) ?? dirname(path));
	let newest = { ...own, path };
	for (const one of rolloutsNear(path))
		if (one.thread === own.thread && one.order > newest.order) newest = one;
	return newest.order > own.order ? newest.path : undefined;
}

/** A newer log file of a Codex thread replaces an older log file of the same thread. */
export function currentLogs<File extends { name: string }>(logs: readonly File[]): readonly File[] {
	const newest = new Map<string, string>();
	const names = logs.map(({ name }) => rolloutName(name));
	for (const one of names)
		if (one && one.order > (newest.get(one.thread) ?? "")) newest.set(one.thread, one.order);
	if (newest.size === 0) return logs;
	return logs.filter((_, index) => {
		const one = names[index];
		return !one || newest.get(one.thread) === one.order;
	});
}

interface Named {
	path: string;
	id: string;
	format: Format;
	name: string | undefined;
	nameSource: "auto" | "manual" | undefined;
}

/**
 * Codex stores session names only in an index. The index is read only to find the name of an unnamed
 * session.
 */
export function outsideNames(): <Row extends Named>(row: Row) => Steps<Row> {
	const indexes = new Map<string, ReadonlyMap<string, string>>();
	return function* (row) {
		const home = row.format === CODEX && row.name === undefined ? homeOf(row.path) : undefined;
		if (home === undefined) return row;
		const names = indexes.get(home) ?? (yield* readNames(join(home, "session_index.jsonl")));
		indexes.set(home, names);
		const name = shownLine(names.get(row.id) ?? "");
		return name === "" ? row : { ...row, name, nameSource: "manual" };
	};
}

const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const LINES_A_STEP = 100;

/** Codex only appends lines to the index, so the last line for a thread contains its current name. */
function* readNames(index: string): Steps<ReadonlyMap<string, string>> {
	const names = new Map<string, string>();
	const bytes = files.partOf(index, 0, MAX_INDEX_BYTES);
	for (let start = 0, count = 0; start < bytes.length; count++) {
		if (count % LINES_A_STEP === 0) yield;
		const newline = bytes.indexOf("\n", start);
		const end = newline < 0 ? bytes.length : newline;
		const { id, thread_name } = parseObject(bytes.toString("utf8", start, end)) ?? {};
		const name = textOf(thread_name);
		if (typeof id === "string" && name) names.set(id, name);
		start = end + 1;
	}
	return names;
}

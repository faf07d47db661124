import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentId } from "../agents/agents.ts";
import { agentFolders, type Env, wantedAgents } from "../agents/places.ts";
import { titlesIn } from "../agents/titles.ts";
import type { WriteOutcome } from "../atomic-file.ts";
import { type RunOptions, runSteps, type Steps } from "../pace.ts";
import { errorCode, type FileStamp } from "../regular-file.ts";
import { settleNames } from "../session-file/names-in-file.ts";
import type { SessionFileFailure } from "../session-file/session-file.ts";
import type { WorkReader } from "../session-view/work.ts";
import { shownLine } from "../text/shown-line.ts";
import { FolderCache, sweepCaches } from "./cache.ts";
import {
	pathIn,
	projectFolder,
	projectFolders,
	sessionNames,
	sessionsRoot,
	type UnreadFolder,
} from "./folders.ts";
import { matchSessions } from "./match.ts";
import {
	type SessionSummary,
	type SummaryRecord,
	summarize,
	summaryScratch,
	wantsWork,
	withNames,
} from "./summary.ts";

export interface ScanOptions extends RunOptions {
	/** The agent folder. Its `sessions` subfolder is listed, and its `session-suite` subfolder contains the cache. */
	agentDir: string;
	/** The folders to list: those of one project, or a session directory that the user chose. Default: the folders of all projects. */
	folders?: string[] | undefined;
	/**
	 * The other agents whose sessions are listed as well: all of them or, with `folders`, those of the same projects. Default: as the user
	 * has set.
	 */
	agents?: readonly AgentId[] | undefined;
	/** The environment variables that say where the agents keep their logs. Default: those of this process. */
	env?: Env | undefined;
	/** If true, nothing is written: the cache is not updated, and no old files are removed. Default: false. */
	readOnly?: boolean | undefined;
	/**
	 * Called after the listing. Returns the function that determines the topics of sessions without a name or a recap. Default: topics
	 * are not determined.
	 */
	workReader?: (() => WorkReader | undefined) | undefined;
	/** Maximum number of sessions whose topics are determined, starting with the newest. Default: 400, because each topic takes a moment. */
	mostWork?: number | undefined;
}

export interface ScanReport {
	/** Files named like sessions. */
	files: number;
	sessions: number;
	/** The number of sessions whose file had to be read. */
	read: number;
	/** The number of files that are not listed, for each reason. */
	left: Partial<Record<SessionFileFailure, number>>;
	/** The folders that exist but cannot be read. */
	unread: UnreadFolder[];
	/** Whether the cache could be written. If not, the next listing takes longer. */
	index: WriteOutcome;
}

/**
 * A batch of rows, or the final report of the listing. `newest`: the rows that are probably at the top, sent before anything else is read.
 * `listed`: all other rows, newest first. `named`: rows whose name was found deep in the file. `work`: rows whose topic was determined. A
 * row replaces an earlier row with the same path.
 */
export type ScanBatch =
	| { stage: "newest" | "listed" | "named" | "work"; rows: SessionSummary[] }
	| { stage: "done"; report: ScanReport };

/** A screenful. */
const FIRST_ROWS = 32;
const BATCH_ROWS = 256;
const MOST_WORK = 400;
/** Number of files whose state is read between two yields. */
const STRIDE = 16;

/**
 * Lists sessions in time slices. Aborting the signal ends the listing without an error; everything that has been read remains in the cache.
 */
export function scanSessions(options: ScanOptions): AsyncGenerator<ScanBatch, void, void> {
	return runSteps(scanSteps(options), options);
}

function* scanSteps(options: ScanOptions): Steps<ScanBatch> {
	const { agentDir, folders, readOnly, workReader, mostWork = MOST_WORK } = options;
	const { agents = wantedAgents(agentDir), env = process.env } = options;
	const report: ScanReport = { files: 0, sessions: 0, read: 0, left: {}, unread: [], index: { ok: true } };
	const unread = (folder: UnreadFolder) => void report.unread.push(folder);
	const opened: Folder[] = [];
	try {
		for (const folder of folders ?? (yield* projectFolders(sessionsRoot(agentDir), unread))) {
			opened.push(yield* openFolder(agentDir, folder, unread));
			yield;
		}
		for (const { agent, folder } of yield* agentFolders(agents, env, unread)) {
			opened.push({ ...(yield* openFolder(agentDir, folder, unread)), agent });
			yield;
		}
		const listing = new Listing(report, workReader !== undefined, inProjects(agentDir, folders));
		// Cached rows can be shown at once, without waiting for the modules that are needed only to read files.
		const isCached = opened.every(({ cache, names }) => names.length === 0 || !cache.isNew);
		if (!isCached) yield* warmUp();
		const newest = yield* likelyNewest(opened);
		yield* listing.list(newest, "newest");
		if (isCached) yield* warmUp();
		yield* listing.list(others(opened, newest), "listed");
		yield* listing.named();
		const read = workReader?.();
		if (read) yield* listing.work(read, mostWork);
	} finally {
		if (!readOnly) {
			for (const { cache } of opened) {
				const outcome = yield* cache.save();
				if (!outcome.ok) report.index = outcome;
			}
		}
	}
	if (!folders && !readOnly) yield* sweepCaches(agentDir);
	yield { stage: "done", report };
}

/** The first call to the sanitizer is slow, so it is made in a separate step. */
function* warmUp(): Steps<never> {
	shownLine("warm up");
	yield;
}

/** The state of one session folder during a listing. */
interface Folder {
	path: string;
	names: string[];
	cache: FolderCache;
	/** The agent that keeps its logs in this folder; absent for the host. */
	agent?: AgentId;
}

/**
 * Returns a function that says whether a session with this working directory belongs to the listed folders. Other agents have folders of
 * their own, so their sessions are told by the folder in which the host would keep them.
 */
function inProjects(agentDir: string, folders: string[] | undefined): (cwd: string) => boolean {
	const root = sessionsRoot(agentDir);
	// A folder elsewhere was chosen by the user and contains the sessions of all projects.
	if (!folders?.length || folders.some((folder) => dirname(folder) !== root)) return () => true;
	return (cwd) => folders.includes(projectFolder(root, cwd));
}

/** A file that may be a session. */
interface Place {
	folder: Folder;
	name: string;
}

interface FoundFile extends Place {
	stamp: FileStamp;
}

/** Lists the names in a folder and loads the folder's cache, discarding the records of files that no longer exist. */
function* openFolder(
	agentDir: string,
	path: string,
	unread: (folder: UnreadFolder) => void,
): Steps<never, Folder> {
	let isRead = true;
	const names = yield* sessionNames(path, (why) => {
		isRead = false;
		unread(why);
	});
	const cache = new FolderCache(agentDir, path);
	yield* cache.load();
	// If the folder cannot be read, none of its files is assumed to be deleted.
	if (isRead) cache.keepOnly(new Set(names));
	return { path, names, cache };
}

/**
 * Returns the files that were probably changed most recently, without reading them. Files are ordered by the cached modification time or,
 * if there is none, by the time in the file name. A wrong guess only changes the order in which rows arrive.
 */
function* likelyNewest(folders: Folder[]): Steps<never, Place[]> {
	let newest: (Place & { time: number })[] = [];
	let looked = 0;
	for (const folder of folders) {
		for (const name of folder.names) {
			newest.push({ folder, name, time: folder.cache.changedAt(name) ?? timeInName(name) });
			if (++looked % 512 > 0) continue;
			newest = latestFirst(newest, ({ time }) => time).slice(0, FIRST_ROWS);
			yield;
		}
	}
	return latestFirst(newest, ({ time }) => time).slice(0, FIRST_ROWS);
}

/** The host's file names begin with the time of creation: `2026-01-31T12-00-00-000Z_<id>.jsonl`. */
function timeInName(name: string): number {
	const [, hour, minute, second] = /^(?:rollout-)?(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)/.exec(name) ?? [];
	const time = Date.parse(`${hour}:${minute}:${second}Z`);
	return Number.isNaN(time) ? 0 : time;
}

function* others(folders: Folder[], listed: readonly Place[]): Generator<Place> {
	for (const folder of folders) {
		const early = new Set(listed.filter((place) => place.folder === folder).map(({ name }) => name));
		for (const name of folder.names) if (!early.has(name)) yield { folder, name };
	}
}

function latestFirst<T>(files: T[], timeOf: (file: T) => number): T[] {
	return files.sort((one, other) => timeOf(other) - timeOf(one));
}

/**
 * Returns a file with its state, or the reason why it cannot be listed, for example if a symlink, a pipe or a folder is named like a
 * session.
 */
function findFile({ folder, name }: Place): FoundFile | SessionFileFailure {
	try {
		const stat = lstatSync(pathIn(folder.path, name), { throwIfNoEntry: false });
		if (!stat) return "missing";
		if (stat.isSymbolicLink()) return "symlink";
		if (!stat.isFile()) return "not_regular";
		return { folder, name, stamp: { size: stat.size, mtimeMs: stat.mtimeMs } };
	} catch (error) {
		return errorCode(error) === "ENOTDIR" ? "missing" : "unreadable";
	}
}

/** A single pass over the session files in a set of folders. */
class Listing {
	readonly #report: ScanReport;
	readonly #wantsWork: boolean;
	readonly #isInProjects: (cwd: string) => boolean;
	readonly #scratch = summaryScratch();
	readonly #unsettled: { file: FoundFile; record: SummaryRecord }[] = [];
	/** The sessions whose topic is not determined yet. */
	readonly #withoutTopic: FoundFile[] = [];

	constructor(report: ScanReport, wantsWork: boolean, isInProjects: (cwd: string) => boolean) {
		this.#report = report;
		this.#isInProjects = isInProjects;
		this.#wantsWork = wantsWork;
	}

	*list(places: Iterable<Place>, stage: "newest" | "listed"): Steps<ScanBatch> {
		const files: FoundFile[] = [];
		for (const place of places) {
			const found = findFile(place);
			if (typeof found === "string") this.#leave(found);
			else files.push(found);
			if (++this.#report.files % STRIDE === 0) yield;
		}
		yield* inBatches(stage, this.#rows(latestFirst(files, ({ stamp }) => stamp.mtimeMs)));
	}

	/** Yields the rows whose name was found far from the ends of the file. */
	*named(): Steps<ScanBatch> {
		yield* inBatches("named", this.#settle());
	}

	/**
	 * Determines the topics of the newest sessions. The first batch is smaller than the others, so that the topics of the visible rows
	 * arrive early.
	 */
	*work(read: WorkReader, most: number): Steps<ScanBatch> {
		yield* inBatches("work", this.#readWork(read, most), FIRST_ROWS);
	}

	*#rows(files: FoundFile[]): Generator<SessionSummary | undefined> {
		for (const file of files) {
			yield;
			const record = this.#recordOf(file);
			if (!record) continue;
			const { summary } = record;
			if (file.folder.agent && !this.#isInProjects(summary.cwd)) continue;
			this.#report.sessions++;
			if (!summary.nameSettled) this.#unsettled.push({ file, record });
			if (this.#wantsWork && (wantsWork(summary) || !summary.nameSettled)) this.#withoutTopic.push(file);
			yield summary;
		}
	}

	/** Returns the record of a file, from the cache if the file has not changed, otherwise from the file. */
	#recordOf({ folder, name, stamp }: FoundFile): SummaryRecord | undefined {
		const { cache, path } = folder;
		const known = cache.current(name, stamp);
		if (known && "summary" in known) return known;
		if (known) return this.#leave(known.skipped);
		const outcome = summarize(pathIn(path, name), cache.previous(name), this.#scratch);
		if (outcome.ok && outcome.record.summary.agent !== folder.agent) {
			cache.set(name, outcome.record.stamp, { skipped: "not_session" });
			return this.#leave("not_session");
		}
		if (outcome.ok) {
			this.#report.read++;
			cache.set(name, outcome.record.stamp, outcome.record);
			return outcome.record;
		}
		const { reason, stamp: read } = outcome;
		if (read && (reason === "empty" || reason === "not_session")) cache.set(name, read, { skipped: reason });
		return this.#leave(reason);
	}

	*#settle(): Generator<SessionSummary | undefined> {
		for (const { file, record } of this.#unsettled) {
			const { cache, path, agent } = file.folder;
			const names = yield* settleNames(
				pathIn(path, file.name),
				record.names,
				this.#scratch,
				agent && ((bytes) => titlesIn(bytes, agent)),
			);
			const settled = withNames(record, names);
			cache.set(file.name, record.stamp, settled);
			const { name, nameSource } = record.summary;
			const isNew = settled.summary.name !== name || settled.summary.nameSource !== nameSource;
			yield isNew ? settled.summary : undefined;
		}
	}

	*#readWork(read: WorkReader, most: number): Generator<SessionSummary | undefined> {
		for (const { folder, name } of this.#withoutTopic.slice(0, most)) {
			// The name may have been determined in the meantime.
			const record = folder.cache.previous(name);
			if (!record || !wantsWork(record.summary)) continue;
			const summary = { ...record.summary, work: read(record.summary) };
			folder.cache.set(name, record.stamp, { ...record, summary });
			yield summary;
			yield;
		}
	}

	#leave(reason: SessionFileFailure): undefined {
		this.#report.left[reason] = (this.#report.left[reason] ?? 0) + 1;
	}
}

/** Collects rows in batches. Yields undefined wherever the caller may pause. */
function* inBatches(
	stage: "newest" | "listed" | "named" | "work",
	rows: Iterable<SessionSummary | undefined>,
	first = BATCH_ROWS,
): Steps<ScanBatch> {
	let most = first;
	let batch: SessionSummary[] = [];
	for (const row of rows) {
		if (row === undefined) yield;
		else batch.push(row);
		if (batch.length < most) continue;
		yield { stage, rows: batch };
		batch = [];
		most = BATCH_ROWS;
	}
	if (batch.length > 0) yield { stage, rows: batch };
}

/** Where a session is looked for. */
export interface SessionPlace {
	agentDir: string;
	/** The folder of the open session's file, which is searched first. */
	folder: string;
}

/**
 * Returns all sessions in the given folders, or in all projects if no folders are given, newest first. `onReport` is called with the report
 * of the listing.
 */
export async function listSessions(
	options: ScanOptions,
	onReport?: (report: ScanReport) => void,
): Promise<SessionSummary[]> {
	const rows = new Map<string, SessionSummary>();
	for await (const batch of scanSessions(options)) {
		if (batch.stage === "done") {
			onReport?.(batch.report);
			break;
		}
		for (const row of batch.rows) rows.set(row.path, row);
	}
	return [...rows.values()].toSorted(
		(one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1),
	);
}

/**
 * Returns the sessions that match a file path, an id, an id prefix or a title. Sessions of other projects are searched only if no session
 * of this project matches.
 */
export async function findSessions(
	{ agentDir, folder }: SessionPlace,
	wanted: string,
): Promise<{ found: SessionSummary[]; isHere: boolean }> {
	const here = meant(await listSessions({ agentDir, folders: [folder] }), wanted);
	if (here.length > 0) return { found: here, isHere: true };
	return { found: meant(await listSessions({ agentDir }), wanted), isHere: false };
}

/** Returns the sessions in `rows` that match `wanted`. */
export function meant(rows: readonly SessionSummary[], wanted: string): SessionSummary[] {
	const file = rows.filter(({ path }) => path === wanted);
	return file.length > 0 ? file : matchSessions(rows, wanted);
}

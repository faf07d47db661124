import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import {
	currentLogs,
	type Env,
	type Format,
	isUnreadable,
	newerLog,
	outsideNames,
	PI,
} from "../log/index.ts";
import { keptNote, keptNotes, type SessionRecord } from "../recap/index.ts";
import { errorCode, type FileStamp, Pace } from "../text/files/index.ts";
import { FolderCache, sweepCaches } from "./cache.ts";
import {
	pathIn,
	projectFolder,
	projectFolders,
	sessionNames,
	sessionsRoot,
	type UnreadFolder,
} from "./folders.ts";
import { logFolders, wantedFormats } from "./log-folders.ts";
import { couldBePlanted } from "./planted.ts";
import {
	type SessionSummary,
	type SummaryRecord,
	summarize,
	summaryScratch,
	withSettledName,
} from "./summary.ts";

export interface ScanOptions {
	/** Aborting ends the scan at its next pause. */
	signal?: AbortSignal | undefined;
	/** The agent folder. The subfolder `sessions` is listed, and the subfolder `session-suite` contains the cache. */
	agentDir: string;
	/** The folders to list: those of one project, or a session directory that the user chose. Default: the folders of all projects. */
	folders?: string[] | undefined;
	/** The current folder. A session file in the current folder could have been written by a repository. */
	cwd?: string | undefined;
	/** The other formats whose sessions from the same projects are listed as well. Default: according to the user's settings. */
	formats?: readonly Format[] | undefined;
	/** Whether the sessions that their own program has archived are listed as well. Default: false. */
	archived?: boolean | undefined;
	/** The environment variables that say where other programs keep their logs. Default: those of this process. */
	env?: Env | undefined;
	onReport?: ((report: ScanReport) => void) | undefined;
}

export interface ScanReport {
	read: number;
	unreadable: number;
	compressed?: number;
	unread: UnreadFolder[];
}

const FIRST_ROWS = 32;
/** From this number of files on, rows are shown before the times of all files have been read. */
const MANY_FILES = 1_000;
/** Number of rows that are shown early. */
const LATEST_ROWS = 16;
const BATCH_ROWS = 256;

interface Folder {
	path: string;
	cache: FolderCache;
	format: Format;
	isArchive: boolean;
}

interface NamedFile {
	folder: Folder;
	name: string;
}

interface FoundFile extends NamedFile {
	stamp: FileStamp;
}

interface Unfinished {
	file: FoundFile;
	record: SummaryRecord;
}

/**
 * Yields the newest of the cached sessions or, if a large folder has no index, the sessions that were started most recently. Then yields the others in
 * batches, newest first. A session whose name was found deep in its file is yielded a second time. A row replaces an earlier row with the same path.
 * The scan never blocks other work for long. Aborting the signal ends the scan without an error; everything that has been read remains in
 * the cache.
 */
export async function* scanSessions(options: ScanOptions): AsyncGenerator<SessionSummary[], void, void> {
	const mark = planter(options) ?? asIs;
	const notes = keptNotes(options.agentDir);
	for await (const rows of scan(options)) yield rows.map((row) => withNote(mark(row), notes.get(row.path)));
}

/** Returns a session with a note that is kept outside its file, if the note is about its current state. */
function withNote(row: SessionSummary, recap: SessionRecord | undefined): SessionSummary {
	return recap && recap.last_message_id === row.last?.id ? { ...row, recap } : row;
}

const asIs = (row: SessionSummary) => row;

/** Returns a function that marks sessions that a repository could have written; undefined if the folders contain none. */
function planter({
	agentDir,
	folders = [],
	cwd,
}: ScanOptions): ((row: SessionSummary) => SessionSummary) | undefined {
	const root = sessionsRoot(agentDir);
	if (folders.every((folder) => dirname(folder) === root)) return undefined;
	const known = new Map<string, boolean>();
	return (row) => {
		const key = JSON.stringify([dirname(row.path), row.parentSession, row.cwd]);
		const planted = known.get(key) ?? couldBePlanted(row, { agentDir, cwd });
		known.set(key, planted);
		return planted && row.format.canOpen ? { ...row, planted } : row;
	};
}

async function* scan(options: ScanOptions): AsyncGenerator<SessionSummary[], void, void> {
	const { agentDir, folders, signal } = options;
	const { formats = wantedFormats(agentDir), env = process.env, archived = false } = options;
	const report: ScanReport = { read: 0, unreadable: 0, unread: [] };
	const unread = (folder: UnreadFolder) => void report.unread.push(folder);
	const pace = new Pace();
	const scratch = summaryScratch();
	const named = outsideNames();
	const isInProjects = inProjects(agentDir, folders);
	const opened: Folder[] = [];

	function recordOf({ folder, name, stamp }: FoundFile): SummaryRecord | undefined {
		const { cache, path, format, isArchive } = folder;
		const known = cache.current(name, stamp);
		if (known) return "summary" in known ? known : undefined;
		if (isUnreadable(name)) {
			report.compressed = (report.compressed ?? 0) + 1;
			return undefined;
		}
		const previous = cache.previous(name);
		const outcome = summarize(pathIn(path, name), { previous, scratch, format, isArchive });
		if (outcome.ok) {
			report.read++;
			cache.set(name, outcome.record.stamp, outcome.record);
			return outcome.record;
		}
		if (outcome.stamp) cache.set(name, outcome.stamp, { skipped: true });
		if (outcome.reason === "unreadable") report.unreadable++;
		return undefined;
	}

	try {
		const ownFolders = folders ?? projectFolders(sessionsRoot(agentDir), unread);
		const places = [
			...ownFolders.map((folder) => ({ folder, format: PI, isArchive: false })),
			...logFolders(formats, env, unread).filter(({ isArchive }) => archived || !isArchive),
		];
		for (const { folder: path, format, isArchive } of places) {
			const cache = new FolderCache(agentDir, path);
			await cache.load(pace);
			opened.push({ path, cache, format, isArchive });
		}
		const others = namesIn(
			opened.filter(({ format }) => format !== PI),
			unread,
		);
		const remembered = newestCached(opened).filter(({ cwd, format }) => format === PI || isInProjects(cwd));
		if (remembered.length > 0) yield remembered.map(named);
		const files: FoundFile[] = [];
		const own = namesIn(
			opened.filter(({ format }) => format === PI),
			unread,
		);
		const latest = remembered.length > 0 || own.length < MANY_FILES ? [] : latestNamed(own);
		const early = latest.flatMap((file) => recordOf(file)?.summary ?? []);
		if (early.length > 0) yield early.map(named);
		const shown = new Map([...remembered, ...early].map(({ path, changed }) => [path, changed]));
		for (const { folder, name } of [...own, ...others]) {
			if (pace.isDue) await pace.rest();
			if (signal?.aborted) return;
			const found = findFile(folder, name);
			if (found === "unreadable") report.unreadable++;
			else if (found) files.push(found);
		}
		newestFirst(files);

		const unfinished: Unfinished[] = [];
		let rows: SessionSummary[] = [];
		let most = FIRST_ROWS;
		for (const file of files) {
			if (pace.isDue) await pace.rest();
			if (signal?.aborted) return;
			const record = recordOf(file);
			if (record && (file.folder.format === PI || isInProjects(record.summary.cwd))) {
				const { path, changed } = record.summary;
				if (shown.get(path) !== changed) rows.push(record.summary);
				if (!record.summary.nameSettled) unfinished.push({ file, record });
			}
			if (rows.length < most) continue;
			yield rows.map(named);
			rows = [];
			most = BATCH_ROWS;
		}
		if (rows.length > 0) yield rows.map(named);
		yield* finish(unfinished);
	} finally {
		for (const { cache } of opened) await cache.save();
	}
	if (!folders) sweepCaches(agentDir);
	options.onReport?.(report);

	async function* finish(unfinished: readonly Unfinished[]): AsyncGenerator<SessionSummary[], void, void> {
		let rows: SessionSummary[] = [];
		for (const { file, record: known } of unfinished) {
			if (pace.isDue) await pace.rest();
			if (signal?.aborted) return;
			const { folder, name } = file;
			const { cache, path } = folder;
			const record = await withSettledName(pathIn(path, name), known, scratch, pace);
			cache.set(name, record.stamp, record);
			const { name: found, nameSource } = record.summary;
			if (found === known.summary.name && nameSource === known.summary.nameSource) continue;
			rows.push(record.summary);
			if (rows.length < FIRST_ROWS) continue;
			yield rows.map(named);
			rows = [];
		}
		if (rows.length > 0) yield rows.map(named);
	}
}

/**
 * Returns whether another program's session belongs to the listed projects. Because other programs keep sessions in their own folders, the
 * folder in which the host would keep the session is compared.
 */
function inProjects(agentDir: string, folders: string[] | undefined): (cwd: string) => boolean {
	const root = sessionsRoot(agentDir);
	// A folder elsewhere was chosen by the user and contains the sessions of all projects.
	if (!folders?.length || folders.some((folder) => dirname(folder) !== root)) return () => true;
	return (cwd) => folders.includes(projectFolder(root, cwd));
}

function newestCached(folders: readonly Folder[]): SessionSummary[] {
	const newest = folders.flatMap((folder) =>
		folder.cache.newest(FIRST_ROWS).map(({ name, mtimeMs }) => ({ folder, name, mtimeMs })),
	);
	newest.sort((one, other) => other.mtimeMs - one.mtimeMs);
	return newest.slice(0, FIRST_ROWS).flatMap(({ folder, name }) => {
		const found = findFile(folder, name);
		const known = typeof found === "object" ? folder.cache.current(name, found.stamp) : undefined;
		return known && "summary" in known ? [known.summary] : [];
	});
}

/** Returns the sessions that were started most recently. A file name in the host's format begins with the time at which the session began. */
function latestNamed(files: readonly NamedFile[]): FoundFile[] {
	const latest: NamedFile[] = [];
	for (const file of files) {
		const oldest = latest.at(-1);
		if (latest.length === LATEST_ROWS && oldest && file.name <= oldest.name) continue;
		latest.push(file);
		latest.sort((one, other) => (one.name < other.name ? 1 : -1));
		latest.splice(LATEST_ROWS);
	}
	const found = latest.map(({ folder, name }) => findFile(folder, name));
	return newestFirst(found.filter((file) => typeof file === "object"));
}

function newestFirst(files: FoundFile[]): FoundFile[] {
	return files.sort((one, other) => other.stamp.mtimeMs - one.stamp.mtimeMs);
}

/** Returns the files in some folders that may be sessions, and removes all others from the caches. */
function namesIn(folders: readonly Folder[], unread: (folder: UnreadFolder) => void): readonly NamedFile[] {
	const failed = new Set<Folder>();
	const files = currentLogs(
		folders.flatMap((folder) => {
			const fail = (why: UnreadFolder) => {
				failed.add(folder);
				unread(why);
			};
			return sessionNames(folder.path, fail, folder.format.ending).map((name) => ({ folder, name }));
		}),
	);
	const names = new Map(folders.map((folder) => [folder, new Set<string>()]));
	for (const { folder, name } of files) names.get(folder)?.add(name);
	// If a folder cannot be read, none of its files is assumed to be deleted.
	for (const [folder, kept] of names) if (!failed.has(folder)) folder.cache.keepOnly(kept);
	return files;
}

/** Returns undefined for a symlink, a pipe or a folder, which may have the name of a session file. */
function findFile(folder: Folder, name: string): FoundFile | "unreadable" | undefined {
	try {
		const stat = lstatSync(pathIn(folder.path, name), { throwIfNoEntry: false });
		return stat?.isFile() ? { folder, name, stamp: { size: stat.size, mtimeMs: stat.mtimeMs } } : undefined;
	} catch (error) {
		return errorCode(error) === "ENOTDIR" ? undefined : "unreadable";
	}
}

export async function listSessions(options: ScanOptions): Promise<SessionSummary[]> {
	const rows = new Map<string, SessionSummary>();
	for await (const batch of scanSessions(options)) for (const row of batch) rows.set(row.path, row);
	return [...rows.values()].toSorted(
		(one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1),
	);
}

/**
 * Returns the summary of any session file, even if no list contains it. `agentDir`: the folder that contains the notes kept outside session
 * files.
 */
export async function sessionAt(path: string, agentDir?: string): Promise<SessionSummary | undefined> {
	const scratch = summaryScratch();
	const read = summarize(path, { scratch });
	if (!read.ok) return undefined;
	const { summary: settled } = await withSettledName(path, read.record, scratch, new Pace());
	const note = agentDir === undefined ? undefined : keptNote(agentDir, path);
	const summary = withNote(outsideNames()(settled), note);
	const newer = newerLog(path);
	return { ...summary, ...(newer !== undefined && { newerFile: newer }) };
}

import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import {
	currentLogs,
	type Env,
	type Format,
	isCompressed,
	isUnreadable,
	outsideNames,
	PI,
} from "../log/index.ts";
import { keptNotes } from "../recap/index.ts";
import { errorCode, type FileStamp, inSlices, logBug, Pace } from "../text/index.ts";
import { FolderCache, isSameStamp, sweepCaches } from "./cache.ts";
import {
	logFolders,
	pathIn,
	projectFolder,
	projectFolders,
	sessionNames,
	sessionsRoot,
	startedIn,
	type UnreadFolder,
	wantedFormats,
} from "./folders.ts";
import { planter } from "./planted.ts";
import { byNewest } from "./session-list.mjs";
import {
	type SessionSummary,
	type SummaryRecord,
	summarizeSlowly,
	summaryScratch,
	withNote,
	withSettledName,
} from "./summary.ts";

export interface ScanOptions {
	signal?: AbortSignal | undefined;
	agentDir: string;
	folders?: string[] | undefined;
	/**
	 * Limits the list to one project's working folder. By default, all sessions in `folders` are
	 * listed.
	 */
	project?: string | undefined;
	cwd?: string | undefined;
	formats?: readonly Format[] | undefined;
	archived?: boolean | undefined;
	/**
	 * The environment variables that specify the log folders of other agents. The default is
	 * `process.env`.
	 */
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
const BATCH_ROWS = 256;
/**
 * The minimum number of files in a list for the most recent sessions to be shown before all
 * modification times have been read.
 */
const MANY_FILES = 1_000;
const LATEST_ROWS = 16;

interface Folder {
	path: string;
	cache: FolderCache;
	format: Format;
	isArchive: boolean;
	/**
	 * The names of possible session files. Undefined if the folder has not been read or cannot be read.
	 */
	names?: ReadonlySet<string>;
}

interface NamedFile {
	folder: Folder;
	name: string;
}

interface FoundFile extends NamedFile {
	stamp: FileStamp;
}

/**
 * Yields the newest cached sessions first, and then all sessions in batches, newest first. A later row
 * replaces an earlier row with the same path. If the signal is aborted, iteration ends without an
 * error.
 */
export async function* scanSessions(options: ScanOptions): AsyncGenerator<SessionSummary[], void, void> {
	const scan = new Scan(options);
	try {
		yield* scan.rows();
	} finally {
		await scan.save();
	}
	if (options.signal?.aborted) return;
	if (!options.folders) sweepCaches(options.agentDir);
	options.onReport?.(scan.report);
}

class Scan {
	readonly report: ScanReport = { read: 0, unreadable: 0, unread: [] };
	readonly #options: ScanOptions;
	#isWanted: (file: NamedFile, row: SessionSummary) => boolean = () => true;
	#show: (row: SessionSummary) => Promise<SessionSummary> = async (row) => row;
	readonly #pace = new Pace();
	readonly #scratch = summaryScratch();
	readonly #folders: Folder[] = [];
	readonly #shown = new Map<string, string>();

	constructor(options: ScanOptions) {
		this.#options = options;
	}

	async *rows(): AsyncGenerator<SessionSummary[], void, void> {
		this.#open();
		const others = this.#names(({ format }) => format !== PI);
		const cached = this.#newestCached();
		if (cached.length > 0) yield await this.#take(cached);
		for (const { cache } of this.#folders) {
			if (await this.#isOver()) return;
			await cache.load(this.#pace);
		}
		const own = this.#names(({ format }) => format === PI);
		// If a folder cannot be read, its session files stay in the cache, because the files may still exist.
		for (const { cache, names } of this.#folders) if (names) cache.keepOnly(names);
		const latest = cached.length > 0 || own.length < MANY_FILES ? [] : this.#latest(own);
		const early: SessionSummary[] = [];
		for (const file of latest) {
			if (await this.#isOver()) return;
			const known = await this.#recordOf(file);
			if (known) early.push(known.summary);
		}
		if (early.length > 0) yield await this.#take(early);
		const queue: FoundFile[] = [];
		for (const { folder, name } of [...own, ...others]) {
			if (await this.#isOver()) return;
			const found = findFile(folder, name);
			if (found === "unreadable") this.report.unreadable++;
			else if (found) queue.push(found);
		}
		yield* this.#batches(newestFirst(queue));
	}

	async *#batches(queue: FoundFile[]): AsyncGenerator<SessionSummary[], void, void> {
		const { length } = queue;
		let rows: SessionSummary[] = [];
		let most = FIRST_ROWS;
		for (const [index, file] of queue.entries()) {
			if (await this.#isOver()) return;
			const isFirstVisit = index < length;
			const known = await this.#recordOf(file);
			if (known && this.#isWanted(file, known.summary)) {
				// Compressed logs are read to the end immediately, because a second pass would decompress them again.
				const isLate = !known.summary.nameSettled && isFirstVisit && !isCompressed(file.name);
				if (isLate) queue.push(file);
				const isDone = known.summary.nameSettled || isLate;
				const { summary } = isDone ? known : await this.#settle(file, known);
				if (this.#shown.get(summary.path) !== keyOf(summary)) rows.push(summary);
			}
			const isLast = index === length - 1 || index === queue.length - 1;
			if (rows.length === 0 || (rows.length < most && !isLast)) continue;
			yield await this.#take(rows);
			rows = [];
			most = isFirstVisit && !isLast ? BATCH_ROWS : FIRST_ROWS;
		}
	}

	async save(): Promise<void> {
		for (const { cache } of this.#folders) await cache.save();
	}

	#open(): void {
		const { agentDir, folders, project, formats = wantedFormats(agentDir) } = this.#options;
		const { env = process.env, archived = false } = this.#options;
		const root = sessionsRoot(agentDir);
		const own = folders ?? projectFolders(root, this.#unread);
		// A folder that the user chose outside the sessions root may contain sessions from any project.
		const isElsewhere = folders?.some((folder) => dirname(folder) !== root) ?? false;
		const isOfAll = isElsewhere || !folders?.length;
		// Only pi sessions are stored in project folders, so `cwd` determines the project of other agents' sessions.
		this.#isWanted = ({ folder }, { cwd }) =>
			isOfAll || folder.format === PI || own.includes(projectFolder(root, cwd));
		if (isElsewhere && project !== undefined) {
			const isHere = startedIn(project);
			this.#isWanted = (_, row) => isHere(row);
		}
		const named = outsideNames();
		const mark = isElsewhere ? planter(this.#options) : (row: SessionSummary) => row;
		const notes = keptNotes(agentDir);
		this.#show = async (row) =>
			withNote(mark(await inSlices(named(row), this.#pace.step)), notes.get(row.path));
		const places = [
			...own.map((folder) => ({ folder, format: PI, isArchive: false })),
			...logFolders(formats, env, this.#unread).filter(({ isArchive }) => archived || !isArchive),
		];
		for (const { folder: path, ...facts } of places)
			this.#folders.push({ path, cache: new FolderCache(agentDir, path), ...facts });
	}

	async #isOver(): Promise<boolean> {
		if (this.#pace.isDue) await this.#pace.rest();
		return this.#options.signal?.aborted === true;
	}

	readonly #unread = (folder: UnreadFolder): void => void this.report.unread.push(folder);

	async #take(rows: readonly SessionSummary[]): Promise<SessionSummary[]> {
		const shown: SessionSummary[] = [];
		for (const row of rows) {
			this.#shown.set(row.path, keyOf(row));
			try {
				shown.push(await this.#show(row));
			} catch (bug) {
				logBug("sessions", bug);
				this.report.unreadable++;
			}
		}
		return shown;
	}

	/** If a file causes an unexpected error, only that file is missing from the list. */
	async #recordOf(file: FoundFile): Promise<SummaryRecord | undefined> {
		try {
			return await this.#readRecord(file);
		} catch (bug) {
			logBug("sessions", bug);
			this.report.unreadable++;
			return undefined;
		}
	}

	async #readRecord({ folder, name, stamp }: FoundFile): Promise<SummaryRecord | undefined> {
		const { cache, path, format, isArchive } = folder;
		const known = cache.current(name, stamp);
		if (known) return "summary" in known ? known : undefined;
		if (isUnreadable(name)) {
			this.report.compressed = (this.report.compressed ?? 0) + 1;
			return undefined;
		}
		const previous = cache.previous(name);
		const options = { previous, scratch: this.#scratch, format, isArchive };
		const read = await summarizeSlowly(pathIn(path, name), options, this.#pace);
		if (read.ok) {
			this.report.read++;
			cache.set(name, read.record.stamp, read.record);
			return read.record;
		}
		if (read.stamp) cache.set(name, read.stamp, { skipped: true });
		else if (read.reason !== "missing") this.report.unreadable++;
		return undefined;
	}

	async #settle({ folder, name }: NamedFile, known: SummaryRecord): Promise<SummaryRecord> {
		try {
			const record = await withSettledName(pathIn(folder.path, name), known, this.#scratch, this.#pace);
			folder.cache.set(name, record.stamp, record);
			return record;
		} catch (bug) {
			logBug("sessions", bug);
			return known;
		}
	}

	#names(isIncluded: (folder: Folder) => boolean): readonly NamedFile[] {
		const folders = this.#folders.filter(isIncluded);
		const failed = new Set<Folder>();
		const all = folders.flatMap((folder) => {
			const fail = (why: UnreadFolder) => {
				failed.add(folder);
				this.#unread(why);
			};
			return sessionNames(folder.path, fail, folder.format.ending).map((name) => ({ folder, name }));
		});
		const files = currentLogs(all);
		const names = new Map(folders.map((folder) => [folder, new Set<string>()]));
		for (const { folder, name } of files) names.get(folder)?.add(name);
		for (const [folder, found] of names) if (!failed.has(folder)) folder.names = found;
		return files;
	}

	#newestCached(): SessionSummary[] {
		const newest = this.#folders.flatMap((folder) =>
			folder.cache.newest(FIRST_ROWS).map((cached) => ({ folder, ...cached })),
		);
		newest.sort((one, other) => other.stamp.mtimeMs - one.stamp.mtimeMs);
		return newest.slice(0, FIRST_ROWS).flatMap(({ folder, name, stamp, read }) => {
			const known = read();
			if (!known || !("summary" in known) || folder.names?.has(name) === false) return [];
			const found = this.#isWanted({ folder, name }, known.summary) && findFile(folder, name);
			return typeof found === "object" && isSameStamp(found.stamp, stamp) ? [known.summary] : [];
		});
	}

	/**
	 * The name of a session file begins with the session's start time, so the most recent sessions can be
	 * found without reading any file.
	 */
	#latest(files: readonly NamedFile[]): FoundFile[] {
		const latest: NamedFile[] = [];
		for (const file of files) {
			if (latest.length === LATEST_ROWS && file.name <= (latest.at(-1)?.name ?? "")) continue;
			const at = latest.findIndex(({ name }) => name < file.name);
			latest.splice(at < 0 ? latest.length : at, 0, file);
			latest.splice(LATEST_ROWS);
		}
		const found = latest.map(({ folder, name }) => findFile(folder, name));
		return newestFirst(found.filter((file) => typeof file === "object"));
	}
}

function keyOf({ changed, name, nameSource }: SessionSummary): string {
	return `${changed} ${nameSource} ${name}`;
}

function newestFirst(files: FoundFile[]): FoundFile[] {
	return files.sort((one, other) => other.stamp.mtimeMs - one.stamp.mtimeMs);
}

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
	return [...rows.values()].toSorted(byNewest);
}

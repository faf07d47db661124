import type { WriteOutcome } from "./atomic-file.ts";
import { type FolderScan, type FoundFile, findFile, lookAt, openFolder, settle } from "./folder-scan.ts";
import { projectFolders, sessionsRoot, type UnreadFolder } from "./folders.ts";
import { saveIndex } from "./index-file.ts";
import { sweepIndexes } from "./index-sweep.ts";
import { latestFirst } from "./latest-first.ts";
import { likelyNewest } from "./likely-newest.ts";
import { type RunOptions, runSteps, type Steps } from "./pace.ts";
import type { SessionFileFailure } from "./session-file.ts";
import { shownLine } from "./shown-line.ts";
import { summaryScratch } from "./summarize.ts";
import { type SessionSummary, type SummaryRecord, wantsWork } from "./summary.ts";
import type { WorkReader } from "./work.ts";

export interface ScanOptions extends RunOptions {
	/** Its `sessions` are listed, and the index is kept below it. */
	agentDir: string;
	/** Only these folders: one project's, or a session directory of the user's choice. Default: all projects'. */
	folders?: string[] | undefined;
	/** Nothing is written: what is learned is not kept, and nothing is swept. Default: false. */
	readOnly?: boolean | undefined;
	/** Asked when all else is listed: reads what sessions without a name or a recap are about. Default: nobody does. */
	workReader?: (() => WorkReader | undefined) | undefined;
}

export interface ScanReport {
	/** Files named like sessions. */
	files: number;
	sessions: number;
	/** Sessions whose file had to be read. */
	read: number;
	/** Files that are not listed, by reason. */
	left: Partial<Record<SessionFileFailure, number>>;
	/** Folders that are there and cannot be read. */
	unread: UnreadFolder[];
	/** Whether what was learned could be kept. A read-only folder costs time, nothing else. */
	index: WriteOutcome;
}

/**
 * `newest`: what is probably on top, before anything else is looked at. `listed`: the rest, by last change, newest first.
 * `named`: rows given before, whose name stood deep in the file. `work`: rows given before, of which it is known by now what they
 * are about. A row replaces an earlier one of the same path.
 */
export type ScanBatch =
	| { stage: "newest" | "listed" | "named" | "work"; rows: SessionSummary[] }
	| { stage: "done"; report: ScanReport };

/** Rows given first: what most screens show. */
const FIRST_ROWS = 32;
const BATCH_ROWS = 256;
/** Sessions of which one listing finds out what they are about. */
const MOST_WORK = 400;
/** Files whose state is looked up between two chances to pause: an interruption costs as much as one of them. */
const STRIDE = 16;

/** Lists sessions in slices; ends early, and quietly, when the signal says so. What was learned is kept either way. */
export function scanSessions(options: ScanOptions): AsyncGenerator<ScanBatch, void, void> {
	return runSteps(scanSteps(options), options);
}

function* scanSteps({ agentDir, folders, readOnly, workReader }: ScanOptions): Steps<ScanBatch> {
	const report: ScanReport = { files: 0, sessions: 0, read: 0, left: {}, unread: [], index: { ok: true } };
	const unread = (folder: UnreadFolder) => void report.unread.push(folder);
	const scans: FolderScan[] = [];
	try {
		for (const folder of folders ?? (yield* projectFolders(sessionsRoot(agentDir), unread))) {
			scans.push(yield* openFolder(agentDir, folder, unread));
			yield;
		}
		const scan = new Listing(report, workReader !== undefined);
		// What an index knows is ready to be shown: the first rows wait for nothing that only reading a file needs.
		const isIndexed = scans.every(({ index }) => index.loaded.length > 0);
		if (!isIndexed) yield* warmUp();
		yield* scan.newest(scans);
		if (isIndexed) yield* warmUp();
		yield* scan.rest(scans);
		yield* scan.named();
		const read = workReader?.();
		if (read) yield* scan.work(read);
	} finally {
		if (!readOnly) yield* keep(agentDir, scans, report);
	}
	if (!folders && !readOnly) yield* sweepIndexes(agentDir);
	yield { stage: "done", report };
}

/** What is slow only the first time, in a step of its own, so that the first file does not pay for it. */
function* warmUp(): Steps<never> {
	shownLine("warm up");
	yield;
}

/** One pass over the files of some folders. */
class Listing {
	readonly #report: ScanReport;
	readonly #scratch = summaryScratch();
	readonly #early = new Map<FolderScan, Set<string>>();
	/** Those of which it may be asked what they are about. */
	readonly #untold: FoundFile[] = [];
	readonly #unsettled: { file: FoundFile; record: SummaryRecord }[] = [];

	readonly #asksWork: boolean;

	constructor(report: ScanReport, asksWork: boolean) {
		this.#report = report;
		this.#asksWork = asksWork;
	}

	*newest(scans: FolderScan[]): Steps<ScanBatch> {
		const files: FoundFile[] = [];
		for (const { scan, name } of yield* likelyNewest(scans, FIRST_ROWS)) {
			const early = this.#early.get(scan) ?? new Set();
			this.#early.set(scan, early.add(name));
			this.#find(scan, name, files);
			yield;
		}
		yield* this.#look(files, "newest");
	}

	*rest(scans: FolderScan[]): Steps<ScanBatch> {
		const files: FoundFile[] = [];
		for (const scan of scans) {
			const early = this.#early.get(scan);
			for (const name of scan.names) {
				if (early?.has(name)) continue;
				this.#find(scan, name, files);
				if (this.#report.files % STRIDE === 0) yield;
			}
		}
		yield* this.#look(files, "listed");
	}

	*named(): Steps<ScanBatch> {
		let rows: SessionSummary[] = [];
		for (const { file, record } of this.#unsettled) {
			const { summary } = yield* settle(file, record, this.#scratch);
			const { name, nameSource } = record.summary;
			if (summary.name !== name || summary.nameSource !== nameSource) rows.push(summary);
			if (rows.length >= BATCH_ROWS) {
				yield { stage: "named", rows };
				rows = [];
			}
		}
		if (rows.length > 0) yield { stage: "named", rows };
	}

	/** The newest first; the first few are handed over at once, because they are on the screen. */
	*work(read: WorkReader): Steps<ScanBatch> {
		let rows: SessionSummary[] = [];
		let most = FIRST_ROWS;
		// The rest is for the next listing: this takes longer than all else about a file together.
		for (const file of this.#untold.slice(0, MOST_WORK)) {
			// Its name may have been settled meanwhile.
			const record = file.in.index.previous(file.name);
			if (!record || !wantsWork(record.summary)) continue;
			const summary = { ...record.summary, work: read(record.summary) };
			file.in.index.set(file.name, record.stamp, { ...record, summary });
			rows.push(summary);
			yield;
			if (rows.length < most) continue;
			yield { stage: "work", rows };
			rows = [];
			most = BATCH_ROWS;
		}
		if (rows.length > 0) yield { stage: "work", rows };
	}

	#find(scan: FolderScan, name: string, files: FoundFile[]): void {
		this.#report.files++;
		const found = findFile(scan, name);
		if (typeof found === "string") this.#leave(found);
		else files.push(found);
	}

	*#look(files: FoundFile[], stage: "newest" | "listed"): Steps<ScanBatch> {
		let rows: SessionSummary[] = [];
		for (const file of latestFirst(files)) {
			yield;
			if (!file) continue;
			const looked = lookAt(file, this.#scratch);
			if (!looked.ok) {
				this.#leave(looked.reason);
				continue;
			}
			const { record, fromIndex } = looked;
			this.#report.sessions++;
			if (!fromIndex) this.#report.read++;
			if (!record.summary.nameSettled) this.#unsettled.push({ file, record });
			if (this.#asksWork && (wantsWork(record.summary) || !record.summary.nameSettled))
				this.#untold.push(file);
			rows.push(record.summary);
			if (rows.length < BATCH_ROWS) continue;
			yield { stage, rows };
			rows = [];
		}
		if (rows.length > 0) yield { stage, rows };
	}

	#leave(reason: SessionFileFailure): void {
		this.#report.left[reason] = (this.#report.left[reason] ?? 0) + 1;
	}
}

function* keep(agentDir: string, scans: FolderScan[], report: ScanReport): Steps<never> {
	for (const { index } of scans) {
		if (index.pending === "nothing") continue;
		const outcome = yield* saveIndex(agentDir, index);
		if (!outcome.ok) report.index = outcome;
	}
}

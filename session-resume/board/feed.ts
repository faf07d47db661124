import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
	inProject,
	type SearchProgress,
	type SessionSummary,
	scanSessions,
	searchSessions,
	sessionsRoot,
	versionOf,
	watchSessions,
} from "../../session-core/sessions/index.ts";
import { bugText, SLICE_MS, startTimer } from "../../session-core/text/index.ts";
import { type Row, rowOf, type Scope } from "./list.ts";

export interface FeedPorts {
	agentDir: string;
	/**
	 * The folder of the current project's sessions. The user can configure this folder, so it may be
	 * outside the usual sessions folder.
	 */
	projectFolder: string;
	/**
	 * The working directory. Session files in this folder are marked, because a repository may contain them.
	 */
	cwd: string;
	found(sessions: readonly Row[], scanned?: Scope): void;
	/** Called if a scan ends with an unexpected error. Expected failures are returned as values. */
	failed(text: string, scanned?: Scope): void;
}

export interface SearchPorts {
	rows(): readonly Pick<Row, "path" | "here">[];
	found(progress: Pick<SearchProgress, "hits" | "searched" | "done">): void;
}

/**
 * New rows are collected for this many milliseconds, because the whole list is sorted after each
 * addition.
 */
const FLUSH_MS = 60;
const FLUSH_REST = 10;
/** How long, in milliseconds, a scan pauses after its first rows, so that pi can paint the rows. */
const PAINT_MS = 50;
/**
 * The pause after a scan, as a multiple of the scan's duration. Without a pause, a file that is
 * constantly being written to would keep a CPU core busy.
 */
const REST = 4;
const MOST_HITS = 200;

export class Feed {
	readonly #ports: FeedPorts;
	readonly #isHere: (session: SessionSummary) => boolean;
	readonly #over = new AbortController();
	#isPainted = false;
	readonly #rows = new Map<string, Row>();
	#work: Promise<void> = Promise.resolve();
	#widest: Scope = "project";
	#watched: Scope | undefined;
	#unwatch: (() => void) | undefined;
	#again: NodeJS.Timeout | undefined;
	#restsUntil = 0;

	constructor(ports: FeedPorts) {
		this.#ports = ports;
		this.#isHere = inProject({ ...ports, folder: ports.projectFolder });
	}

	scan(scope: Scope): void {
		if (scope === "all") this.#widest = "all";
		// Scans run one after the other, because they would slow each other down and overwrite cache files.
		this.#work = this.#work
			.then(() => this.#run(scope))
			.catch((bug: unknown) => this.#ports.failed(bugText("sessions", bug), scope));
	}

	put(row: Row): void {
		this.#rows.set(row.path, row);
	}

	drop(path: string): void {
		this.#rows.delete(path);
	}

	settled(): Promise<void> {
		return this.#work;
	}

	search(query: string, { rows, found }: SearchPorts): () => void {
		const over = new AbortController();
		const { signal } = over;
		const run = async () => {
			// A search result's rank depends on all sessions, so the search waits until the scan is complete.
			await this.#work;
			const near = rows().map((row) => ({ path: row.path, near: row.here }));
			const options = { query, rows: near, limit: MOST_HITS, onePerSession: true, signal };
			for await (const progress of searchSessions(options)) if (!signal.aborted) found(progress);
		};
		run().catch((bug: unknown) => {
			if (signal.aborted) return;
			found({ hits: [], searched: 0, done: true });
			this.#ports.failed(bugText("sessions", bug));
		});
		return () => over.abort();
	}

	stop(): void {
		this.#over.abort();
		clearTimeout(this.#again);
		this.#unwatch?.();
	}

	async #run(scope: Scope): Promise<void> {
		const { signal } = this.#over;
		if (signal.aborted) return;
		// The project's folder is watched from the start, so that changes during the scan are noticed.
		if (scope === "project") this.#watch();
		const started = performance.now();
		const seen = new Set<string>();
		for (const folders of this.#foldersOf(scope)) await this.#scanFolders(folders, scope, seen);
		if (signal.aborted) return;
		for (const [path, row] of this.#rows)
			if ((scope === "all" || row.here) && !seen.has(path)) this.#rows.delete(path);
		this.#ports.found([...this.#rows.values()], scope);
		const ended = performance.now();
		this.#restsUntil = ended + (ended - started) * REST;
		this.#watch();
	}

	async #scanFolders(folders: string[] | undefined, scope: Scope, seen: Set<string>): Promise<void> {
		const { agentDir, cwd, found } = this.#ports;
		const { signal } = this.#over;
		let isNew = false;
		let nextFlush = performance.now() + FLUSH_MS;
		const flush = async () => {
			if (!isNew) return;
			const began = await this.#nextTurn();
			if (!signal.aborted) found([...this.#rows.values()]);
			isNew = false;
			const ended = performance.now();
			nextFlush = ended + Math.max(FLUSH_MS, (ended - began) * FLUSH_REST);
		};
		for await (const batch of scanSessions({
			agentDir,
			cwd,
			folders,
			project: scope === "project" ? cwd : undefined,
			signal,
		})) {
			const isFirst = seen.size === 0;
			let turn = await this.#nextTurn();
			for (const summary of batch) {
				if (performance.now() - turn > SLICE_MS) turn = await this.#nextTurn();
				seen.add(summary.path);
				if (this.#rows.get(summary.path)?.version === versionOf(summary)) continue;
				this.put(rowOf(summary, this.#isHere(summary)));
				isNew = true;
			}
			if (isFirst || performance.now() >= nextFlush) await flush();
			if (!this.#isPainted) await pause(PAINT_MS, undefined, { signal, ref: false }).catch(() => undefined);
			this.#isPainted = true;
		}
		await flush();
	}

	/**
	 * Yields to the event loop before further rows are read. Does not yield before the first rows, because
	 * the first rows must appear in the first frame.
	 */
	async #nextTurn(): Promise<number> {
		if (this.#isPainted) await new Promise<void>((resolve) => setImmediate(resolve));
		return performance.now();
	}

	/**
	 * The current project's sessions are always included, because the project's session folder may be
	 * outside the usual sessions folder.
	 */
	#foldersOf(scope: Scope): (string[] | undefined)[] {
		const { agentDir, projectFolder } = this.#ports;
		if (scope === "project") return [[projectFolder]];
		const isBelow = dirname(projectFolder) === sessionsRoot(agentDir);
		return isBelow ? [undefined] : [undefined, [projectFolder]];
	}

	#watch(): void {
		const { agentDir, projectFolder } = this.#ports;
		if (this.#watched === this.#widest) return;
		this.#watched = this.#widest;
		this.#unwatch?.();
		const folders = this.#widest === "all" ? {} : { folders: [projectFolder] };
		this.#unwatch = watchSessions({ agentDir, ...folders, onChange: () => this.#scanSoon() });
	}

	#scanSoon(): void {
		if (this.#again || this.#over.signal.aborted) return;
		const again = () => {
			this.#again = undefined;
			this.scan(this.#widest);
		};
		this.#again = startTimer("sessions", Math.max(0, this.#restsUntil - performance.now()), again);
	}
}

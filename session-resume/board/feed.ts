import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sessionsRoot } from "../../session-core/store/folders.ts";
import { SLICE_MS } from "../../session-core/store/pace.ts";
import { scanSessions } from "../../session-core/store/scan.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { watchSessions } from "../../session-core/store/watch.ts";
import type { WorkReader } from "../../session-core/store/work.ts";
import type { Words } from "../../session-core/words/words.ts";
import { rowOf, stampOf } from "./row.ts";
import type { BoardEvent, Row, Scope } from "./types.ts";

export interface FeedDeps {
	agentDir: string;
	/** Where the sessions of the current project stand; outside the sessions root if the user chose so. */
	projectFolder: string;
	/** Default: English. */
	words?: Words;
	dispatch(event: BoardEvent): void;
	/** Loads what tells the work of a session. Without it, sessions without a name are listed by their first prompt. */
	loadWorkReader?: () => Promise<WorkReader>;
}

/** Brings sessions to the board, and what changes about them, until it is stopped. */
export interface Feed {
	scan(scope: Scope): void;
	/** Resolves when no scan is under way. */
	settled(): Promise<void>;
	stop(): void;
}

/** Rows are handed over at once when they are the first, then in bunches: each time, the whole list is put in order. */
const FLUSH_MS = 60;
/** The host paints what it is asked for within a frame or two; to load a module in between would hold it up. */
const PAINT_MS = 50;
/** A scan again rests this many times as long as the last one took: a session that is written to must not keep a core busy. */
const REST = 4;

export function createFeed(deps: FeedDeps): Feed {
	return new SessionFeed(deps);
}

class SessionFeed implements Feed {
	readonly #deps: FeedDeps;
	readonly #over = new AbortController();
	#readWork: WorkReader | undefined;
	readonly #rows = new Map<string, Row>();
	#work: Promise<void> = Promise.resolve();
	#widest: Scope = "project";
	#watched: Scope | undefined;
	#unwatch: (() => void) | undefined;
	#again: NodeJS.Timeout | undefined;
	#tookMs = 0;
	#endedAt = 0;

	constructor(deps: FeedDeps) {
		this.#deps = deps;
	}

	scan(scope: Scope): void {
		if (scope === "all") this.#widest = "all";
		// One after the other: two at once would both be slower, and keep one index.
		this.#work = this.#work
			.then(() => this.#run(scope))
			.catch(() => {
				// Expected failures are values; what is left is a bug that must not take the board down.
			});
	}

	settled(): Promise<void> {
		return this.#work;
	}

	stop(): void {
		this.#over.abort();
		clearTimeout(this.#again);
		this.#unwatch?.();
	}

	async #run(scope: Scope): Promise<void> {
		const { signal } = this.#over;
		if (signal.aborted) return;
		// What changes while the scan runs is told, too. All projects' folders are many: those wait until their rows are there.
		if (scope === "project") this.#watch();
		const started = performance.now();
		const seen = new Set<string>();
		for (const folders of this.#foldersOf(scope)) await this.#scanFolders(folders, seen);
		if (signal.aborted) return;
		this.#deps.dispatch({ type: "scanned", scope, seen });
		this.#forgetOthers(scope, seen);
		this.#endedAt = performance.now();
		this.#tookMs = this.#endedAt - started;
		this.#watch();
	}

	async #scanFolders(folders: string[] | undefined, seen: Set<string>): Promise<void> {
		const { agentDir, dispatch } = this.#deps;
		const { signal } = this.#over;
		let pending: Row[] = [];
		let flushed = performance.now();
		const flush = async () => {
			await nextTurn();
			if (signal.aborted) return;
			dispatch({ type: "rows", rows: pending });
			pending = [];
			flushed = performance.now();
		};
		const workReader = () => this.#readWork;
		for await (const batch of scanSessions({ agentDir, folders, signal, workReader })) {
			if (batch.stage === "done") break;
			let turn = await nextTurn();
			for (const summary of batch.rows) {
				if (performance.now() - turn > SLICE_MS) turn = await nextTurn();
				seen.add(summary.path);
				const row = this.#changed(summary);
				if (row) pending.push(row);
			}
			if (pending.length > 0 && (batch.stage === "newest" || performance.now() - flushed >= FLUSH_MS))
				await flush();
			// When the first rows are painted, and before the scan comes to ask for it.
			if (!this.#readWork && this.#deps.loadWorkReader) {
				await this.#pause(PAINT_MS);
				this.#readWork = await this.#deps.loadWorkReader();
			}
		}
		if (pending.length > 0) await flush();
	}

	/** Ends early when the board does. */
	async #pause(ms: number): Promise<void> {
		await pause(ms, undefined, { signal: this.#over.signal, ref: false }).catch(() => undefined);
	}

	/** The row, unless the board has it already in this state. */
	#changed(summary: SessionSummary): Row | undefined {
		if (this.#rows.get(summary.path)?.stamp === stampOf(summary)) return undefined;
		const row = rowOf(summary, dirname(summary.path) === this.#deps.projectFolder, this.#deps.words);
		this.#rows.set(summary.path, row);
		return row;
	}

	#forgetOthers(scope: Scope, seen: ReadonlySet<string>): void {
		for (const [path, row] of this.#rows)
			if ((scope === "all" || row.here) && !seen.has(path)) this.#rows.delete(path);
	}

	/** All projects' folders, and the current project's where it stands elsewhere. */
	#foldersOf(scope: Scope): (string[] | undefined)[] {
		const { agentDir, projectFolder } = this.#deps;
		if (scope === "project") return [[projectFolder]];
		const isBelow = dirname(projectFolder) === sessionsRoot(agentDir);
		return isBelow ? [undefined] : [undefined, [projectFolder]];
	}

	#watch(): void {
		const { agentDir, projectFolder } = this.#deps;
		if (this.#watched === this.#widest) return;
		this.#watched = this.#widest;
		this.#unwatch?.();
		const folders = this.#widest === "all" ? undefined : [projectFolder];
		this.#unwatch = watchSessions({
			agentDir,
			...(folders && { folders }),
			onChange: () => this.#scanSoon(),
		});
	}

	#scanSoon(): void {
		if (this.#again || this.#over.signal.aborted) return;
		const rest = this.#endedAt + this.#tookMs * REST - performance.now();
		this.#again = setTimeout(
			() => {
				this.#again = undefined;
				this.scan(this.#widest);
			},
			Math.max(0, rest),
		).unref();
	}
}

/** Lets everything else on the event loop have its turn; gives the time after it. */
async function nextTurn(): Promise<number> {
	await new Promise<void>((resolve) => setImmediate(resolve));
	return performance.now();
}

import { type FSWatcher, watch } from "node:fs";
import { identityOf } from "./folder-watch.ts";
import { projectFolders, sessionsRoot } from "./folders.ts";

export interface WatchOptions {
	agentDir: string;
	/** Default: the folders of all projects, including later ones. */
	folders?: string[] | undefined;
	/** Something may have changed: list again. */
	onChange(): void;
	/** Time without further changes before a change is reported, in milliseconds. Default 150. */
	quietMs?: number;
	/** While changes keep coming, they are reported at least this often, in milliseconds. Default 1,000. */
	maxWaitMs?: number;
	/** How often a change is assumed in a folder that cannot be watched, in milliseconds. Default 5,000. */
	pollMs?: number;
	/** Throws if a folder cannot be watched. Default: the platform's watcher. */
	watchFolder?: (folder: string, onEvent: () => void) => FolderWatcher;
}

/** The methods of the platform's watcher that are used. */
export interface FolderWatcher {
	close(): void;
	on(event: "error", listener: () => void): unknown;
}

/** Watches folders of sessions until the returned function is called. Does not keep the process alive. */
export function watchSessions({
	agentDir,
	folders,
	onChange,
	quietMs = 150,
	maxWaitMs = 1_000,
	pollMs = 5_000,
	watchFolder = watchWithPlatform,
}: WatchOptions): () => void {
	/** Undefined: it cannot be watched. */
	const watchers = new Map<string, { watcher: FolderWatcher | undefined; of: string | undefined }>();
	let calm: NodeJS.Timeout | undefined;
	let firstChange: number | undefined;

	/** Watches new folders, recreated ones, and those that could not be watched before. */
	function watchAll(): void {
		const root = sessionsRoot(agentDir);
		const wanted = folders ?? [root, ...finish(projectFolders(root))];
		for (const [folder, { watcher }] of watchers) {
			if (wanted.includes(folder)) continue;
			watcher?.close();
			watchers.delete(folder);
		}
		for (const folder of wanted) {
			const of = identityOf(folder);
			const known = watchers.get(folder);
			if (known?.watcher && known.of === of) continue;
			// A watcher is bound to the original folder, and reports nothing once that is deleted.
			known?.watcher?.close();
			watchers.set(folder, { watcher: begin(folder), of });
		}
	}

	function begin(folder: string): FolderWatcher | undefined {
		try {
			const watcher = watchFolder(folder, changed);
			watcher.on("error", () => {
				watcher.close();
				watchers.set(folder, { watcher: undefined, of: identityOf(folder) });
			});
			return watcher;
		} catch {
			// No watches are left, the folder does not exist yet, or the file system has no notifications:
			// the folder is polled.
			return undefined;
		}
	}

	function changed(): void {
		const now = performance.now();
		firstChange ??= now;
		clearTimeout(calm);
		calm = setTimeout(report, Math.max(0, Math.min(quietMs, firstChange + maxWaitMs - now))).unref();
	}

	function report(): void {
		firstChange = undefined;
		clearTimeout(calm);
		watchAll();
		onChange();
	}

	watchAll();
	const poll = setInterval(() => {
		const mayDiffer = [...watchers].some(([folder, { watcher, of }]) => {
			const now = identityOf(folder);
			return now !== of || (watcher === undefined && now !== undefined);
		});
		if (mayDiffer) report();
	}, pollMs).unref();
	return () => {
		clearInterval(poll);
		clearTimeout(calm);
		for (const { watcher } of watchers.values()) watcher?.close();
		watchers.clear();
	};
}

function watchWithPlatform(folder: string, onEvent: () => void): FSWatcher {
	return watch(folder, { persistent: false }, onEvent);
}

function finish<T>(steps: Generator<unknown, T, void>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

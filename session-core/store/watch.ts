import { type FSWatcher, statSync, watch } from "node:fs";
import { fingerprint } from "./fingerprint.ts";
import { projectFolders, sessionsRoot } from "./folders.ts";
import { runSteps } from "./pace.ts";
import { errorCode } from "./regular-file.ts";

export interface WatchOptions {
	agentDir: string;
	/** Watched; default: the folders of all projects, those included that come later. */
	folders?: string[] | undefined;
	/** Something changed: scan again. Never called while the last call's changes still come in. */
	onChange(): void;
	/** Calm before a change is told, in milliseconds. Default 150. */
	quietMs?: number;
	/** But told at least this often while changes keep coming, in milliseconds. Default 1,000. */
	maxWaitMs?: number;
	/** How often a folder is looked at that cannot be watched, in milliseconds. Default 5,000. */
	pollMs?: number;
	/** How a folder is watched; throws where that is not possible. Default: the platform's way. */
	watchFolder?: (folder: string, onEvent: () => void) => FolderWatcher;
}

/** What is used of the platform's watcher. */
export interface FolderWatcher {
	close(): void;
	on(event: "error", listener: () => void): unknown;
}

/** Watches folders of sessions until the returned function is called. Keeps no process alive. */
export function watchSessions(options: WatchOptions): () => void {
	const watching = new SessionWatch(options);
	watching.start();
	return () => watching.stop();
}

class SessionWatch {
	readonly #options: WatchOptions;
	readonly #watchers = new Map<string, { watcher: FolderWatcher; of: string | undefined }>();
	readonly #polled = new Map<string, string | undefined>();
	#calm: NodeJS.Timeout | undefined;
	#poll: NodeJS.Timeout | undefined;
	#firstChange: number | undefined;
	#stopped = false;

	constructor(options: WatchOptions) {
		this.#options = options;
	}

	start(): void {
		this.#watchAll();
		this.#schedulePoll();
	}

	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#calm);
		clearTimeout(this.#poll);
		for (const { watcher } of this.#watchers.values()) watcher.close();
		this.#watchers.clear();
		this.#polled.clear();
	}

	/** Watches what is not watched yet: new folders, those made again, and those that could not be watched before. */
	#watchAll(): void {
		const { agentDir, folders } = this.#options;
		const root = sessionsRoot(agentDir);
		for (const folder of folders ?? [root, ...finish(projectFolders(root))]) this.#watch(folder);
	}

	#watch(folder: string): void {
		const of = identityOf(folder);
		const known = this.#watchers.get(folder);
		if (known && known.of === of) return;
		// A watch holds on to the folder that it began with, and is silent once that is deleted.
		known?.watcher.close();
		this.#watchers.delete(folder);
		const { watchFolder = watchWithPlatform } = this.#options;
		try {
			const watcher = watchFolder(folder, () => this.#changed());
			watcher.on("error", () => this.#fallBack(folder));
			this.#watchers.set(folder, { watcher, of });
			this.#polled.delete(folder);
		} catch (error) {
			// Out of watches, not there yet, or a file system without notices: looked at now and then instead.
			const before = errorCode(error) === "ENOENT" ? "" : undefined;
			if (!this.#polled.has(folder)) this.#polled.set(folder, before);
		}
	}

	#fallBack(folder: string): void {
		this.#watchers.get(folder)?.watcher.close();
		this.#watchers.delete(folder);
		if (!this.#stopped) this.#polled.set(folder, undefined);
	}

	#changed(): void {
		const { quietMs = 150, maxWaitMs = 1_000 } = this.#options;
		const now = performance.now();
		this.#firstChange ??= now;
		const wait = Math.max(0, Math.min(quietMs, this.#firstChange + maxWaitMs - now));
		clearTimeout(this.#calm);
		this.#calm = setTimeout(() => this.#tell(), wait).unref();
	}

	#tell(): void {
		this.#firstChange = undefined;
		// A new project's folder may be what changed; one that could not be watched may be there now.
		this.#watchAll();
		this.#options.onChange();
	}

	#schedulePoll(): void {
		const { pollMs = 5_000 } = this.#options;
		this.#poll = setTimeout(async () => {
			if ([...this.#watchers].some(([folder, { of }]) => identityOf(folder) !== of)) this.#changed();
			await this.#look();
			if (!this.#stopped) this.#schedulePoll();
		}, pollMs).unref();
	}

	/** A folder that could not be watched is told of when its listing differs from the last one. */
	async #look(): Promise<void> {
		for (const [folder, before] of [...this.#polled]) {
			for await (const now of runSteps(fingerprint(folder))) {
				if (this.#stopped) return;
				this.#polled.set(folder, now);
				if (before !== undefined && now !== before) this.#changed();
			}
		}
	}
}

/** Tells a folder from one that was made in its place; numbers of inodes are given again at once. Undefined: not there. */
function identityOf(folder: string): string | undefined {
	try {
		const stat = statSync(folder, { throwIfNoEntry: false });
		return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
	} catch {
		// Not ours to look at any more: for a watch, as good as gone.
		return undefined;
	}
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

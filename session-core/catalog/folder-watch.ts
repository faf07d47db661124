import { type FSWatcher, mkdirSync, statSync, watch } from "node:fs";
import { basename } from "node:path";

export interface FolderWatch {
	/** False if nothing can be watched. */
	isOn(): boolean;
	/** Watches again if watching ended unnoticed. */
	look(): void;
	end(): void;
}

/**
 * Watches a folder of ours, which is created if needed. `changed` gets the name of what changed; undefined: it may be
 * anything. Does not keep the process alive. If nothing can be watched, nothing is reported.
 */
export function watchFolder(folder: string, changed: (name: string | undefined) => void): FolderWatch {
	let watcher: FSWatcher | undefined;
	/** Identity of the watched folder; another may be created in its place. */
	let watched: string | undefined;

	function begin(): void {
		stop();
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			watched = identityOf(folder);
			watcher = watch(folder, { persistent: false }, (_event, name) => {
				// Its own name: it was removed or moved.
				const isGone = name === basename(folder) || identityOf(folder) !== watched;
				if (isGone) begin();
				changed(isGone || name === null ? undefined : name);
			});
			watcher.on("error", stop);
		} catch {
			// Out of watches, or a file system without notices.
			stop();
		}
	}

	function stop(): void {
		watcher?.close();
		watcher = undefined;
		watched = undefined;
	}

	begin();
	return {
		isOn: () => watcher !== undefined,
		look() {
			if (watched === undefined || identityOf(folder) !== watched) begin();
		},
		end: stop,
	};
}

/** Tells a folder from one that was created in its place; inode numbers are reused at once. Undefined: not there. */
export function identityOf(folder: string): string | undefined {
	try {
		const stat = statSync(folder, { throwIfNoEntry: false });
		return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
	} catch {
		// No longer accessible: for a watcher, as good as gone.
		return undefined;
	}
}

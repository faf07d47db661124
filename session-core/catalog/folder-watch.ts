import { type FSWatcher, mkdirSync, statSync, watch } from "node:fs";
import { basename } from "node:path";

export interface FolderWatch {
	/** False if nothing can be watched. */
	isOn(): boolean;
	/** Restarts the watcher if it has ended unnoticed. */
	look(): void;
	end(): void;
}

/**
 * Watches one of the suite's folders, which is created if needed. `changed` receives the name of the
 * changed file, or undefined if it is unknown. Does not keep the process alive. If watching is
 * impossible, nothing is reported.
 */
export function watchFolder(folder: string, changed: (name: string | undefined) => void): FolderWatch {
	let watcher: FSWatcher | undefined;
	/** Identity of the watched folder, because another one may be created in its place. */
	let watched: string | undefined;

	function begin(): void {
		stop();
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			watched = identityOf(folder);
			watcher = watch(folder, { persistent: false }, (_event, name) => {
				// The folder's own name: it was removed or moved.
				const isGone = name === basename(folder) || identityOf(folder) !== watched;
				if (isGone) begin();
				changed(isGone || name === null ? undefined : name);
			});
			watcher.on("error", stop);
		} catch {
			// No watches are left, or the file system does not support them.
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

/** Distinguishes a folder from a later one with the same path, because inode numbers are reused at once. Undefined: it does not exist. */
export function identityOf(folder: string): string | undefined {
	try {
		const stat = statSync(folder, { throwIfNoEntry: false });
		return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeMs}`;
	} catch {
		// No longer accessible, which is the same as removed for a watcher.
		return undefined;
	}
}

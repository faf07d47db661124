import { type FSWatcher, mkdirSync, statSync, watch } from "node:fs";
import { basename } from "node:path";

export interface FolderWatch {
	/** False where nothing can be watched. */
	isOn(): boolean;
	/** Watches again where watching ended unnoticed. */
	look(): void;
	end(): void;
}

/**
 * Watches a folder of ours, which is made where it is not there. `changed` gets the name of what changed; undefined: it may be
 * anything. Keeps no process alive. Where nothing can be watched, nothing is told.
 */
export function watchFolder(folder: string, changed: (name: string | undefined) => void): FolderWatch {
	let watcher: FSWatcher | undefined;
	/** The folder that is watched; another may come to stand in its place. */
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

/** Inode numbers are used again at once. */
function identityOf(folder: string): string | undefined {
	try {
		const { dev, ino, birthtimeMs } = statSync(folder);
		return `${dev}:${ino}:${birthtimeMs}`;
	} catch {
		// It is gone, or not ours to look at any more.
		return undefined;
	}
}

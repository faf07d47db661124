import { type FSWatcher, watch } from "node:fs";
import { identityOf } from "./file-system.ts";

export interface FolderWatch {
	/**
	 * False if the folder is not watched: it is missing, the system has run out of watches, or the file
	 * system does not support watching.
	 */
	readonly isOn: boolean;
	/**
	 * Watches the folder again if it was replaced or could not be watched. Returns true if changes may
	 * have been missed.
	 */
	renew(): boolean;
	end(): void;
}

export function watchFolder(
	folder: string,
	changed: (event: "rename" | "change", name: string | null) => void,
): FolderWatch {
	let watcher: FSWatcher | undefined;
	/** A watcher reports nothing once its folder is deleted, even if a new folder has the same path. */
	let watched: string | undefined;
	const end = () => {
		watcher?.close();
		watcher = undefined;
	};
	const begin = () => {
		end();
		watched = identityOf(folder);
		try {
			watcher = watch(folder, { persistent: false }, changed).on("error", end);
		} catch {
			// Watching is optional: if `isOn` is false, the caller checks the folder at intervals.
		}
	};
	begin();
	return {
		get isOn() {
			return watcher !== undefined;
		},
		renew() {
			const now = identityOf(folder);
			if (now === watched && (watcher || now === undefined)) return false;
			begin();
			return true;
		},
		end,
	};
}

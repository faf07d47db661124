import { type FSWatcher, watch } from "node:fs";
import { identityOf } from "./regular-file.ts";

export interface FolderWatch {
	/** False if the folder does not exist, the system has no watches left, or the file system supports none. */
	readonly isOn: boolean;
	/** Watches the folder again if it was replaced or could not be watched before. Returns true if changes may have been missed. */
	renew(): boolean;
	end(): void;
}

/** Calls `changed` like a listener of `fs.watch`. Does not keep the process alive. */
export function watchFolder(
	folder: string,
	changed: (event: "rename" | "change", name: string | null) => void,
): FolderWatch {
	let watcher: FSWatcher | undefined;
	/** A watcher stays bound to the folder for which it was created, and reports nothing once that folder is deleted. */
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
			// See `isOn`: the caller polls.
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

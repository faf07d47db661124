import { type FSWatcher, mkdirSync, statSync, watch } from "node:fs";
import { basename } from "node:path";
import { noteFolder, noteName, takeNote } from "./name-notes.ts";

export interface NameWatch {
	/** Looks whether a note came unnoticed, and watches again where watching ended. */
	look(): void;
	end(): void;
}

/** Gives the names that are left for one opening of a session to `named`. Keeps no process alive. */
export function watchNames(agentDir: string, instance: string, named: (name: string) => void): NameWatch {
	const folder = noteFolder(agentDir);
	let watcher: FSWatcher | undefined;
	/** The folder that is watched; another may come to stand in its place. */
	let watched: string | undefined;

	function take(): void {
		const name = takeNote(agentDir, instance);
		if (name !== undefined) named(name);
	}

	function begin(): void {
		stop();
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			watched = identityOf(folder);
			watcher = watch(folder, { persistent: false }, (_event, name) => {
				// Its own name: it was removed or moved.
				const isGone = name === basename(folder) || identityOf(folder) !== watched;
				if (isGone) begin();
				if (isGone || name === null || name === noteName(instance)) take();
			});
			watcher.on("error", stop);
		} catch {
			// Out of watches, or a file system without notices: who leaves a note then waits in vain and does without.
			stop();
		}
	}

	function stop(): void {
		watcher?.close();
		watcher = undefined;
		watched = undefined;
	}

	begin();
	take();
	return {
		look() {
			if (watched === undefined || identityOf(folder) !== watched) begin();
			take();
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

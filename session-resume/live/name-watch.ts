import { watchFolder } from "../../session-core/store/folder-watch.ts";
import { noteFolder, noteName, takeNote } from "./name-notes.ts";

export interface NameWatch {
	/** Looks whether a note came unnoticed, and watches again where watching ended. */
	look(): void;
	end(): void;
}

/**
 * Gives the names that are left for one opening of a session to `named`. Where nothing can be watched, who leaves a note waits in
 * vain and does without.
 */
export function watchNames(agentDir: string, instance: string, named: (name: string) => void): NameWatch {
	const watch = watchFolder(noteFolder(agentDir), (name) => {
		if (name === undefined || name === noteName(instance)) take();
	});

	function take(): void {
		const name = takeNote(agentDir, instance);
		if (name !== undefined) named(name);
	}

	take();
	return {
		look() {
			watch.look();
			take();
		},
		end: () => watch.end(),
	};
}

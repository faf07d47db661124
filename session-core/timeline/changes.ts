/** Collects the files that a session changed. A file keeps its identity when it is edited, renamed or removed. */

import type { PathNamer } from "../text/paths.ts";
import { type FileEdit, NO_LINES } from "./edits.ts";
import { removalOf, shellMoves } from "./shell-files.ts";
import { parseShell } from "./shell-grammar.ts";
import { stepsOf } from "./turn.ts";
import type { FileChange, Turn } from "./types.ts";

/** Maximum number of changed files. The most recently changed ones are kept. */
const KEPT = 60;

/** Returns every file that was changed in these turns, in the order of the changes, oldest first. */
export function changedFiles(turns: readonly Turn[], name: PathNamer): FileChange[] {
	const files = new Map<string, FileChange>();
	turns.forEach((turn, index) => {
		for (const step of stepsOf(turn)) {
			if (step.outcome !== "ok") continue;
			if (step.command !== undefined && /\b(?:mv|rm)\b/.test(step.command)) {
				const line = parseShell(step.command);
				for (const { from, to } of shellMoves(line, name))
					change(files, from, { path: to, kind: "moved", ...NO_LINES }, index);
				const isRemoved = removalOf(line, name);
				if (isRemoved) remove(files, isRemoved, index);
			}
			for (const edit of step.edits) change(files, edit.path, edit, index);
		}
	});
	return [...files.values()].slice(-KEPT);
}

/** Records a change. `before` is the path that the file had before the change. */
function change(files: Map<string, FileChange>, before: string, edit: FileEdit, turn: number): void {
	const merged = mergedEdit(files.get(before), edit);
	files.delete(before);
	files.set(edit.path, { ...merged, turn });
}

/**
 * Merges an edit into the earlier changes of its file. The kind of the first change is kept, because it shows whether the file existed
 * before.
 */
export function mergedEdit(
	known: Omit<FileChange, "turn"> | undefined,
	edit: FileEdit,
): Omit<FileChange, "turn"> {
	return {
		path: edit.path,
		kind: known && known.kind !== "removed" ? known.kind : edit.kind,
		diff: edit.diff,
		added: edit.added + (known?.added ?? 0),
		removed: edit.removed + (known?.removed ?? 0),
		times: 1 + (known?.times ?? 0),
	};
}

/** Removes a file. A file that the session created is no longer listed. A file that existed before is listed as removed. */
function remove(files: Map<string, FileChange>, isRemoved: (path: string) => boolean, turn: number): void {
	// Iterates over a copy of the entries, because the loop deletes entries and adds some of them again.
	for (const [path, file] of [...files]) {
		if (!isRemoved(path)) continue;
		files.delete(path);
		if (file.kind === "edited") files.set(path, { ...file, kind: "removed", turn });
	}
}

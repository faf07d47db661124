/** What a session changed: one file is one file over all its edits, renames and removals. */

import type { PathNamer } from "../text/paths.ts";
import { type FileEdit, NO_LINES } from "./edits.ts";
import { removalOf, shellMoves } from "./shell-files.ts";
import { parseShell } from "./shell-grammar.ts";
import { stepsOf } from "./turn.ts";
import type { FileChange, Turn } from "./types.ts";

/** Files kept, newest. */
const KEPT = 60;

/** Every file that the turns changed, oldest change first. */
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

/** `before`: the path that the file had until then. */
function change(files: Map<string, FileChange>, before: string, edit: FileEdit, turn: number): void {
	const merged = mergedEdit(files.get(before), edit);
	files.delete(before);
	files.set(edit.path, { ...merged, turn });
}

/** One more edit of a file. The first change tells whether the file stood there before. */
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

/** A file that the session itself made to try something out is gone without a trace; what stood there before is missed. */
function remove(files: Map<string, FileChange>, isRemoved: (path: string) => boolean, turn: number): void {
	// A copy: what is put back must not be met again.
	for (const [path, file] of [...files]) {
		if (!isRemoved(path)) continue;
		files.delete(path);
		if (file.kind === "edited") files.set(path, { ...file, kind: "removed", turn });
	}
}

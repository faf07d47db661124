/** What a session changed: one file is one file over all its edits, renames and removals. */

import { removalOf, shellMoves } from "../shell/files.ts";
import { parseShell } from "../shell/grammar.ts";
import type { PathNamer } from "../text/paths.ts";
import { type FileChange, type FileEdit, isStep, type Turn } from "./types.ts";

/** Files kept, newest. */
const KEPT = 60;

/** Every file that the turns changed, oldest change first. */
export function changedFiles(turns: readonly Turn[], name: PathNamer): FileChange[] {
	const files = new Map<string, FileChange>();
	turns.forEach((turn, index) => {
		for (const step of turn.steps) {
			if (!isStep(step) || step.outcome !== "ok") continue;
			if (step.command !== undefined && /\b(?:mv|rm)\b/.test(step.command)) {
				const line = parseShell(step.command);
				for (const { from, to } of shellMoves(line, name)) move(files, from, to, index);
				const isRemoved = removalOf(line, name);
				if (isRemoved) remove(files, isRemoved, index);
			}
			for (const edit of step.edits) add(files, edit, index);
		}
	});
	return [...files.values()].slice(-KEPT);
}

function add(files: Map<string, FileChange>, edit: FileEdit, turn: number): void {
	const known = files.get(edit.path);
	files.delete(edit.path);
	files.set(edit.path, {
		...edit,
		// The first change tells whether the file stood there before.
		kind: known && known.kind !== "removed" ? known.kind : edit.kind,
		added: edit.added + (known?.added ?? 0),
		removed: edit.removed + (known?.removed ?? 0),
		times: 1 + (known?.times ?? 0),
		turn,
	});
}

function move(files: Map<string, FileChange>, from: string, to: string, turn: number): void {
	const known = files.get(from);
	files.delete(from);
	files.set(to, {
		path: to,
		kind: known?.kind ?? "moved",
		added: known?.added ?? 0,
		removed: known?.removed ?? 0,
		times: 1 + (known?.times ?? 0),
		turn,
	});
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

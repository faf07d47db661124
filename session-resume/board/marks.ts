import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { indexFolder } from "../../session-core/store/index-file.ts";
import { errorCode } from "../../session-core/store/regular-file.ts";
import type { Mark, Marks } from "./types.ts";

/**
 * Pins and the archive: one empty file a mark, beside the index and not part of it, so that they outlive each of its versions.
 * A file is there or it is not: any number of processes may set and take away marks at once, and nothing can be torn.
 */

const MARKS: readonly Mark[] = ["pinned", "archived"];

/** All marks. Whatever cannot be read marks nothing. */
export function readMarks(agentDir: string): Marks {
	const found = { pinned: new Set<string>(), archived: new Set<string>() };
	for (const file of filesIn(folderOf(agentDir))) {
		for (const mark of MARKS) if (file.endsWith(`.${mark}`)) found[mark].add(file.slice(0, -mark.length - 1));
	}
	return found;
}

export type MarkOutcome = { ok: true } | { ok: false; detail: string };

/** Marks a session, or takes the mark away. Twice is as good as once. */
export function setMark(agentDir: string, name: string, mark: Mark, on: boolean): MarkOutcome {
	const folder = folderOf(agentDir);
	const file = join(folder, `${name}.${mark}`);
	try {
		if (on) {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			writeFileSync(file, "", { flag: "wx", mode: 0o600 });
		} else rmSync(file, { force: true });
		return { ok: true };
	} catch (error) {
		// Another process has just set it.
		if (errorCode(error) === "EEXIST" && existsSync(file)) return { ok: true };
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

/** A session that is gone has no marks. What cannot be taken away marks nothing that there is. */
export function dropMarks(agentDir: string, name: string): void {
	for (const mark of MARKS) setMark(agentDir, name, mark, false);
}

function folderOf(agentDir: string): string {
	return join(indexFolder(agentDir), "marks");
}

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Nobody has marked anything yet, or it cannot be read.
		return [];
	}
}

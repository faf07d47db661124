import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cacheFolder } from "../../session-core/catalog/cache.ts";
import { errorCode } from "../../session-core/regular-file.ts";

/**
 * Pins and the archive: one empty file for each mark, beside the index but not part of it, so that marks outlive every version
 * of the index. A file exists or it does not: any number of processes may set and remove marks at once, and nothing can be torn.
 */

/** The marks that a user can set on a session. */
export type Mark = "pinned" | "archived";

/** The names of the marked sessions, as `markOf` gives them. */
export type Marks = Readonly<Record<Mark, ReadonlySet<string>>>;

const MARKS: readonly Mark[] = ["pinned", "archived"];

/** The host's file name contains the session's time and id, so it is unique. */
const HOST_NAME = /^[\w.-]{1,120}_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/;

/** Returns the name of a session's marks: its file's name if that is unique, so that a moved folder keeps its marks, else its path. */
export function markOf(path: string): string {
	const name = basename(path);
	return HOST_NAME.test(name) ? name : createHash("sha256").update(path).digest("hex").slice(0, 40);
}

/** Returns all marks. Files that cannot be read count as no marks. */
export function readMarks(agentDir: string): Marks {
	const found = { pinned: new Set<string>(), archived: new Set<string>() };
	for (const file of filesIn(folderOf(agentDir))) {
		for (const mark of MARKS) if (file.endsWith(`.${mark}`)) found[mark].add(file.slice(0, -mark.length - 1));
	}
	return found;
}

export type MarkOutcome = { ok: true } | { ok: false; detail: string };

/** Sets or removes a mark. Doing it twice changes nothing. */
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
		// Another process has just set the mark.
		if (errorCode(error) === "EEXIST" && existsSync(file)) return { ok: true };
		return { ok: false, detail: error instanceof Error ? error.message : String(error) };
	}
}

/** Removes all marks of a deleted session. A remaining mark is harmless, because no session has its name. */
export function dropMarks(agentDir: string, name: string): void {
	for (const mark of MARKS) setMark(agentDir, name, mark, false);
}

function folderOf(agentDir: string): string {
	return join(cacheFolder(agentDir), "marks");
}

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Nothing has been marked yet, or the folder cannot be read.
		return [];
	}
}

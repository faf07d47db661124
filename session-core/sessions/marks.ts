import { createHash } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode, errorText, makeFolder, namesIn, type WriteOutcome } from "../text/index.ts";

/** A mark pins or archives a session. Each mark is an empty file, so marks need no lock. */

export type Mark = "pinned" | "archived";

export type Marks = Readonly<Record<Mark, ReadonlySet<string>>>;

const MARKS: readonly Mark[] = ["pinned", "archived"];

/**
 * Matches the names that pi gives to session files. Each name is unique, because it contains a UUID.
 */
const HOST_NAME = /^[\w.-]{1,120}_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/;

/**
 * Returns the key for a session's marks. For a file named by pi, the key is the unique file name, so that
 * marks remain valid if the folder moves. For any other file, the key is a hash of the path.
 */
export function markOf(path: string): string {
	const name = basename(path);
	return HOST_NAME.test(name) ? name : createHash("sha256").update(path).digest("hex").slice(0, 40);
}

export function readMarks(agentDir: string): Marks {
	const found = { pinned: new Set<string>(), archived: new Set<string>() };
	for (const file of namesIn(folderOf(agentDir))) {
		for (const mark of MARKS) if (file.endsWith(`.${mark}`)) found[mark].add(file.slice(0, -mark.length - 1));
	}
	return found;
}

export function setMark(agentDir: string, name: string, mark: Mark, on: boolean): WriteOutcome {
	const folder = folderOf(agentDir);
	const file = join(folder, `${name}.${mark}`);
	try {
		if (on) {
			makeFolder(folder);
			writeFileSync(file, "", { flag: "wx", mode: 0o600 });
		} else rmSync(file, { force: true });
		return { ok: true };
	} catch (error) {
		if (errorCode(error) === "EEXIST" && existsSync(file)) return { ok: true };
		return { ok: false, detail: errorText(error) };
	}
}

/** Removes a deleted session's marks. A leftover mark is harmless, so errors are ignored. */
export function dropMarks(agentDir: string, name: string): void {
	for (const mark of MARKS) setMark(agentDir, name, mark, false);
}

function folderOf(agentDir: string): string {
	const suite = join(agentDir, "session-suite");
	const folder = join(suite, "marks");
	try {
		// Earlier versions stored marks in the same folder as the session index.
		if (!existsSync(folder)) renameSync(join(suite, "index", "marks"), folder);
	} catch {
		// The error is ignored, because the old folder exists only if an earlier version stored marks.
	}
	return folder;
}

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode, errorText, type WriteOutcome } from "../text/files/index.ts";
import { cacheFolder } from "./cache.ts";

/** Each mark is an empty file beside the index, so it needs no lock and survives a rebuild of the index. */

export type Mark = "pinned" | "archived";

export type Marks = Readonly<Record<Mark, ReadonlySet<string>>>;

const MARKS: readonly Mark[] = ["pinned", "archived"];

/** Matches the names that the host gives to session files. Such a name contains the time and the id, so it is unique. */
const HOST_NAME = /^[\w.-]{1,120}_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/;

/** Returns the file's name if it is unique, so that marks remain if the folder is moved. Otherwise, returns a hash of the path. */
export function markOf(path: string): string {
	const name = basename(path);
	return HOST_NAME.test(name) ? name : createHash("sha256").update(path).digest("hex").slice(0, 40);
}

/** Returns all marks. If a mark cannot be read, the session counts as unmarked. */
export function readMarks(agentDir: string): Marks {
	const found = { pinned: new Set<string>(), archived: new Set<string>() };
	for (const file of filesIn(folderOf(agentDir))) {
		for (const mark of MARKS) if (file.endsWith(`.${mark}`)) found[mark].add(file.slice(0, -mark.length - 1));
	}
	return found;
}

export function setMark(agentDir: string, name: string, mark: Mark, on: boolean): WriteOutcome {
	const folder = folderOf(agentDir);
	const file = join(folder, `${name}.${mark}`);
	try {
		if (on) {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			writeFileSync(file, "", { flag: "wx", mode: 0o600 });
		} else rmSync(file, { force: true });
		return { ok: true };
	} catch (error) {
		// Another process has set this mark at the same time.
		if (errorCode(error) === "EEXIST" && existsSync(file)) return { ok: true };
		return { ok: false, detail: errorText(error) };
	}
}

/** Removes all marks of a deleted session. If a mark cannot be removed, it does no harm, because no other session has that name. */
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
		// Either no mark has been set yet, or the folder cannot be read.
		return [];
	}
}

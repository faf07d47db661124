import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode, errorText, type WriteOutcome } from "../text/files/index.ts";
import { cacheFolder } from "./cache.ts";

/** Each mark is an empty file beside the index, so it survives a rebuild and needs no lock. */

export type Mark = "pinned" | "archived";

export type Marks = Readonly<Record<Mark, ReadonlySet<string>>>;

const MARKS: readonly Mark[] = ["pinned", "archived"];

/** Matches the name that the host gives to a session's file. The name contains the time and the id, so it is unique. */
const HOST_NAME = /^[\w.-]{1,120}_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/;

/** Returns the file's name if it is unique, so that marks are kept when the folder is moved; otherwise, a hash of the path. */
export function markOf(path: string): string {
	const name = basename(path);
	return HOST_NAME.test(name) ? name : createHash("sha256").update(path).digest("hex").slice(0, 40);
}

/** Returns all marks. A mark that cannot be read counts as not set. */
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
		// Another process has just set this mark.
		if (errorCode(error) === "EEXIST" && existsSync(file)) return { ok: true };
		return { ok: false, detail: errorText(error) };
	}
}

/** Removes all marks of a deleted session. A mark that cannot be removed does no harm, because no remaining session has that name. */
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
		// No mark has been set yet, or the folder cannot be read.
		return [];
	}
}

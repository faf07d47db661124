import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { openLater } from "../../session-core/store/regular-file.ts";
import { shownWord } from "../../session-core/store/shown-line.ts";
import type { SessionFacts } from "./types.ts";

/** Folders above a project's that are looked at for its repository. */
const LEVELS = 12;
/** `.git` and `HEAD` are a line each; anything longer is not theirs. In characters. */
const LINE = 1_000;

/** The branch that is checked out where a session runs, and the worktree's name if it is one. Two small reads, no process. */
export async function readGitPlace(cwd: string): Promise<Pick<SessionFacts, "branch" | "worktree">> {
	const none = { branch: undefined, worktree: undefined };
	if (!cwd.startsWith("/") && !/^[A-Za-z]:/.test(cwd)) return none;
	let folder = resolve(cwd);
	for (let level = 0; level < LEVELS; level++) {
		const git = join(folder, ".git");
		const kind = await kindOf(git);
		if (kind === "folder") return { ...none, branch: await branchIn(git) };
		if (kind === "file") {
			const place = /^gitdir: (.+)$/m.exec((await lineOf(git)) ?? "")?.[1];
			if (place === undefined) return none;
			const gitdir = resolve(folder, place);
			const isWorktree = basename(dirname(gitdir)) === "worktrees";
			return {
				branch: await branchIn(gitdir),
				worktree: isWorktree ? shownWord(basename(gitdir)) : undefined,
			};
		}
		if (dirname(folder) === folder) return none;
		folder = dirname(folder);
	}
	return none;
}

async function branchIn(gitdir: string): Promise<string | undefined> {
	const head = join(gitdir, "HEAD");
	if ((await kindOf(head)) !== "file") return undefined;
	const branch = /^ref: refs\/heads\/(.+)$/m.exec((await lineOf(head)) ?? "")?.[1];
	return branch === undefined ? undefined : shownWord(branch.slice(0, 80));
}

/** Nothing but a regular file is opened: a pipe would keep its reader waiting. */
async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
	try {
		const found = await stat(path);
		if (found.isDirectory()) return "folder";
		return found.isFile() && found.size <= LINE ? "file" : undefined;
	} catch {
		// Not there, or not for us.
		return undefined;
	}
}

async function lineOf(path: string): Promise<string | undefined> {
	const opened = await openLater(path);
	if (!opened.ok) return undefined;
	try {
		return await opened.handle.readFile("utf8");
	} catch {
		// The file failed in mid-read.
		return undefined;
	} finally {
		await opened.handle.close();
	}
}

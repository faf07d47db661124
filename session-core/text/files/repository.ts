import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { basename, dirname, resolve } from "node:path";

export interface Checkout {
	/** The checked-out commit; absent before the first commit. */
	head?: string;
	/** The checked-out branch; absent if the head is detached. */
	branch?: string;
}

export interface Changes extends Checkout {
	/** The number of files with uncommitted changes, including untracked files; undefined if `git status` might run a program. */
	dirty?: number;
	/** The number of commits since `base`; undefined if it is unknown. */
	commits?: number;
}

/** Timeout for git in milliseconds. After that, the card is shown without git's answer. */
const GIT_DEADLINE_MS = 1_000;
/** Maximum size in bytes of the output of `git status` and `git config`. Larger output is ignored. */
const MOST_OUTPUT = 16 * 1024 * 1024;

const OBJECT_ID = /^[0-9a-f]{7,64}$/;

/** A folder's repository. Nothing waits for git; until git responds, its previous answer is used. */
export interface Repository {
	readonly last: Checkout | undefined;
	refresh(): Promise<void>;
	changes(base: string | undefined): Promise<Changes | undefined>;
}

export function createRepository(cwd: string): Repository {
	let last: Checkout | undefined;
	return {
		get last() {
			return last;
		},
		async refresh() {
			last = (await readCheckout(cwd)) ?? last;
		},
		async changes(base) {
			const changes = await readChanges(cwd, base);
			if (changes) last = changes;
			return changes;
		},
	};
}

/** Returns undefined if git is missing, if there is no repository, or if the deadline has passed. */
export async function readCheckout(cwd: string, deadlineMs = GIT_DEADLINE_MS): Promise<Checkout | undefined> {
	const text = await git(cwd, deadlineMs, ["rev-parse", "HEAD", "--abbrev-ref", "HEAD"]);
	const [head = "", branch = ""] = text?.split("\n") ?? [];
	if (!OBJECT_ID.test(head)) return undefined;
	return { head, ...(branch !== "" && branch !== "HEAD" && { branch }) };
}

/**
 * Like {@link readCheckout}, but also returns the number of uncommitted files and the number of commits since `base`. Both numbers are left
 * out if the repository's own configuration contains anything that could make git run a program or fetch objects.
 */
export async function readChanges(
	cwd: string,
	base: string | undefined,
	deadlineMs = GIT_DEADLINE_MS,
): Promise<Changes | undefined> {
	if (!(await isHarmless(cwd, deadlineMs))) return readCheckout(cwd, deadlineMs);
	const status = await git(cwd, deadlineMs, [
		"status",
		"--porcelain=v2",
		"--branch",
		"--ignore-submodules=all",
	]);
	if (status === undefined) return undefined;
	const changes = readStatus(status);
	const isMoved =
		base !== undefined && OBJECT_ID.test(base) && changes.head !== undefined && changes.head !== base;
	if (!isMoved) return changes;
	const count = await git(cwd, deadlineMs, ["rev-list", "--count", `${base}..${changes.head}`]);
	return count && /^\d+\s*$/.test(count) ? { ...changes, commits: Number(count) } : changes;
}

/**
 * Returns whether a file is the same as in the last commit, and when the last commit that changed it was made, in milliseconds since the
 * epoch (0: never). Without a repository, or if git might run a program, the file counts as changed.
 */
export async function fileState(
	path: string,
	deadlineMs = GIT_DEADLINE_MS,
): Promise<{ isClean: boolean; committedAt: number }> {
	const [cwd, file] = [dirname(path), `:(literal)${basename(path)}`];
	const unknown = { isClean: false, committedAt: 0 };
	// `git log` would run the program that verifies signatures if the repository's configuration asks for it.
	if (!(await isHarmless(cwd, deadlineMs))) return unknown;
	const time = await git(cwd, deadlineMs, ["log", "-1", "--format=%ct", "--", file]);
	if (time === undefined) return unknown;
	const how = ["status", "--porcelain", "--ignored", "--ignore-submodules=all", "--", file];
	const status = await git(cwd, deadlineMs, how);
	// A commit's time has no milliseconds, so it counts as made at the end of its second.
	const committedAt = time.trim() === "" ? 0 : Number(time) * 1_000 + 999;
	return { isClean: status?.trim() === "", committedAt };
}

/** Parses the output of `git status --porcelain=v2 --branch`: headers begin with `#`, and every other line is a path. */
function readStatus(text: string): Changes {
	const lines = text.split("\n").filter((line) => line !== "");
	const header = (name: string) =>
		lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
	const head = header("oid");
	const branch = header("head");
	return {
		...(head !== undefined && OBJECT_ID.test(head) && { head }),
		...(branch !== undefined && branch !== "(detached)" && { branch }),
		dirty: lines.filter((line) => !line.startsWith("#")).length,
	};
}

/**
 * Matches configuration keys that never make `git status` or `git rev-list` run a program. The harmless keys are listed, because a list of
 * the dangerous ones (filters, fsmonitor, promisors, helpers, …) would grow with each version of git. Included files need no separate
 * check, because git lists their keys as well.
 */
const HARMLESS_KEYS = new RegExp(
	`^(?:${[
		"include\\.path",
		"includeif\\..*\\.path",
		"core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|compression|sparsecheckout(?:cone)?|untrackedcache|commitgraph|multipackindex|preloadindex|checkstat|trustctime|splitindex|longpaths|protecthfs|protectntfs|excludesfile|whitespace)",
		"extensions\\.(?:worktreeconfig|objectformat|refstorage|relativeworktrees)",
		"remote\\..*\\.(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|gh-resolved)",
		"submodule\\..*\\.(?:url|active|branch)",
		"lfs\\.(?:repositoryformatversion|.*\\.(?:access|locksverify))",
		"(?:branch|user|author|committer|init|pull|push|fetch|rebase|commit|tag|status|color|advice|gc|maintenance|pack|index|feature)\\..*",
	].join("|")})$`,
	"s",
);
const OWN_SCOPES = new Set(["system", "global", "command"]);

/**
 * Whether the repository's configuration is harmless. Reading the configuration runs no program. git before 2.26 does not report where a
 * key comes from, so with such a version, no configuration counts as harmless.
 */
async function isHarmless(cwd: string, deadlineMs: number): Promise<boolean> {
	const listed = await git(cwd, deadlineMs, ["config", "--list", "--show-scope", "-z"]);
	if (listed === undefined) return false;
	const fields = listed.split("\0");
	for (let at = 0; at + 1 < fields.length; at += 2) {
		const scope = fields[at] ?? "";
		const key = fields[at + 1]?.split("\n", 1)[0] ?? "";
		if (!OWN_SCOPES.has(scope) && !HARMLESS_KEYS.test(key)) return false;
	}
	return true;
}

/**
 * Options for every git command. Each one turns off a git feature. Hooks in `.git/hooks`, for example, would otherwise run even if nothing
 * is configured.
 */
const SAFELY = [
	"--no-pager",
	"--no-optional-locks",
	"-c",
	"core.fsmonitor=false",
	"-c",
	`core.hooksPath=${devNull}`,
];
/** git versions before 2.39.4 ignore `GIT_NO_LAZY_FETCH`, but every version respects `GIT_ALLOW_PROTOCOL`. */
const OFFLINE = {
	GIT_OPTIONAL_LOCKS: "0",
	GIT_NO_LAZY_FETCH: "1",
	GIT_ALLOW_PROTOCOL: "none",
	GIT_TERMINAL_PROMPT: "0",
};

/** Runs git. Never rejects, even if git is missing or the folder does not exist. */
function git(cwd: string, deadlineMs: number, args: string[]): Promise<string | undefined> {
	return new Promise((done) => {
		execFile(
			"git",
			["-C", resolve(cwd), ...SAFELY, ...args],
			{
				// Windows looks for programs in the current directory first, so git is not started in the repository, which could contain a
				// `git.exe`.
				cwd: dirname(process.execPath),
				env: { ...process.env, ...OFFLINE },
				timeout: deadlineMs,
				maxBuffer: MOST_OUTPUT,
				windowsHide: true,
			},
			(error, stdout) => done(error ? undefined : stdout),
		);
	});
}

import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { basename, dirname, resolve } from "node:path";

export interface Checkout {
	head?: string;
	branch?: string;
}

export interface Changes extends Checkout {
	dirty?: number;
	commits?: number;
}

const GIT_DEADLINE_MS = 1_000;
const MOST_OUTPUT = 16 * 1024 * 1024;

const OBJECT_ID = /^[0-9a-f]{7,64}$/;

/** Callers never wait for git. Until git responds, callers get `last`, the previous result. */
export class Repository {
	last: Checkout | undefined;
	readonly cwd: string;

	constructor(cwd: string) {
		this.cwd = cwd;
	}

	async refresh(): Promise<void> {
		this.last = (await readCheckout(this.cwd)) ?? this.last;
	}

	async changes(base: string | undefined): Promise<Changes | undefined> {
		const changes = await readChanges(this.cwd, base);
		this.last = changes ?? this.last;
		return changes;
	}
}

export async function readCheckout(cwd: string, deadlineMs = GIT_DEADLINE_MS): Promise<Checkout | undefined> {
	const text = await git(cwd, deadlineMs, ["rev-parse", "HEAD", "--abbrev-ref", "HEAD"]);
	const [head = "", branch = ""] = text?.split("\n") ?? [];
	if (!OBJECT_ID.test(head)) return undefined;
	return { head, ...(branch !== "" && branch !== "HEAD" && { branch }) };
}

export async function readChanges(
	cwd: string,
	base: string | undefined,
	deadlineMs = GIT_DEADLINE_MS,
): Promise<Changes | undefined> {
	const status = await readStatusOf(cwd, deadlineMs, ["--porcelain=v2", "--branch"]);
	if (status === undefined) return readCheckout(cwd, deadlineMs);
	const changes = readStatus(status);
	const { head = base } = changes;
	if (base === undefined || !OBJECT_ID.test(base) || head === base) return changes;
	const count = await git(cwd, deadlineMs, ["rev-list", "--count", `${base}..${head}`]);
	return count && /^\d+\s*$/.test(count) ? { ...changes, commits: Number(count) } : changes;
}

/**
 * A file outside a git repository is treated as changed. `committedAt` is in milliseconds since the
 * epoch, or 0 if the file was never committed.
 */
export async function fileState(
	path: string,
	deadlineMs = GIT_DEADLINE_MS,
): Promise<{ isClean: boolean; committedAt: number }> {
	const [cwd, file] = [dirname(path), `:(literal)${basename(path)}`];
	// Without `--no-show-signature`, a repository could make git run a program to verify signatures.
	const time = await git(cwd, deadlineMs, ["log", "-1", "--no-show-signature", "--format=%ct", "--", file]);
	if (time === undefined) return { isClean: false, committedAt: 0 };
	const status = await readStatusOf(cwd, deadlineMs, ["--porcelain", "--ignored", "--", file]);
	// git stores commit times without milliseconds, so the end of the second is used as the commit time.
	const committedAt = time.trim() === "" ? 0 : Number(time) * 1_000 + 999;
	return { isClean: status?.trim() === "", committedAt };
}

async function readStatusOf(cwd: string, deadlineMs: number, args: string[]): Promise<string | undefined> {
	const off = await withoutFilters(cwd, deadlineMs);
	return off && git(cwd, deadlineMs, [...off, "status", "--ignore-submodules=all", ...args]);
}

/**
 * In the output of `git status --porcelain=v2`, a line that begins with `#` is a header, and every other
 * line is a path.
 */
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
 * `git status` runs filter programs on changed files, and a repository can choose the programs that
 * git-lfs runs. The returned options turn off all filters, including the user's own. Returns undefined if
 * a filter cannot be turned off.
 */
async function withoutFilters(cwd: string, deadlineMs: number): Promise<string[] | undefined> {
	const listed = await git(cwd, deadlineMs, ["config", "--list", "--name-only", "-z"]);
	const filters = new Set(listed?.match(/(?<=^|\0)filter\.[^\0]*(?=\.[^.\0]*(?:\0|$))/g));
	if (listed === undefined || [...filters].some((name) => name.includes("="))) return undefined;
	return [...filters].flatMap((name) =>
		["clean=", "process=", "required=false"].flatMap((value) => ["-c", `${name}.${value}`]),
	);
}

/**
 * These git options prevent a malicious repository from starting programs, for example through a hook in
 * `.git/hooks`.
 */
const SAFELY = [
	"--no-pager",
	"--no-optional-locks",
	"-c",
	"core.fsmonitor=false",
	"-c",
	`core.hooksPath=${devNull}`,
];
/**
 * git versions before 2.39.4 ignore `GIT_NO_LAZY_FETCH`, but every version respects
 * `GIT_ALLOW_PROTOCOL`.
 */
const OFFLINE = {
	GIT_OPTIONAL_LOCKS: "0",
	GIT_NO_LAZY_FETCH: "1",
	GIT_ALLOW_PROTOCOL: "none",
	GIT_TERMINAL_PROMPT: "0",
};

function git(cwd: string, deadlineMs: number, args: string[]): Promise<string | undefined> {
	return new Promise((done) => {
		execFile(
			"git",
			["-C", resolve(cwd), ...SAFELY, ...args],
			{
				// On Windows, a `git.exe` in the current folder would be run, so git is started outside the repository.
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

/** Runs a program; the host's `pi.exec`. Never rejects: a program that is missing is one that failed. */
export type Exec = (
	command: string,
	args: string[],
	options: { cwd: string; timeout: number },
) => Promise<{ stdout: string; code: number; killed: boolean }>;

/** Where a folder's repository stands. */
export interface Checkout {
	/** Absent before the first commit. */
	head?: string;
	/** Absent when detached. */
	branch?: string;
}

export interface Changes extends Checkout {
	/** Files with changes that are not committed, untracked ones included. */
	dirty: number;
	/** Commits since `base`; undefined: not known. */
	commits?: number;
}

/** Milliseconds that git may take before the card goes without it. */
export const GIT_DEADLINE_MS = 1_000;

const OBJECT_ID = /^[0-9a-f]{7,64}$/;

/** The agent may be at work in the same repository: no locks. And opening a folder must not run what it configures. */
const SAFELY = ["--no-optional-locks", "-c", "core.fsmonitor=false"];

/** Branch and commit that are checked out. Undefined without git, without a repository, or too late. */
export async function readCheckout(exec: Exec, cwd: string): Promise<Checkout | undefined> {
	const text = await git(exec, cwd, ["rev-parse", "HEAD", "--abbrev-ref", "HEAD"]);
	const [head = "", branch = ""] = text?.split("\n") ?? [];
	if (!OBJECT_ID.test(head)) return undefined;
	return { head, ...(branch !== "" && branch !== "HEAD" && { branch }) };
}

/** The same with what is not committed, and the commits since `base`. */
export async function readChanges(
	exec: Exec,
	cwd: string,
	base: string | undefined,
): Promise<Changes | undefined> {
	const status = await git(exec, cwd, ["status", "--porcelain=v2", "--branch", "--ignore-submodules=dirty"]);
	if (status === undefined) return undefined;
	const changes = readStatus(status);
	const isMoved =
		base !== undefined && OBJECT_ID.test(base) && changes.head !== undefined && changes.head !== base;
	if (!isMoved) return changes;
	const count = await git(exec, cwd, ["rev-list", "--count", `${base}..${changes.head}`]);
	return count && /^\d+\s*$/.test(count) ? { ...changes, commits: Number(count) } : changes;
}

/** Reads `git status --porcelain=v2 --branch`: headers begin with `#`, every other line is a path. */
export function readStatus(text: string): Changes {
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

async function git(exec: Exec, cwd: string, args: string[]): Promise<string | undefined> {
	try {
		const { stdout, code, killed } = await exec("git", [...SAFELY, ...args], {
			cwd,
			timeout: GIT_DEADLINE_MS,
		});
		return code === 0 && !killed ? stdout : undefined;
	} catch {
		// The host's instance is over: nobody waits for the answer.
		return undefined;
	}
}

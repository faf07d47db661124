import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as repository from "./repository.ts";

/** A busy machine must not fail these tests. */
const DEADLINE_MS = 60_000;
const readCheckout = (cwd: string) => repository.readCheckout(cwd, DEADLINE_MS);
const readChanges = (cwd: string, base: string | undefined) => repository.readChanges(cwd, base, DEADLINE_MS);

let root: string;
let folder: string;
/** The path of a file that any program run by git writes. */
let ran: string;
let program: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "repository-"));
	folder = join(root, "work");
	mkdirSync(folder);
	ran = join(root, "ran");
	program = join(root, "program");
	writeFileSync(program, `#!/bin/sh\necho ran >>'${ran}'\ncat\n`);
	chmodSync(program, 0o755);
	git("init", "-q", "-b", "main");
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(root, { recursive: true, force: true });
});

function gitIn(cwd: string, ...args: string[]): string {
	const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
	const options = { cwd, encoding: "utf8", stdio: "pipe" } as const;
	return execFileSync("git", [...identity, "-c", "protocol.file.allow=always", ...args], options).trim();
}
const git = (...args: string[]) => gitIn(folder, ...args);
function commit(name: string): string {
	writeFileSync(join(folder, name), name);
	git("add", ".");
	git("commit", "-q", "-m", name);
	return git("rev-parse", "HEAD");
}
/**
 * Makes the file's time differ from the index. Git then reads the file again and runs filters on it.
 */
function touch(name: string): void {
	utimesSync(join(folder, name), 1, 1);
}

describe("a repository", () => {
	test("has a branch and a commit, and changes since another commit", async () => {
		const first = commit("one");
		expect(await readCheckout(folder)).toEqual({ head: first, branch: "main" });
		commit("two");
		const last = commit("three");
		writeFileSync(join(folder, "four"), "not added");
		writeFileSync(join(folder, "one"), "changed");
		const changes = await readChanges(folder, first);
		expect(changes).toEqual({ head: last, branch: "main", dirty: 2, commits: 2 });
	});

	test("has no branch when detached, and no head before the first commit", async () => {
		expect(await readCheckout(folder)).toBeUndefined();
		expect(await readChanges(folder, undefined)).toEqual({ branch: "main", dirty: 0 });
		const head = commit("one");
		git("checkout", "-q", "--detach");
		expect(await readCheckout(folder)).toEqual({ head });
		expect(await readChanges(folder, head)).toEqual({ head, dirty: 0 });
	});

	test("that was cloned, with a worktree of its own and a submodule, is read like any other", async () => {
		commit("one");
		const clone = join(root, "clone");
		gitIn(root, "clone", "-q", folder, clone);
		gitIn(clone, "submodule", "--quiet", "add", folder, "sub");
		expect(await readChanges(clone, undefined)).toMatchObject({ branch: "main", dirty: 1 });
		gitIn(clone, "worktree", "add", "-q", "-b", "side", join(root, "side"));
		expect(await readChanges(join(root, "side"), undefined)).toMatchObject({ branch: "side", dirty: 0 });
	});

	test("takes only an object id from a record", async () => {
		commit("one");
		expect(await readChanges(folder, "--output=owned")).toMatchObject({ dirty: 0 });
		expect(existsSync(join(folder, "owned"))).toBe(false);
	});

	test("is undefined if git does not answer in time", async () => {
		const slow = join(root, "bin");
		mkdirSync(slow);
		writeFileSync(join(slow, "git"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
		vi.stubEnv("PATH", `${slow}:${process.env["PATH"]}`);
		expect(await repository.readChanges(folder, undefined, 20)).toBeUndefined();
	});

	test("is undefined without a repository, or if the folder is gone", async () => {
		expect(await readCheckout(root)).toBeUndefined();
		expect(await readChanges(root, undefined)).toBeUndefined();
		expect(await readChanges(join(root, "none"), undefined)).toBeUndefined();
	});
});

const attributes = (...lines: string[]) =>
	writeFileSync(join(folder, ".git", "info", "attributes"), lines.join("\n"));
const include = () => {
	writeFileSync(join(folder, "more"), `[filter "x"]\n\tclean = ${program}\n`);
	return "../more";
};

/**
 * Each function plants programs where git might run them. Filters are planted separately if one would
 * hide the other.
 */
const PLANTED: Record<string, () => void> = {
	"a clean filter and every other setting that names a program": () => {
		for (const name of ["x", "A.b", "", "é"]) git("config", `filter.${name}.clean`, program);
		attributes("one filter=x", "two filter=A.b", "three filter=", "four filter=é");
		const programs = ["filter.x.smudge", "core.fsmonitor", "core.pager", "diff.external", "diff.x.textconv"];
		for (const key of [...programs, "gpg.program", "lfs.extension.x.clean"]) git("config", key, program);
		for (const key of ["filter.x.required", "pager.config", "pager.status", "log.showSignature"])
			git("config", key, "true");
		for (const key of ["credential.helper", ..."status config rev-parse rev-list".split(" ").map(aliasOf)])
			git("config", key, `!${program}`);
	},
	"a clean filter with a name that git does not take as an option": () => {
		git("config", "filter.a=b.clean", program);
		attributes("* filter=a=b");
	},
	"a process filter": () => git("config", "filter.x.process", program),
	"an included file": () => git("config", "include.path", include()),
	"a file included on a condition": () => git("config", `includeIf.gitdir:${root}/.path`, include()),
	"a worktree's configuration": () => {
		git("config", "extensions.worktreeConfig", "true");
		git("config", "--worktree", "filter.x.clean", program);
	},
};
const aliasOf = (command: string) => `alias.${command}`;

describe("nothing that a repository configures is run", () => {
	test.each(Object.keys(PLANTED))("%s", async (name) => {
		commit("three");
		commit("four");
		const first = commit("one");
		const head = commit("two");
		writeFileSync(join(folder, ".gitattributes"), "* filter=x diff=x\n");
		PLANTED[name]?.();
		for (const file of ["one", "two", "three", "four"]) touch(file);
		expect(await readCheckout(folder)).toEqual({ head, branch: "main" });
		const isCounted = !name.includes("does not take");
		const counts = isCounted ? { dirty: existsSync(join(folder, "more")) ? 2 : 1, commits: 1 } : {};
		expect(await readChanges(folder, first)).toEqual({ head, branch: "main", ...counts });
		const { isClean, committedAt } = await repository.fileState(join(folder, "one"), DEADLINE_MS);
		expect([isClean, committedAt > 0]).toEqual([isCounted, true]);
		expect(existsSync(ran)).toBe(false);
	});

	test.each([".git/hooks", "core.hooksPath"])("hooks in %s", async (place) => {
		const head = commit("one");
		const hooks = place === ".git/hooks" ? join(folder, ".git", "hooks") : join(root, "hooks");
		mkdirSync(hooks, { recursive: true });
		for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman"])
			writeFileSync(join(hooks, hook), `#!/bin/sh\necho ran >>'${ran}'\n`, { mode: 0o755 });
		if (place !== ".git/hooks") git("config", "core.hooksPath", hooks);
		touch("one");
		expect(await readChanges(folder, undefined)).toEqual({ head, branch: "main", dirty: 0 });
		expect(existsSync(ran)).toBe(false);
	});

	test("a submodule with a configuration of its own", async () => {
		commit("one");
		const parent = join(root, "parent");
		gitIn(root, "init", "-q", "-b", "main", parent);
		gitIn(parent, "submodule", "--quiet", "add", folder, "sub");
		gitIn(parent, "commit", "-q", "-m", "sub");
		const sub = join(parent, "sub");
		appendFileSync(join(parent, ".git", "modules", "sub", "info", "attributes"), "* filter=x\n");
		gitIn(sub, "config", "filter.x.clean", program);
		gitIn(sub, "config", "core.fsmonitor", program);
		utimesSync(join(sub, "one"), 1, 1);
		expect(await readChanges(parent, undefined)).toMatchObject({ branch: "main", dirty: 0 });
		expect(await readChanges(sub, undefined)).toMatchObject({ branch: "main" });
		expect(existsSync(ran)).toBe(false);
	});

	test.each(["core.sshCommand", "remote.origin.vcs", "credential.helper"])(
		"a lazy fetch by %s",
		async (key) => {
			commit("one");
			const partial = join(root, "partial");
			git("config", "uploadpack.allowFilter", "true");
			gitIn(root, "clone", "-q", "--filter=blob:none", "--no-checkout", `file://${folder}`, partial);
			const address = key === "credential.helper" ? "https://user@127.0.0.1:1/x" : "ssh://nowhere.invalid/x";
			gitIn(partial, "config", "remote.origin.url", address);
			gitIn(partial, "config", key, key.endsWith("vcs") ? `ext::${program}` : program);
			const missing = "1".repeat(40);
			expect(await readChanges(partial, missing)).toMatchObject({ branch: "main" });
			// Even the commit that is checked out may be one that git would have to fetch.
			writeFileSync(join(partial, ".git", "refs", "heads", "main"), `${missing}\n`);
			await readCheckout(partial);
			await readChanges(partial, "2".repeat(40));
			expect(existsSync(ran)).toBe(false);
		},
	);
});

test("a filter that the user configured, such as git-lfs, does not run either", async () => {
	commit("one");
	const home = join(root, "gitconfig");
	writeFileSync(home, `[filter "x"]\n\tclean = ${program}\n`);
	writeFileSync(join(folder, ".git", "info", "attributes"), "* filter=x\n");
	git("config", "lfs.repositoryformatversion", "0");
	touch("one");
	vi.stubEnv("GIT_CONFIG_GLOBAL", home);
	expect(await readChanges(folder, undefined)).toMatchObject({ dirty: 0 });
	expect(existsSync(ran)).toBe(false);
});

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Exec, readChanges, readCheckout } from "./repository.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "repository-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As the host runs programs: a missing one is a failed one. */
const exec: Exec = (command, args, { cwd, timeout }) =>
	new Promise((resolve) => {
		execFile(command, args, { cwd, timeout }, (error, stdout) => {
			const killed = error?.killed === true;
			resolve({ stdout, killed, code: error ? 1 : 0 });
		});
	});

function git(...args: string[]): string {
	const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
	return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
}
function commit(name: string): string {
	writeFileSync(join(folder, name), name);
	git("add", ".");
	git("commit", "-q", "-m", name);
	return git("rev-parse", "HEAD");
}

describe("a repository", () => {
	test("tells its branch and commit, and what changed since one", async () => {
		git("init", "-q", "-b", "main");
		const first = commit("one");
		expect(await readCheckout(exec, folder)).toEqual({ head: first, branch: "main" });
		commit("two");
		const last = commit("three");
		writeFileSync(join(folder, "four"), "not added");
		writeFileSync(join(folder, "one"), "changed");
		const changes = await readChanges(exec, folder, first);
		expect(changes).toEqual({ head: last, branch: "main", dirty: 2, commits: 2 });
	});

	test("that is detached has no branch, one without commits no head", async () => {
		git("init", "-q", "-b", "main");
		expect(await readCheckout(exec, folder)).toBeUndefined();
		expect(await readChanges(exec, folder, undefined)).toEqual({ branch: "main", dirty: 0 });
		const head = commit("one");
		git("checkout", "-q", "--detach");
		expect(await readCheckout(exec, folder)).toEqual({ head });
		expect(await readChanges(exec, folder, head)).toEqual({ head, dirty: 0 });
	});

	test("runs nothing that the folder configures, and takes nothing from a record but an object's id", async () => {
		git("init", "-q", "-b", "main");
		commit("one");
		git("config", "core.fsmonitor", `touch ${join(folder, "ran")}`);
		const changes = await readChanges(exec, folder, "--output=owned");
		expect(changes).toMatchObject({ dirty: 0 });
	});

	test("that is none, or has no git to tell, says nothing", async () => {
		expect(await readCheckout(exec, folder)).toBeUndefined();
		expect(await readChanges(exec, folder, undefined)).toBeUndefined();
		const without: Exec = async () => ({ stdout: "", code: 1, killed: false });
		expect(await readChanges(without, folder, undefined)).toBeUndefined();
		const over: Exec = () => Promise.reject(new Error("stale"));
		expect(await readCheckout(over, folder)).toBeUndefined();
	});

	test("that takes too long is left alone after a second", async () => {
		const limits: number[] = [];
		const slow: Exec = async (_command, _args, { timeout }) => {
			limits.push(timeout);
			return { stdout: "# branch.oid abc", code: 0, killed: true };
		};
		expect(await readChanges(slow, folder, undefined)).toBeUndefined();
		expect(limits).toEqual([1000]);
	});
});

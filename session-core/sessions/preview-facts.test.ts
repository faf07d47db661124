import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SessionText, useTemporaryFolder } from "../log/session.test-support.ts";
import { readGitPlace, readPreviewFacts } from "./preview-facts.ts";

const folder = useTemporaryFolder();

function facts(text: string) {
	const path = join(folder(), "one.jsonl");
	writeFileSync(path, text);
	const row = { path, cwd: "", size: text.length, model: { provider: "acme", id: "m-1" } };
	return readPreviewFacts(row, { model: () => undefined, signal: new AbortController().signal });
}

const usage = (totalTokens: number, total: number) => ({
	usage: {
		input: 9,
		output: 9,
		cacheRead: 0,
		cacheWrite: 0,
		totalTokens,
		cost: { input: 0.5, output: 0.5, total },
	},
});

describe("figures from the whole file", () => {
	test("count the messages of the conversation, whatever the order of their keys, but not the host's own prompt", async () => {
		const text = new SessionText().entry("message", { message: { role: "system", content: "You are pi." } });
		text.user("one").assistant("two", { provider: "x" });
		const message = { content: `${"long ".repeat(200)}`, role: "user" };
		for (const id of ["e8", "e9"]) text.raw({ message, id, parentId: text.ids.at(-1), type: "message" });
		expect(await facts(`${text}`)).toMatchObject({ messages: 4 });
	});

	test("count messages and add up the cost of all replies, unless it is 0", async () => {
		const text = new SessionText().user("one").assistant("two", usage(100, 0.25)).user("three");
		text.assistant('a quoted "usage":{"totalTokens":7,"total":9}', usage(420, 0.5));
		expect(await facts(`${text}`)).toMatchObject({ messages: 4, cost: 0.75 });
		const free = new SessionText().user("one").assistant("two", usage(100, 0));
		expect(await facts(`${free}`)).toMatchObject({ messages: 2, cost: undefined });
	});
});

describe("the repository of a session", () => {
	test("the branch of its repository, from a folder below it", async () => {
		const root = folder();
		mkdirSync(join(root, ".git"));
		mkdirSync(join(root, "src", "deep"), { recursive: true });
		writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/fix/dates\n");
		expect(await readGitPlace(join(root, "src", "deep"))).toEqual({
			branch: "fix/dates",
			worktree: undefined,
		});
		writeFileSync(join(root, ".git", "HEAD"), "0123456789abcdef0123456789abcdef01234567\n");
		expect(await readGitPlace(root)).toEqual({ branch: undefined, worktree: undefined });
	});

	test("a worktree by its name, a submodule by its branch alone", async () => {
		const root = folder();
		for (const [name, place] of [
			["tree", "worktrees/dates"],
			["sub", "modules/sub"],
		] as const) {
			mkdirSync(join(root, "main.git", place), { recursive: true });
			mkdirSync(join(root, name));
			writeFileSync(join(root, "main.git", place, "HEAD"), "ref: refs/heads/dates\n");
			writeFileSync(join(root, name, ".git"), `gitdir: ../main.git/${place}\n`);
		}
		expect(await readGitPlace(join(root, "tree"))).toEqual({ branch: "dates", worktree: "dates" });
		expect(await readGitPlace(join(root, "sub"))).toEqual({ branch: "dates", worktree: undefined });
	});

	test("control characters are removed from a branch; without a folder there is none", async () => {
		const root = folder();
		mkdirSync(join(root, ".git"));
		writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/x\x1b[2Jy\n");
		expect((await readGitPlace(root)).branch).not.toContain("\x1b");
		expect(await readGitPlace("relative")).toEqual({ branch: undefined, worktree: undefined });
	});
});

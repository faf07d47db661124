import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, SessionText, useTemporaryFolder } from "../../session-core/store/store.test-support.ts";
import { forkAt } from "./fork-at.ts";

const folder = useTemporaryFolder();
const SOUND = new SessionText().user("Fix it").assistant("Done").user("More").assistant("There").toString();

const fork = (path: string, entryId = "e0000001") => forkAt({ path, entryId, cwd: "/x", folder: folder() });

test("a fork ends at the entry; the session stays as it is", () => {
	const path = put(join(folder(), "one.jsonl"), SOUND);
	const forked = fork(path);
	if (!forked.ok) throw new Error(forked.detail);
	expect(readFileSync(forked.path, "utf8")).toContain("e0000001");
	expect(readFileSync(forked.path, "utf8")).not.toContain("e0000002");
	expect(readFileSync(path, "utf8")).toBe(SOUND);
});

test.each([
	["NUL bytes before the header", `\0\0${SOUND}`],
	["a first line []", `[]\n${SOUND}`],
	["a first line null", `null\n${SOUND}`],
	["a circle of parents", `${SOUND}{"type":"custom","id":"a","parentId":"a"}\n`],
])("a file with %s is not opened for it", (_, damaged) => {
	const path = put(join(folder(), "one.jsonl"), damaged);
	expect(fork(path)).toEqual({ ok: false, detail: "Its file is damaged." });
	expect(readFileSync(path, "utf8")).toBe(damaged);
	expect(readdirSync(folder())).toEqual(["one.jsonl"]);
});

test("a pipe keeps nobody waiting", () => {
	const path = join(folder(), "pipe.jsonl");
	execFileSync("mkfifo", [path]);
	expect(fork(path)).toMatchObject({ ok: false });
});

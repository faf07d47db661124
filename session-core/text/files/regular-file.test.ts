import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { fileLeafId } from "../../log/append.ts";
import { checkSession } from "../../log/check-session.ts";
import { copySession } from "../../log/copy-session.ts";
import { settleNames } from "../../log/names-in-file.ts";
import { all, put, SessionText, useTemporaryFolder } from "../../log/session.test-support.ts";
import { openSessionFile } from "../../log/session-file.ts";
import { cachePath } from "../../sessions/cache.ts";
import { listSessions, type ScanReport } from "../../sessions/listing.ts";
import { liveLeases } from "../../sessions/live/lease-files.ts";
import { searchSessions } from "../../sessions/search/search.ts";
import { summarize } from "../../sessions/summary.ts";
import { makeFolder } from "./file-system.ts";
import { Pace } from "./pace.ts";
import { appendRegular, openRegular, readRegular, smallFile } from "./regular-file.ts";

const folder = useTemporaryFolder();

/** A pipe: opening it without O_NONBLOCK waits for a writer forever, and so would this test. */
function pipe(path = join(folder(), "pipe.jsonl")): string {
	execFileSync("mkfifo", [path]);
	return path;
}

test("a folder is not created, and the call ends, if a symlink leads to a place that accepts no files", () => {
	const link = join(folder(), "link");
	symlinkSync(process.platform === "linux" ? "/proc" : "/dev/null", link);
	expect(() => makeFolder(join(link, "index", "a"))).toThrow();
	makeFolder(join(folder(), "a", "b"));
	expect(statSync(join(folder(), "a", "b")).isDirectory()).toBe(true);
});

describe("a path that is no regular file", () => {
	it.each(["read", "append"] as const)("is not opened to %s, and the call does not wait", (to) => {
		expect(openRegular(pipe(), to)).toMatchObject({ ok: false, reason: "not_regular" });
		mkdirSync(join(folder(), "folder"));
		expect(openRegular(join(folder(), "folder"), to)).toMatchObject({ ok: false, reason: "not_regular" });
		symlinkSync("nowhere", join(folder(), "link"));
		expect(openRegular(join(folder(), "link"), to)).toMatchObject({ ok: false, reason: "symlink" });
		expect(openRegular(join(folder(), "none"), to)).toMatchObject({ ok: false, reason: "missing" });
	});

	test("does not block a reader", async () => {
		const path = pipe();
		expect(await checkSession(path)).toMatchObject({ ok: false, reason: "not_regular" });
		const copy = { path, folder: folder(), cwd: "/x", now: new Date() };
		expect(await copySession(copy)).toMatchObject({ ok: false });
		expect(await openSessionFile(path)).toMatchObject({ ok: false });
		expect(summarize(path)).toMatchObject({ ok: false });
		expect(fileLeafId(path)).toBeUndefined();
		const facts = { gap: 0 };
		expect(await settleNames(path, facts, Buffer.alloc(9), new Pace())).toEqual(facts);
		// A slow machine also reports intermediate results.
		const found = await all(searchSessions({ query: "x", rows: [{ path }] }));
		expect(found.at(-1)).toMatchObject({ done: true, hits: [], searched: 1 });
	});

	test("is only ignored if it replaces an index or a lease", async () => {
		const sessions = join(folder(), "sessions", "--code--");
		put(join(sessions, "one.jsonl"), new SessionText().user("Fix it").toString());
		const index = cachePath(folder(), sessions);
		mkdirSync(join(index, ".."), { recursive: true });
		pipe(index);
		const live = join(folder(), "session-suite", "live");
		mkdirSync(live);
		pipe(join(live, "1.json"));
		expect(liveLeases(folder(), Date.now())).toEqual([]);
		const reports: ScanReport[] = [];
		const scan = { agentDir: folder(), onReport: (report: ScanReport) => void reports.push(report) };
		expect(await listSessions(scan)).toMatchObject([{ id: "s-1" }]);
		await listSessions(scan);
		expect(reports).toMatchObject([{ read: 1 }, { read: 0 }]);
	});
});

describe("the reason why a file is not read", () => {
	test("says what is wrong with the file", () => {
		const path = put(join(folder(), "file"), "12345");
		expect(smallFile(path, 4)).toMatchObject({ ok: false, reason: "too_large", code: "" });
		expect(smallFile(`${path}\0`, 9)).toMatchObject({ ok: false, reason: "missing" });
		expect(smallFile(join(folder(), "x".repeat(300)), 9)).toMatchObject({
			reason: "failed",
			code: "ENAMETOOLONG",
		});
	});

	test.skipIf(process.getuid?.() === 0)("is the permission if the user may not read the file", () => {
		const path = put(join(folder(), "file"), "1");
		chmodSync(path, 0);
		expect(smallFile(path, 9)).toMatchObject({ ok: false, reason: "no_permission", code: "EACCES" });
	});

	test("is not given for a bug in the code that uses the file", () => {
		const path = put(join(folder(), "file"), "1");
		const bug = () => {
			throw new TypeError("not a function");
		};
		expect(() => readRegular(path, bug)).toThrow("not a function");
	});
});

describe("appending", () => {
	test("creates the folder and the file, which only the owner can read, and appends to existing content", () => {
		const path = join(folder(), "a", "b.jsonl");
		expect(appendRegular(path, "1\n")).toEqual({ ok: true });
		expect(appendRegular(path, "2\n")).toEqual({ ok: true });
		expect(readFileSync(path, "utf8")).toBe("1\n2\n");
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	test.each<[string, (path: string) => void]>([
		["a folder", (path) => mkdirSync(path)],
		["a pipe without a reader", (path) => execFileSync("mkfifo", [path])],
		["a link", (path) => symlinkSync(join(folder(), "target"), path)],
		["a file where the folder would be", (path) => writeFileSync(join(path, ".."), "")],
	])("%s in its place is a value, at once", (what, place) => {
		const path = join(folder(), what.startsWith("a file") ? "x/y" : "y");
		place(path);
		expect(appendRegular(path, "1\n")).toMatchObject({ ok: false });
	});
});

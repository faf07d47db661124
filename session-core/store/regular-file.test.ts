import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { fileLeafId } from "../session/file-leaf.ts";
import { hostReading, isReplaced } from "./host-reading.ts";
import { indexPath } from "./index-file.ts";
import { readLease } from "./lease.ts";
import { liveLeases } from "./live.ts";
import { settleNames } from "./names.ts";
import { openRegular } from "./regular-file.ts";
import { canRepair, repairCopy } from "./repaired-copy.ts";
import { scanSessions } from "./scan.ts";
import { searchSessions } from "./search.ts";
import { openSessionFile } from "./session-file.ts";
import { all, put, SessionText, useTemporaryFolder } from "./store.test-support.ts";
import { summarize } from "./summarize.ts";

const folder = useTemporaryFolder();

/** A pipe: whoever opens it carelessly waits for a writer for ever, and so does this test. */
function pipe(path = join(folder(), "pipe.jsonl")): string {
	execFileSync("mkfifo", [path]);
	return path;
}

describe("a path that is no regular file", () => {
	it.each(["read", "append", "write"] as const)("is not opened to %s, and nobody waits", (to) => {
		expect(openRegular(pipe(), to)).toMatchObject({ ok: false, reason: "not_regular" });
		mkdirSync(join(folder(), "folder"));
		expect(openRegular(join(folder(), "folder"), to)).toMatchObject({ ok: false, reason: "not_regular" });
		symlinkSync("nowhere", join(folder(), "link"));
		expect(openRegular(join(folder(), "link"), to)).toMatchObject({ ok: false, reason: "symlink" });
		expect(openRegular(join(folder(), "none"), to)).toMatchObject({ ok: false, reason: "missing" });
	});

	test("keeps no reader waiting", async () => {
		const path = pipe();
		expect(await hostReading(path)).toMatchObject({ ok: false, reason: "not_regular" });
		expect(isReplaced(path)).toBe(false);
		expect(await canRepair(path)).toBe(false);
		expect(await repairCopy({ path, folder: folder(), cwd: "/x", now: new Date() })).toMatchObject({
			ok: false,
		});
		expect(openSessionFile(path)).toMatchObject({ ok: false });
		expect(summarize(path)).toMatchObject({ ok: false });
		expect(fileLeafId(path)).toBeUndefined();
		expect(readLease(path)).toBeUndefined();
		const facts = { newer: {}, older: {}, gap: { from: 0, to: 9 } };
		expect([...settleNames(path, facts, Buffer.alloc(9))]).toEqual([]);
		expect(await all(searchSessions({ query: "x", rows: [{ path }] }))).toEqual([{ searched: 1 }]);
	});

	test("in the place of an index or a lease costs nothing but that", async () => {
		const sessions = join(folder(), "sessions", "--code--");
		put(join(sessions, "one.jsonl"), new SessionText().user("Fix it").toString());
		const index = indexPath(folder(), sessions);
		mkdirSync(join(index, ".."), { recursive: true });
		pipe(index);
		const live = join(folder(), "session-suite", "live");
		mkdirSync(live);
		pipe(join(live, "1.json"));
		expect(liveLeases(folder(), Date.now())).toEqual([]);
		expect(await all(scanSessions({ agentDir: folder() }))).toMatchObject([
			{ stage: "newest", rows: [{ id: "s-1" }] },
			{ stage: "done", report: { index: { ok: true } } },
		]);
		expect((await all(scanSessions({ agentDir: folder() }))).at(-1)).toMatchObject({ report: { read: 0 } });
	});
});

/** What opens a path, of `node:fs`. Others look at a path without opening it, or make a new file. */
const OPENERS =
	/\b(?:open|readFile|appendFile|createReadStream|createWriteStream|truncate|copyFile|cp)(?:Sync)?\b/;
/** The two helpers; tickets and temporary files are always new ones; the process table and our own sources are nobody's to replace. */
const ALLOWED = [
	"regular-file",
	"append-regular",
	"atomic-file",
	"turn",
	"writer",
	"process",
	"index-version",
].map((name) => `store/${name}.ts`);

test("nothing else around session files opens a path by itself", () => {
	const core = fileURLToPath(new URL("..", import.meta.url));
	const root = join(core, "..");
	const found = [join(core, "store"), join(core, "session"), join(root, "session-resume")]
		.flatMap((place) => readdirSync(place, { recursive: true }).map((name) => join(place, String(name))))
		.filter((path) => path.endsWith(".ts") && !/\.test(?:-support)?\.ts$/.test(path))
		.filter((path) => !ALLOWED.some((allowed) => path.endsWith(allowed)))
		.filter((path) => {
			const imports = /import \{([^}]*)\} from "node:fs(?:\/promises)?";/.exec(readFileSync(path, "utf8"));
			return OPENERS.test(imports?.[1] ?? "");
		});
	expect(found).toEqual([]);
});

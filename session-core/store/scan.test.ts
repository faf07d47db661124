import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	symlinkSync,
	unlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { indexFolder, indexPath } from "./index-file.ts";
import { type ScanBatch, type ScanOptions, type ScanReport, scanSessions } from "./scan.ts";
import { all, put, SessionText, START, useTemporaryFolder } from "./store.test-support.ts";
import type { SessionSummary } from "./summary.ts";
import { realProcesses } from "./writer.ts";

const agentDir = useTemporaryFolder();
const folderOf = (cwd: string) => projectFolder(sessionsRoot(agentDir()), cwd);

/** Writes a session that last changed `age` seconds before the others. */
function session(
	cwd: string,
	id: string,
	age: number,
	text = new SessionText({ id, cwd }).user(`Task ${id}`),
): string {
	const path = put(join(folderOf(cwd), `2026-01-31T12-00-00-000Z_${id}.jsonl`), text.toString());
	const changed = START / 1_000 - age;
	utimesSync(path, changed, changed);
	return path;
}

interface Listed {
	batches: ScanBatch[];
	/** As a list shows them in the end. */
	rows: SessionSummary[];
	report: ScanReport;
}

async function scan(options: Partial<ScanOptions> = {}): Promise<Listed> {
	const batches = await all(scanSessions({ agentDir: agentDir(), ...options }));
	const rows = new Map<string, SessionSummary>();
	for (const batch of batches) if ("rows" in batch) for (const row of batch.rows) rows.set(row.path, row);
	const last = batches.at(-1);
	if (last?.stage !== "done") throw new Error("the scan did not finish");
	return { batches, rows: [...rows.values()], report: last.report };
}

const idsOf = (rows: SessionSummary[]) => rows.map((row) => row.id);

describe("listing sessions", () => {
	it("gives those of all projects, last changed first", async () => {
		session("/code/a", "one", 30);
		session("/code/b", "two", 10);
		session("/code/a", "three", 20);
		const { rows, report } = await scan();
		expect(idsOf(rows)).toEqual(["two", "three", "one"]);
		expect(report).toEqual({ files: 3, sessions: 3, read: 3, left: {}, unread: [], index: { ok: true } });
	});

	it.skipIf(process.platform === "win32")(
		"says which folders it could not read, and forgets nothing of them",
		async () => {
			session("/code/a", "one", 30);
			const folder = folderOf("/code/a");
			await scan({ folders: [folder] });
			renameSync(folder, `${folder}.away`);
			symlinkSync(folder, folder);
			const { rows, report } = await scan({ folders: [folder, folderOf("/none")] });
			expect(rows).toEqual([]);
			expect(report.unread).toEqual([{ folder, code: "ELOOP" }]);
			unlinkSync(folder);
			renameSync(`${folder}.away`, folder);
			expect((await scan({ folders: [folder] })).report).toMatchObject({ sessions: 1, read: 0, unread: [] });
		},
	);

	it("gives only those of the folders that were asked for", async () => {
		session("/code/a", "one", 30);
		session("/code/b", "two", 10);
		expect(idsOf((await scan({ folders: [folderOf("/code/a")] })).rows)).toEqual(["one"]);
	});

	it("names a project's folder as the host does", () => {
		expect(projectFolder("/s", "/code/my app")).toBe("/s/--code-my app--");
		expect(projectFolder("/s", "C:\\code\\app")).toBe("/s/--C--code-app--");
	});

	it("gives nothing where there is nothing", async () => {
		expect((await scan()).report).toMatchObject({ files: 0, sessions: 0 });
		expect((await scan({ folders: [join(agentDir(), "gone")] })).report).toMatchObject({ files: 0 });
	});

	it("gives first rows before the rest, by name and by what it knows, and no row twice", async () => {
		for (let count = 0; count < 300; count++) session("/code/a", `s${count}`, count);
		const { batches, rows } = await scan();
		expect(batches[0]?.stage).toBe("newest");
		expect(rows).toHaveLength(300);
		const given = batches.flatMap((batch) => ("rows" in batch ? batch.rows : []));
		expect(given).toHaveLength(300);
		const again = await scan();
		const [first] = again.batches;
		if (!first || !("rows" in first)) throw new Error("no rows");
		expect(idsOf(first.rows)).toEqual(Array.from({ length: first.rows.length }, (_, age) => `s${age}`));
	});

	it("leaves out what is no session, and says why", async () => {
		session("/code/a", "one", 1);
		const folder = folderOf("/code/a");
		put(join(folder, "empty.jsonl"), "");
		put(join(folder, "log.jsonl"), '{"level":"info"}\n');
		put(join(folder, "notes.txt"), "x");
		mkdirSync(join(folder, "folder.jsonl"));
		symlinkSync(session("/code/b", "two", 1), join(folder, "link.jsonl"));
		execFileSync("mkfifo", [join(folder, "pipe.jsonl")]);
		const { rows, report } = await scan({ folders: [folder] });
		expect(idsOf(rows)).toEqual(["one"]);
		expect(report.left).toEqual({ empty: 1, not_session: 1, not_regular: 2, symlink: 1 });
	});

	it("does not follow a project folder that is a link", async () => {
		session("/code/a", "one", 1);
		symlinkSync(folderOf("/code/a"), folderOf("/code/b"));
		expect((await scan()).rows).toHaveLength(1);
	});

	it("gives a row again when its name is found deep in the file", async () => {
		const text = new SessionText({ id: "deep" })
			.user("Fix the parser")
			.padding(60_000)
			.padding(60_000)
			.name("Deep");
		text.padding(60_000).padding(60_000);
		session("/code/a", "deep", 1, text);
		const { batches, rows } = await scan();
		expect(batches.map((batch) => batch.stage)).toEqual(["newest", "named", "done"]);
		expect(rows[0]?.name).toBe("Deep");
	});

	it("stops when it is told to, and keeps what it learned", async () => {
		for (let count = 0; count < 600; count++) session("/code/a", `s${count}`, count);
		const controller = new AbortController();
		for await (const batch of scanSessions({ agentDir: agentDir(), signal: controller.signal, sliceMs: 0 })) {
			if (batch.stage === "listed") controller.abort();
		}
		const { report } = await scan();
		expect(report.read).toBeGreaterThan(0);
		expect(report.read).toBeLessThan(600);
	});
});

describe("the index", () => {
	it("spares reading files that did not change", async () => {
		session("/code/a", "one", 2);
		put(join(folderOf("/code/a"), "log.jsonl"), '{"level":"info"}\n');
		const cold = await scan();
		const warm = await scan();
		expect(warm.report).toEqual({ ...cold.report, read: 0 });
		expect(warm.rows).toEqual(JSON.parse(JSON.stringify(cold.rows)));
	});

	it("notices that a file grew, even if its time stands still", async () => {
		const path = session("/code/a", "one", 2);
		await scan();
		const { atime, mtime } = statSync(path);
		appendFileSync(path, `${new SessionText().name("Named").lines[1]}\n`);
		utimesSync(path, atime, mtime);
		const { rows, report } = await scan();
		expect(report.read).toBe(1);
		expect(rows[0]?.name).toBe("Named");
	});

	it("forgets files that are gone", async () => {
		const path = session("/code/a", "one", 1);
		session("/code/a", "two", 2);
		await scan();
		unlinkSync(path);
		await scan();
		expect(readFileSync(indexPath(agentDir(), folderOf("/code/a")), "utf8")).not.toContain("_one.jsonl");
	});

	it("is not written when nothing is new", async () => {
		session("/code/a", "one", 1);
		await scan();
		const path = indexPath(agentDir(), folderOf("/code/a"));
		utimesSync(path, 1, 1);
		await scan();
		expect(statSync(path).mtimeMs).toBe(1_000);
	});

	it("is private", async () => {
		session("/code/a", "one", 1);
		await scan();
		expect(statSync(indexPath(agentDir(), folderOf("/code/a"))).mode & 0o777).toBe(0o600);
	});

	it.each<[string, (text: string) => string]>([
		["empty", () => ""],
		["cut in the middle", (text) => text.slice(0, text.length / 2)],
		["cut in its first line", (text) => text.slice(0, 20)],
		["of another version", (text) => text.replace(/"version":"\w+"/, '"version":"0"')],
		["of another folder", (text) => text.replace("--code-a--", "--code-b--")],
		["full of garbage", () => "\u0000\uffff".repeat(999)],
		["damaged in every record", (text) => text.replaceAll('"summary":{', '"summary":[')],
		["of wrong types", (text) => text.replaceAll(/"modified":[\d.]+/g, '"modified":"x"')],
	])("that is %s is built anew", async (_, damage) => {
		session("/code/a", "one", 1);
		session("/code/a", "two", 2);
		const { rows } = await scan();
		const path = indexPath(agentDir(), folderOf("/code/a"));
		writeFileSync(path, damage(readFileSync(path, "utf8")));
		expect((await scan()).rows).toEqual(rows);
		expect((await scan()).report.read).toBe(0);
	});

	it("may be written by several scans at once", async () => {
		for (let count = 0; count < 50; count++) session("/code/a", `s${count}`, count);
		const scans = await Promise.all([1, 2, 3, 4].map(() => scan({ sliceMs: 0 })));
		expect(scans.map(({ rows }) => rows.length)).toEqual([50, 50, 50, 50]);
		expect((await scan()).report.read).toBe(0);
		expect(readdirSync(indexFolder(agentDir()))).toHaveLength(1);
	});

	it("of a folder that is gone is swept, with what dead writers left", async () => {
		session("/code/a", "one", 1);
		await scan();
		put(join(indexFolder(agentDir()), `x.index.${realProcesses().space}-999999999-5.abc.tmp`), "half");
		execFileSync("rm", ["-r", folderOf("/code/a")]);
		await scan();
		expect(readdirSync(indexFolder(agentDir()))).toEqual([]);
	});

	it("that cannot be written costs nothing but a word in the report", async () => {
		session("/code/a", "one", 1);
		put(join(agentDir(), "session-suite"), "a file where the folder should be");
		const { rows, report } = await scan();
		expect(rows).toHaveLength(1);
		expect(report.index).toMatchObject({ ok: false, detail: expect.stringContaining("session-suite") });
	});

	it.skipIf(process.getuid?.() === 0)("in a read-only folder leaves sessions listed", async () => {
		session("/code/a", "one", 1);
		chmodSync(agentDir(), 0o500);
		expect((await scan()).rows).toHaveLength(1);
		chmodSync(agentDir(), 0o700);
	});
});

it("never holds the event loop for long", async () => {
	for (let count = 0; count < 400; count++) {
		session(
			"/code/a",
			`s${count}`,
			count,
			new SessionText().user("Fix the parser").padding(60_000).assistant("Done."),
		);
	}
	let longest = 0;
	let last = performance.now();
	let running = true;
	const tick = () => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
		if (running) setImmediate(tick);
	};
	tick();
	await scan();
	running = false;
	// The budget is 16 ms; a loaded machine may take the processor away for longer than that.
	expect(longest).toBeLessThan(150);
});

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { all, put, SessionText, START, useTemporaryFolder } from "../session-file/session.test-support.ts";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { type ScanBatch, type ScanOptions, type ScanReport, scanSessions } from "./listing.ts";
import type { SessionSummary } from "./summary.ts";

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

	it("names a project's folder as the host does", () => {
		expect(projectFolder("/s", "/code/my app")).toBe("/s/--code-my app--");
		expect(projectFolder("/s", "C:\\code\\app")).toBe("/s/--C--code-app--");
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

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { all, put, SessionText, START, useTemporaryFolder } from "../log/session.test-support.ts";
import { findSessions } from "./find.ts";
import { projectFolder, sessionsRoot } from "./folders.ts";
import { type ScanOptions, type ScanReport, scanSessions } from "./listing.ts";
import type { SessionSummary } from "./summary.ts";

const agentDir = useTemporaryFolder();
const folderOf = (cwd: string) => projectFolder(sessionsRoot(agentDir()), cwd);

/**
 * Writes a session file. A file whose `age` is n was last changed n seconds before a file whose age is
 * 0.
 */
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
	batches: SessionSummary[][];
	/** The rows that a list shows after the scan has ended. */
	rows: SessionSummary[];
	report: ScanReport;
}

async function scan(options: Partial<ScanOptions> = {}): Promise<Listed> {
	let report: ScanReport | undefined;
	const onReport = (all: ScanReport) => {
		report = all;
	};
	const batches = await all(scanSessions({ agentDir: agentDir(), ...options, onReport }));
	if (!report) throw new Error("the scan did not finish");
	const rows = new Map(batches.flat().map((row) => [row.path, row]));
	return { batches, rows: [...rows.values()], report };
}

const idsOf = (rows: SessionSummary[]) => rows.map((row) => row.id);

describe("listing sessions", () => {
	it("yields the sessions of all projects, the last changed one first", async () => {
		session("/code/a", "one", 30);
		session("/code/b", "two", 10);
		session("/code/a", "three", 20);
		const { rows, report } = await scan();
		expect(idsOf(rows)).toEqual(["two", "three", "one"]);
		expect(report).toEqual({ read: 3, unreadable: 0, unread: [] });
	});

	it.skipIf(process.platform === "win32")(
		"reports the folders that it could not read, and keeps their cached sessions",
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
			expect((await scan({ folders: [folder] })).report).toMatchObject({ read: 0, unread: [] });
		},
	);

	it("yields the latest sessions of a large folder first, then the rest, newest first, and no row twice", async () => {
		for (let count = 0; count < 1_000; count++) session("/code/a", `s${1_000 + count}`, 1_000 - count);
		session("/code/a", "s0000", -1);
		const { batches, rows } = await scan();
		const newestFirst = ["s0000", ...Array.from({ length: 1_000 }, (_, age) => `s${1_999 - age}`)];
		expect(batches.slice(0, 2).map(idsOf)).toEqual([
			newestFirst.slice(1, 17),
			["s0000", ...newestFirst.slice(17, 48)],
		]);
		expect(rows).toHaveLength(1_001);
		expect(batches.flat()).toHaveLength(1_001);
		expect(idsOf((await scan()).batches.flat())).toEqual(newestFirst);
	});

	it("leaves out everything that is not a session", async () => {
		session("/code/a", "one", 1);
		const folder = folderOf("/code/a");
		put(join(folder, "empty.jsonl"), "");
		put(join(folder, "log.jsonl"), '{"level":"info"}\n');
		put(join(folder, "notes.txt"), "x");
		mkdirSync(join(folder, "folder.jsonl"));
		symlinkSync(session("/code/b", "two", 1), join(folder, "link.jsonl"));
		execFileSync("mkfifo", [join(folder, "pipe.jsonl")]);
		expect(idsOf((await scan({ folders: [folder] })).rows)).toEqual(["one"]);
	});

	it("yields each session in a project folder that is a symlink only once", async () => {
		session("/code/a", "one", 1);
		const moved = join(agentDir(), "elsewhere");
		renameSync(folderOf("/code/a"), moved);
		for (const cwd of ["/code/a", "/code/b"]) symlinkSync(moved, folderOf(cwd));
		session("/code/c", "two", 2);
		symlinkSync(folderOf("/code/c"), folderOf("/code/d"));
		expect(idsOf((await scan()).rows)).toEqual(["one", "two"]);
	});

	it("yields a row again when its name is found deep in the file", async () => {
		const text = new SessionText({ id: "deep" })
			.user("Fix the parser")
			.padding(60_000)
			.padding(60_000)
			.name("Deep");
		text.padding(60_000).padding(60_000);
		session("/code/a", "deep", 1, text);
		const { batches, rows } = await scan();
		expect(batches.map((batch) => batch.map(({ name }) => name))).toEqual([[undefined], ["Deep"]]);
		expect(rows).toHaveLength(1);
	});

	it("leaves out only the file on which it fails because of a bug", async () => {
		const timestamp = "2026-01-31T12:34:56.000Z";
		for (const id of ["one", "two"]) session("/code/a", id, 1);
		session("/code/a", "broken", 1, new SessionText({ id: "broken", timestamp }).user("Task"));
		const { parse } = Date;
		const spy = vi.spyOn(Date, "parse").mockImplementation((text) => {
			if (text === timestamp) throw new TypeError("injected");
			return parse(text);
		});
		onTestFinished(() => spy.mockRestore());
		const { rows, report } = await scan();
		expect(idsOf(rows).toSorted()).toEqual(["one", "two"]);
		expect(report).toEqual({ read: 2, unreadable: 1, unread: [] });
	});

	it("stops when it is aborted, and keeps what it has read", async () => {
		for (let count = 0; count < 100; count++) session("/code/a", `s${count}`, count);
		const controller = new AbortController();
		const { signal } = controller;
		for await (const _batch of scanSessions({ agentDir: agentDir(), signal })) controller.abort();
		const { report } = await scan();
		expect(report.read).toBeGreaterThan(0);
		expect(report.read).toBeLessThan(100);
	});
});

const NAMES = {
	"0195cccc-3333": "Fix the parser",
	"0196aaaa-1111": "Port the theme",
	"0196bbbb-2222": "Fix the lexer",
	"0198eeee-5555": "Port",
	"0199ffff-6666": "Café",
};

function find(wanted: string) {
	const folderOf = (project: string) => join(agentDir(), "sessions", project);
	const place = (project: string, id: string, name: string) =>
		put(
			join(folderOf(project), `${id}.jsonl`),
			new SessionText({ id }).user("Read the docs first").name(name).toString(),
		);
	for (const [id, name] of Object.entries(NAMES)) place("--app--", id, name);
	place("--other--", "0197dddd-4444", "Write the docs");
	return findSessions(wanted, { agentDir: agentDir(), cwd: "/app", folder: folderOf("--app--") });
}

describe("finding a session", () => {
	test.each<[string, string[]]>([
		["0195", ["Fix the parser"]],
		["019", []],
		["0196", ["Fix the lexer", "Port the theme"]],
		["0196AAAA-1111", ["Port the theme"]],
		["fix the lexer", ["Fix the lexer"]],
		["Fix the", ["Fix the lexer", "Fix the parser"]],
		["port", ["Port"]],
		["heme", ["Port the theme"]],
		...["cafe\u0301", "CAFÉ", "cafe"].map((wanted): [string, string[]] => [wanted, ["Café"]]),
		["nothing like it", []],
	])(
		"%j: by its id, the beginning of that from four characters on, or its title, whole if possible",
		async (wanted, names) => {
			const { found } = await find(wanted);
			expect(found.map(({ name }) => name).sort()).toEqual(names);
		},
	);

	test("searches this project first, then all projects, and ignores a prompt that a name hides", async () => {
		expect((await find("fix the parser")).isHere).toBe(true);
		expect(await find("docs")).toMatchObject({ isHere: false, found: [{ name: "Write the docs" }] });
	});

	test("accepts the path of a file", async () => {
		const path = join(agentDir(), "sessions", "--app--", "0196aaaa-1111.jsonl");
		expect((await find(path)).found).toMatchObject([{ name: "Port the theme" }]);
	});

	test("marks a file that a person names if it may come from a repository", async () => {
		const cwd = join(agentDir(), "project");
		const path = put(join(cwd, "s", "a.jsonl"), new SessionText({ cwd }).user("Set it up").toString());
		const place = { agentDir: agentDir(), cwd, folder: join(agentDir(), "sessions", "--project--") };
		expect((await findSessions("s/a.jsonl", { ...place, isPerson: true })).found).toMatchObject([
			{ path, planted: true },
		]);
		expect((await findSessions(path, place)).found).toEqual([]);
	});
});

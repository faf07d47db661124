import {
	appendFileSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	unlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { put, SessionText, START, useTemporaryFolder } from "../log/session.test-support.ts";
import { CACHE_VERSION, cacheFolder, cachePath } from "./cache.ts";
import { listSessions, type ScanOptions, type ScanReport } from "./listing.ts";

const agentDir = useTemporaryFolder();
const project = () => join(agentDir(), "sessions", "--code--");
const path = () => cachePath(agentDir(), project());
const stored = () => readFileSync(path(), "utf8");

function session(name: string, text = "Fix it"): string {
	const content = new SessionText({ id: name }).user(text).assistant("Done").toString();
	return put(join(project(), `${name}.jsonl`), content);
}

async function scan(options: Partial<ScanOptions> = {}) {
	let report: ScanReport | undefined;
	const onReport = (all: ScanReport) => {
		report = all;
	};
	const rows = await listSessions({ agentDir: agentDir(), ...options, onReport });
	if (!report) throw new Error("the scan did not finish");
	return { rows, ...report };
}

it("must get a new version if stored summaries change", async () => {
	const text = new SessionText({ id: "s-1", parentSession: "/code/parent.jsonl" })
		.entry("model_change", { provider: "acme", modelId: "m-0" })
		.user(
			"Deploy with \u001b[31mtoken=ghp_0123456789abcdefghijABCDEFGHIJ012345 and AWS_SECRET_KEY=wJalrXUtnFEMI",
		)
		.title("Deploy", "auto")
		.name("Deploy")
		.assistant("Failed", { stopReason: "error", errorMessage: "401 for Bearer abcdefghijklmnop1234567890" });
	put(join(project(), "one.jsonl"), text.toString());
	await scan();
	const json: unknown = JSON.parse(stored().split("\n")[1]?.split("\t")[3] ?? "");
	expect({ version: CACHE_VERSION, json }).toEqual({
		version: 22,
		json: {
			stamp: { size: expect.any(Number), mtimeMs: expect.any(Number) },
			names: { name: "Deploy", title: { auto: true, text: "Deploy" } },
			summary: {
				path: join(project(), "one.jsonl"),
				size: expect.any(Number),
				changed: expect.any(Number),
				id: "s-1",
				format: "pi",
				cwd: "/code/app",
				parentSession: "/code/parent.jsonl",
				kind: "session",
				hostReads: true,
				created: START,
				modified: START + 5_000,
				firstPrompt: "Deploy with token=[redacted] and AWS_SECRET_KEY=[redacted]",
				name: "Deploy",
				nameSource: "auto",
				nameSettled: true,
				model: { provider: "acme", id: "m-1" },
				last: {
					id: "e0000004",
					role: "assistant",
					stopReason: "error",
					errorMessage: "401 for Bearer [redacted]",
					at: START + 5_000,
				},
				work: {
					title: "Deploy with token=[redacted] and AWS_SECRET_KEY=[redacted]",
					source: "request",
					waits: false,
					next: { kind: "cut_short", text: "Deploy with token=[redacted] and AWS_SECRET_KEY=[redacted]" },
				},
			},
		},
	});
});

it("notices that a file has grown, even if its mtime has not changed", async () => {
	const file = session("one");
	await scan();
	const { atime, mtime } = statSync(file);
	appendFileSync(file, `${new SessionText().name("Named").lines[1]}\n`);
	utimesSync(file, atime, mtime);
	expect(await scan()).toMatchObject({ read: 1, rows: [{ name: "Named" }] });
});

it("is private, and avoids reading files that have not changed and writing itself", async () => {
	session("one");
	put(join(project(), "log.jsonl"), '{"level":"info"}\n');
	const cold = await scan();
	expect(statSync(path()).mode & 0o777).toBe(0o600);
	utimesSync(path(), 1, 1);
	expect(JSON.stringify(await scan())).toBe(JSON.stringify({ ...cold, read: 0 }));
	expect(statSync(path()).mtimeMs).toBe(1_000);
});

it("forgets deleted sessions", async () => {
	const gone = session("gone", "a private matter");
	session("stays");
	await scan();
	unlinkSync(gone);
	await scan();
	expect(stored()).toContain("stays.jsonl");
	expect(stored()).not.toMatch(/gone|private matter/);
});

it.each<[string, (text: string) => string]>([
	["empty", () => ""],
	["cut in the middle", (text) => text.slice(0, text.length / 2)],
	["cut in its first line", (text) => text.slice(0, 20)],
	["of another version", (text) => text.replace(/"version":\w+/, '"version":0')],
	["of another folder", (text) => text.replace("--code--", "--core--")],
	["full of garbage", () => "\u0000\uffff".repeat(999)],
	["damaged in every record", (text) => text.replaceAll('"summary":{', '"summary":[')],
])("is rebuilt if it is %s", async (_, damage) => {
	session("one");
	session("two");
	const { rows } = await scan();
	writeFileSync(path(), damage(stored()));
	expect((await scan()).rows).toEqual(rows);
	expect((await scan()).read).toBe(0);
});

it("is removed if its folder is gone or it has another version, and so are temporary files of dead processes", async () => {
	session("one");
	await scan();
	put(join(cacheFolder(agentDir()), "0123.index"), stored().replace(/"version":\w+/, '"version":"older"'));
	const half = put(join(cacheFolder(agentDir()), "x.index.suite-abc.tmp"), "half");
	utimesSync(half, 0, 0);
	await scan();
	expect(readdirSync(cacheFolder(agentDir()))).toHaveLength(1);
	rmSync(project(), { recursive: true });
	await scan();
	expect(readdirSync(cacheFolder(agentDir()))).toEqual([]);
});

it("does not prevent sessions from being listed if it cannot be written", async () => {
	session("one");
	put(join(agentDir(), "session-suite"), "a file where the folder should be");
	expect((await scan()).rows).toHaveLength(1);
});

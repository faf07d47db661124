import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Lease, LeaseHolder, liveFolder, readLease } from "./lease.ts";
import { leaseOf, liveLeases, type Processes } from "./live.ts";
import { startTicks } from "./process.ts";
import { put, START, useTemporaryFolder } from "./store.test-support.ts";

const agentDir = useTemporaryFolder();
const path = (pid: number) => join(liveFolder(agentDir()), `${pid}.json`);
const holder = (sessionId = "s-1") =>
	new LeaseHolder(
		agentDir(),
		{ sessionId, sessionFile: `/s/${sessionId}.jsonl`, cwd: "/code" },
		"idle",
		START,
	);

/** Processes that are said to live, with the time that each is said to have started. */
const processes = (live: Record<number, number>): Processes => ({
	host: "here",
	isAlive: (pid) => pid in live,
	startTicks: (pid) => live[pid],
});

function lease(pid: number, fields: Partial<Lease> = {}): Lease {
	return {
		pid,
		sessionId: `s-${pid}`,
		state: "working",
		since: START,
		startedAt: 5,
		host: "here",
		...fields,
	};
}

function store(lease: Lease): void {
	put(path(lease.pid), JSON.stringify(lease));
}

describe("a lease", () => {
	it("says who has which session open and what it does", () => {
		expect(holder().claim()).toEqual({ ok: true });
		expect(liveLeases(agentDir(), START)).toMatchObject([
			{
				pid: process.pid,
				sessionId: "s-1",
				sessionFile: "/s/s-1.jsonl",
				cwd: "/code",
				state: "idle",
				since: START,
			},
		]);
	});

	it("is private", () => {
		holder().claim();
		expect(statSync(path(process.pid)).mode & 0o777).toBe(0o600);
		expect(statSync(liveFolder(agentDir())).mode & 0o777).toBe(0o700);
	});

	it("is written again only for another state", () => {
		const held = holder();
		held.claim();
		held.update("working", START + 1_000);
		const written = readFileSync(path(process.pid), "utf8");
		held.update("working", START + 2_000);
		expect(readFileSync(path(process.pid), "utf8")).toBe(written);
		expect(readLease(path(process.pid))).toMatchObject({ state: "working", since: START + 1_000 });
	});

	it("is gone when released, twice if need be", () => {
		const held = holder();
		held.claim();
		held.release();
		held.release();
		expect(readdirSync(liveFolder(agentDir()))).toEqual([]);
	});

	it("released late leaves the lease of the session that came after", () => {
		const before = holder("s-1");
		before.claim();
		holder("s-2").claim();
		before.release();
		expect(readLease(path(process.pid))?.sessionId).toBe("s-2");
	});

	it("that cannot be written says why", () => {
		put(join(agentDir(), "session-suite"), "a file where the folder should be");
		expect(holder().claim()).toMatchObject({ ok: false });
		expect(() => holder().release()).not.toThrow();
	});

	it.runIf(existsSync("/proc/self/stat"))("knows when its process started", () => {
		holder().claim();
		expect(readLease(path(process.pid))?.startedAt).toBe(startTicks(process.pid));
		expect(startTicks(process.pid)).toBeGreaterThan(0);
	});
});

describe("live leases", () => {
	it("are those of processes that run", () => {
		store(lease(11));
		store(lease(12));
		expect(liveLeases(agentDir(), START, processes({ 11: 5 })).map(({ pid }) => pid)).toEqual([11]);
		expect(readdirSync(liveFolder(agentDir()))).toEqual(["11.json"]);
	});

	it("are not those whose process id went to another process", () => {
		store(lease(11, { startedAt: 4 }));
		expect(liveLeases(agentDir(), START, processes({ 11: 5 }))).toEqual([]);
		expect(existsSync(path(11))).toBe(false);
	});

	it("are believed where start times are unknown", () => {
		const { startedAt: _, ...unknown } = lease(11);
		store(unknown);
		expect(liveLeases(agentDir(), START, processes({ 11: 5 }))).toHaveLength(1);
	});

	it("of another machine are believed for a day", () => {
		store(lease(11, { host: "elsewhere" }));
		expect(liveLeases(agentDir(), START + 3_600_000, processes({}))).toHaveLength(1);
		expect(liveLeases(agentDir(), START + 90_000_000, processes({}))).toEqual([]);
	});

	it.each([
		["empty", ""],
		["torn", '{"pid":11,"sess'],
		["of another shape", '{"pid":11}'],
		["of an unknown state", JSON.stringify({ ...lease(11), state: "dancing" })],
		["binary", "\u0000\u0001"],
	])("are not files that are %s; those of dead processes are swept", (_, content) => {
		put(path(11), content);
		expect(liveLeases(agentDir(), START, processes({ 11: 5 }))).toEqual([]);
		expect(existsSync(path(11))).toBe(true);
		expect(liveLeases(agentDir(), START, processes({}))).toEqual([]);
		expect(existsSync(path(11))).toBe(false);
	});

	it("sweep what a dead writer left and touch nothing else", () => {
		for (const name of ["11.json.11.ab12.tmp", "12.json.12.ab12.tmp", "notes.txt", "x.json"]) {
			put(join(liveFolder(agentDir()), name), "half");
		}
		liveLeases(agentDir(), START, processes({ 12: 5 }));
		expect(readdirSync(liveFolder(agentDir())).sort()).toEqual([
			"12.json.12.ab12.tmp",
			"notes.txt",
			"x.json",
		]);
	});

	it("are none where nobody ever claimed any", () => {
		expect(liveLeases(agentDir(), START)).toEqual([]);
	});

	it("of a process that was killed are swept", async () => {
		const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
		await once(child, "spawn");
		const pid = child.pid ?? 0;
		holder().claim();
		const own = readLease(path(process.pid));
		if (!own) throw new Error("no lease");
		const startedAt = startTicks(pid);
		store({ ...own, pid, ...(startedAt !== undefined && { startedAt }) });
		expect(liveLeases(agentDir(), START).map((one) => one.pid)).toContain(pid);
		child.kill("SIGKILL");
		await once(child, "exit");
		expect(liveLeases(agentDir(), START).map((one) => one.pid)).toEqual([process.pid]);
		expect(existsSync(path(pid))).toBe(false);
	});

	it("tell whether another process has a session open", () => {
		const leases = [lease(11, { sessionFile: "/s/a.jsonl" }), lease(process.pid)];
		expect(leaseOf(leases, { sessionId: "s-11" })?.pid).toBe(11);
		expect(leaseOf(leases, { sessionId: "other", sessionFile: "/s/a.jsonl" })?.pid).toBe(11);
		expect(leaseOf(leases, { sessionId: `s-${process.pid}` })).toBeUndefined();
	});

	it("are never read through a link", () => {
		writeFileSync(join(agentDir(), "outside.json"), JSON.stringify(lease(11)));
		put(path(12), "");
		expect(readLease(join(agentDir(), "missing.json"))).toBeUndefined();
	});
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, START, useTemporaryFolder } from "../session-file/session.test-support.ts";
import { type Here, type Lease, LeaseHolder, leasesOn, liveLeases } from "./lease-files.ts";
import { HEARTBEAT_MS, liveFolder, placeHere, readRaw, startTicks } from "./liveness.mjs";

const agentDir = useTemporaryFolder();
const path = (instance: string) => join(liveFolder(agentDir()), `${instance}.json`);
const names = () => readdirSync(liveFolder(agentDir())).sort();
const holder = (sessionId = "s-1") =>
	new LeaseHolder(
		agentDir(),
		{ sessionId, sessionFile: `/s/${sessionId}.jsonl`, cwd: "/code" },
		"idle",
		START,
	);
const stored = (held: LeaseHolder) => readRaw(path(held.instance))?.lease;
const instance = (serial: number) => `0195a1b2-0000-4000-8000-${String(serial).padStart(12, "0")}`;

/** This machine, with the processes that are said to live and the time that each is said to have started. */
const at = (live: Record<number, number | undefined>, place: Partial<Here> = {}): Here => ({
	host: "laptop",
	pidSpace: "pid:[1]",
	isAlive: (pid) => pid in live,
	startTicks: (pid) => live[pid],
	...place,
});

function lease(pid: number, fields: Partial<Lease> = {}): Lease {
	return {
		instance: instance(pid),
		pid,
		startedAt: 5,
		host: "laptop",
		pidSpace: "pid:[1]",
		sessionId: `s-${pid}`,
		state: "working",
		since: START,
		...fields,
	};
}

/** Puts a lease where it belongs, with a last sign of life. */
function store(lease: Lease, beatAt = START): void {
	put(path(lease.instance), JSON.stringify(lease));
	utimesSync(path(lease.instance), beatAt / 1_000, beatAt / 1_000);
}

describe("a lease", () => {
	it("says who has which session open and what it does", () => {
		const held = holder();
		expect(held.claim()).toEqual({ ok: true });
		expect(liveLeases(agentDir(), Date.now())).toMatchObject([
			{
				instance: held.instance,
				pid: process.pid,
				sessionId: "s-1",
				sessionFile: "/s/s-1.jsonl",
				cwd: "/code",
				state: "idle",
				since: START,
			},
		]);
	});

	it("says where its terminal is, and nothing that we would not have written", () => {
		store({ ...lease(11), terminal: { tty: "/dev/pts/3", tmux: { socket: "/tmp/s", pane: "%1" } } });
		const read = () => liveLeases(agentDir(), START, at({ 11: 5 }))[0];
		expect(read()?.terminal).toEqual({ tty: "/dev/pts/3", tmux: { socket: "/tmp/s", pane: "%1" } });
		for (const terminal of ["x", null, [], { tty: 5, tmux: { socket: "/tmp/s", pane: "-x" } }]) {
			put(path(instance(11)), JSON.stringify({ ...lease(11), terminal }));
			expect(read()).toMatchObject({ pid: 11 });
			expect(read()?.terminal ?? {}).toEqual({});
		}
	});

	it("is private", () => {
		const held = holder();
		held.claim();
		expect(statSync(path(held.instance)).mode & 0o777).toBe(0o600);
		expect(statSync(liveFolder(agentDir())).mode & 0o777).toBe(0o700);
	});

	it("is written again only for another state", () => {
		const held = holder();
		held.claim();
		held.update("working", START + 1_000);
		const written = readFileSync(path(held.instance), "utf8");
		held.update("working", START + 2_000);
		expect(readFileSync(path(held.instance), "utf8")).toBe(written);
		expect(stored(held)).toMatchObject({ state: "working", since: START + 1_000 });
	});

	it.each(["claim", "update", "beat"] as const)(
		"that could not be written is written by the next %s",
		(next) => {
			const blocker = join(agentDir(), "session-suite");
			put(blocker, "a file where the folder should be");
			const held = holder();
			expect(held.claim()).toMatchObject({ ok: false });
			expect(held.update("working", START)).toMatchObject({ ok: false });
			expect(() => held.release()).not.toThrow();
			rmSync(blocker);
			// The same state as before: it was never said.
			if (next === "claim") held.claim();
			if (next === "update") held.update("working", START + 1_000);
			if (next === "beat") held.beat(START + 1_000);
			expect(stored(held)).toMatchObject({ state: "working", since: START });
		},
	);

	it("gives a sign of life without being rewritten, and is restored if it was removed", () => {
		const held = holder();
		held.claim();
		const { ino } = statSync(path(held.instance));
		held.beat(START + HEARTBEAT_MS);
		expect(statSync(path(held.instance))).toMatchObject({ ino, mtimeMs: START + HEARTBEAT_MS });
		rmSync(liveFolder(agentDir()), { recursive: true });
		held.beat(START + 2 * HEARTBEAT_MS);
		expect(stored(held)).toMatchObject({ sessionId: "s-1" });
	});

	it.runIf(existsSync("/proc/self/stat"))("knows its process and where its id counts", () => {
		const held = holder();
		held.claim();
		expect(stored(held)).toMatchObject({ startedAt: startTicks(process.pid) });
		expect(stored(held)).toMatchObject(placeHere());
		expect(placeHere()).toMatchObject({ host: hostname(), pidSpace: expect.stringMatching(/^pid:/) });
	});
});

describe("a session is open", () => {
	const cases: [string, boolean, Partial<Lease>, { beatAt?: number; now?: number; at?: Here }][] = [
		[
			"if its process runs, however long ago it gave a sign (it may be suspended)",
			true,
			{},
			{ beatAt: START - 3_600_000 },
		],
		["not if its process is gone", false, { pid: 12 }, {}],
		["not if its id went to another process, as after a restart of the machine", false, { startedAt: 4 }, {}],
		[
			"by its sign of life where start times are unknown",
			true,
			{},
			{ at: at({ 11: undefined }), beatAt: START - 2 * HEARTBEAT_MS },
		],
		[
			"not without one: a later process with the same id does not keep it alive",
			false,
			{},
			{ at: at({ 11: undefined }), beatAt: START - 10 * HEARTBEAT_MS },
		],
		[
			"in another container by its sign of life, whatever its id is here",
			true,
			{ pid: 12, pidSpace: "pid:[2]" },
			{},
		],
		[
			"in another container not without one",
			false,
			{ pidSpace: "pid:[2]" },
			{ now: START + 10 * HEARTBEAT_MS },
		],
		["on another machine by its sign of life", true, { host: "there", pid: 12 }, {}],
		["on another machine not without one", false, { host: "there" }, { now: START + 10 * HEARTBEAT_MS }],
		["though the clock was put back since", true, {}, { now: START - 3 * 3_600_000 }],
	];
	it.each(cases)("%s", (_, isOpen, fields, { beatAt, now = START, at: here = at({ 11: 5 }) }) => {
		store(lease(11, fields), beatAt);
		expect(liveLeases(agentDir(), now, here)).toHaveLength(isOpen ? 1 : 0);
	});
});

describe("what is removed", () => {
	it("are leases that are dead for certain", () => {
		store(lease(11));
		store(lease(12));
		liveLeases(agentDir(), START, at({ 11: 5 }));
		expect(names()).toEqual([`${instance(11)}.json`]);
	});

	it("are silent ones after a day: a suspended process may wake", () => {
		store(lease(11, { host: "there" }));
		liveLeases(agentDir(), START + 3_600_000, at({}));
		expect(names()).toHaveLength(1);
		liveLeases(agentDir(), START + 25 * 3_600_000, at({}));
		expect(names()).toEqual([]);
	});

	it.each([
		["empty", ""],
		["torn", '{"pid":11,"sess'],
		["of another shape", '{"pid":11}'],
		["of an unknown state", JSON.stringify({ ...lease(11), state: "dancing" })],
		["binary", "\u0000\u0001"],
	])("are files that are %s, after a day", (_, content) => {
		put(path(instance(11)), content);
		expect(liveLeases(agentDir(), Date.now(), at({ 11: 5 }))).toEqual([]);
		expect(names()).toHaveLength(1);
		expect(liveLeases(agentDir(), Date.now() + 25 * 3_600_000, at({ 11: 5 }))).toEqual([]);
		expect(names()).toEqual([]);
	});

	it("is nothing else", () => {
		const others = ["notes.txt", "x.json", "11.json", "11.json.11.ab12.tmp"];
		for (const name of others) put(join(liveFolder(agentDir()), name), "half");
		liveLeases(agentDir(), Date.now() + 48 * 3_600_000, at({}));
		expect(names()).toEqual(others.sort());
	});

	it("is the lease of a process that was killed, and no other's", async () => {
		const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
		await once(child, "spawn");
		const pid = child.pid ?? 0;
		const own = holder();
		own.claim();
		const held = stored(own);
		if (!held) throw new Error("no lease");
		const startedAt = startTicks(pid);
		const theirs = { ...held, instance: instance(1), pid, ...(startedAt !== undefined && { startedAt }) };
		put(path(theirs.instance), JSON.stringify(theirs));
		expect(liveLeases(agentDir(), Date.now()).map((one) => one.pid)).toContain(pid);
		child.kill("SIGKILL");
		await once(child, "exit");
		expect(liveLeases(agentDir(), Date.now()).map((one) => one.pid)).toEqual([process.pid]);
		expect(names()).toEqual([`${own.instance}.json`]);
	});
});

describe("live leases", () => {
	it("tell whether a session is open elsewhere", () => {
		const leases = [lease(11, { sessionFile: "/s/a.jsonl" }), lease(12)];
		const own = new Set([instance(12)]);
		const on = (...args: Parameters<typeof leasesOn>) => leasesOn(...args).map(({ pid }) => pid);
		expect(on(leases, { sessionId: "s-11" }, own)).toEqual([11]);
		expect(on(leases, { sessionId: "other", sessionFile: "/s/a.jsonl" }, own)).toEqual([11]);
		expect(on(leases, { sessionId: "s-12" }, own)).toEqual([]);
		expect(on(leases, { sessionId: "s-12" }, new Set())).toEqual([12]);
	});

	it("are never read through a link", () => {
		const outside = put(join(agentDir(), "outside.json"), JSON.stringify(lease(11)));
		put(path(instance(12)), "");
		rmSync(path(instance(12)));
		symlinkSync(outside, path(instance(12)));
		expect(liveLeases(agentDir(), START, at({ 11: 5 }))).toEqual([]);
	});
});

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, START, useTemporaryFolder } from "../../log/session.test-support.ts";
import { type Lease, LeaseHolder, leaseFinder, liveLeases } from "./lease-files.ts";
import { HEARTBEAT_MS, liveFolder, processStat, readRaw } from "./liveness.mjs";

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

const STARTED = processStat(process.pid)?.ticks;
const GONE = spawnSync(process.execPath, ["-e", ""]).pid;

/** A lease of this process, unless the fields say otherwise. */
const lease = (serial: number, fields: Partial<Lease> = {}): Lease => ({
	instance: instance(serial),
	pid: process.pid,
	...(STARTED !== undefined && { startedAt: STARTED }),
	host: hostname(),
	sessionId: `s-${serial}`,
	state: "working",
	since: START,
	...fields,
});

/** Stores a lease that was last renewed at a given time. */
function store(lease: Lease, beatAt = START): void {
	put(path(lease.instance), JSON.stringify(lease));
	utimesSync(path(lease.instance), beatAt / 1_000, beatAt / 1_000);
}

describe("a lease", () => {
	it("states which process has which session open, and what that session is doing", () => {
		const held = holder();
		held.claim();
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

	it("is written again only if the state changes", () => {
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
			held.claim();
			held.update("working", START);
			rmSync(blocker);
			// The state is the same as before, but it was never stored.
			if (next === "claim") held.claim();
			if (next === "update") held.update("working", START + 1_000);
			if (next === "beat") held.beat(START + 1_000);
			expect(stored(held)).toMatchObject({ state: "working", since: START });
		},
	);

	it("is not written again after its release, even if an aborted run still reports something", () => {
		const held = holder();
		held.claim();
		held.release();
		held.report({ steps: 1 });
		held.update("idle", START + 1_000);
		held.beat(START + 2_000);
		expect(existsSync(path(held.instance))).toBe(false);
	});

	it("is renewed without being rewritten, and restored if it was removed", () => {
		const held = holder();
		held.claim();
		const { ino } = statSync(path(held.instance));
		held.beat(START + HEARTBEAT_MS);
		expect(statSync(path(held.instance))).toMatchObject({ ino, mtimeMs: START + HEARTBEAT_MS });
		rmSync(liveFolder(agentDir()), { recursive: true });
		held.beat(START + 2 * HEARTBEAT_MS);
		expect(stored(held)).toMatchObject({ sessionId: "s-1" });
	});
});

describe("a session is open", () => {
	const HOUR = 3_600_000;
	it.each<[string, boolean, Partial<Lease>, number]>([
		["if its process runs, however long ago it gave a sign (it may be suspended)", true, {}, START - HOUR],
		["not if its process is gone", false, { pid: GONE }, START],
		["not if its id went to another process, as after a restart", false, { startedAt: 4 }, START],
		["on another machine by its sign of life", true, { host: "there", pid: GONE }, START],
		["on another machine not without one", false, { host: "there" }, START - 10 * HEARTBEAT_MS],
		["though the clock was put back since", true, {}, START + 3 * HOUR],
	])("%s", (_, isOpen, fields, beatAt) => {
		store(lease(11, fields), beatAt);
		expect(liveLeases(agentDir(), START)).toHaveLength(isOpen ? 1 : 0);
	});

	it("if its lease was renewed recently and start times are unknown, because ids are reused", () => {
		const { startedAt: _, ...unknown } = lease(11);
		store(unknown, START - 2 * HEARTBEAT_MS);
		expect(liveLeases(agentDir(), START)).toHaveLength(1);
		store(unknown, START - 10 * HEARTBEAT_MS);
		expect(liveLeases(agentDir(), START)).toEqual([]);
	});
});

describe("leases that are removed", () => {
	it("are those whose process is certainly dead", () => {
		store(lease(11));
		store(lease(12, { pid: GONE }));
		liveLeases(agentDir(), START);
		expect(names()).toEqual([`${instance(11)}.json`]);
	});

	it("are silent ones after a day, because a suspended process may continue", () => {
		store(lease(11, { host: "there" }));
		liveLeases(agentDir(), START + 3_600_000);
		expect(names()).toHaveLength(1);
		liveLeases(agentDir(), START + 25 * 3_600_000);
		expect(names()).toEqual([]);
	});

	it.each([
		["torn", '{"pid":11,"sess'],
		["of another shape", '{"pid":11}'],
		["of an unknown state", JSON.stringify({ ...lease(11), state: "dancing" })],
	])("are files that are %s, after a day", (_, content) => {
		put(path(instance(11)), content);
		expect(liveLeases(agentDir(), Date.now())).toEqual([]);
		expect(names()).toHaveLength(1);
		expect(liveLeases(agentDir(), Date.now() + 25 * 3_600_000)).toEqual([]);
		expect(names()).toEqual([]);
	});

	it("include no others", () => {
		const others = ["notes.txt", "x.json", "11.json", "11.json.11.ab12.tmp"];
		for (const name of others) put(join(liveFolder(agentDir()), name), "half");
		liveLeases(agentDir(), Date.now() + 48 * 3_600_000);
		expect(names()).toEqual(others.sort());
	});
});

describe("live leases", () => {
	it("tell whether a session is open elsewhere", () => {
		const find = leaseFinder([lease(11, { sessionFile: "/s/a.jsonl" }), lease(12)]);
		expect(find({ path: "/s/moved.jsonl", id: "s-11" })?.sessionId).toBe("s-11");
		expect(find({ path: "/s/a.jsonl", id: "other" })?.sessionId).toBe("s-11");
		expect(find({ path: "/s/b.jsonl", id: "other" })).toBeUndefined();
	});

	it("are never read through a link", () => {
		const outside = put(join(agentDir(), "outside.json"), JSON.stringify(lease(11)));
		put(path(instance(12)), "");
		rmSync(path(instance(12)));
		symlinkSync(outside, path(instance(12)));
		expect(liveLeases(agentDir(), START)).toEqual([]);
	});
});

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
const SESSION = { sessionId: "s-1", sessionFile: "/s/s-1.jsonl", cwd: "/code" };
const holder = () => new LeaseHolder(agentDir(), SESSION, "idle", START);
const stored = (held: LeaseHolder) => readRaw(path(held.instance))?.lease;
const instance = (serial: number) => `0195a1b2-0000-4000-8000-${String(serial).padStart(12, "0")}`;

const STARTED = processStat(process.pid)?.ticks;
const GONE = spawnSync(process.execPath, ["-e", ""]).pid;

/** Returns a lease of this process, unless `fields` contains other values. */
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

/** Stores a lease that was last renewed at the time `beatAt`. */
function store(lease: Lease, beatAt = START): void {
	put(path(lease.instance), JSON.stringify(lease));
	utimesSync(path(lease.instance), beatAt / 1_000, beatAt / 1_000);
}

const HOUR = 3_600_000;

describe("a lease", () => {
	it("states which process has which session open, and what that session is doing", () => {
		const held = holder();
		held.claim();
		const stated = { instance: held.instance, pid: process.pid, ...SESSION, state: "idle", since: START };
		expect(liveLeases(agentDir(), Date.now())).toMatchObject([stated]);
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

	it.each<[string, (held: LeaseHolder) => void]>([
		["claim", (held) => held.claim()],
		["update", (held) => held.update("working", START + 1_000)],
		["beat", (held) => held.beat(START + 1_000)],
	])("that could not be written is written by the next %s", (_, next) => {
		const blocker = put(join(agentDir(), "session-suite"), "a file where the folder should be");
		const held = holder();
		held.claim();
		held.update("working", START);
		rmSync(blocker);
		next(held);
		// The state has not changed, but it was never stored.
		expect(stored(held)).toMatchObject({ state: "working", since: START });
	});

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

	it("is never read through a link", () => {
		const outside = put(join(agentDir(), "outside.json"), JSON.stringify(lease(11)));
		store(lease(12));
		rmSync(path(instance(12)));
		symlinkSync(outside, path(instance(12)));
		expect(liveLeases(agentDir(), START)).toEqual([]);
	});
});

const UNKNOWN = { startedAt: undefined } as unknown as Partial<Lease>; // Systems without `/proc` do not store it.

it.each<[string, boolean, Partial<Lease>, number]>([
	["if its process runs, however long ago it gave a sign (it may be suspended)", true, {}, START - HOUR],
	["not if its process is gone", false, { pid: GONE }, START],
	["not if its id went to another process, as after a restart", false, { startedAt: 4 }, START],
	["on another machine by its sign of life", true, { host: "there", pid: GONE }, START],
	["on another machine not without one", false, { host: "there" }, START - 10 * HEARTBEAT_MS],
	["though the clock was put back since", true, {}, START + 3 * HOUR],
	["if it gave a sign and its start time is unknown", true, UNKNOWN, START - 2 * HEARTBEAT_MS],
	["not without a sign if ids may have been reused", false, UNKNOWN, START - 10 * HEARTBEAT_MS],
])("a session is open %s", (_, isOpen, fields, beatAt) => {
	store(lease(11, fields), beatAt);
	expect(liveLeases(agentDir(), START)).toHaveLength(isOpen ? 1 : 0);
});

describe("a lease is removed", () => {
	it("if its process is certainly dead", () => {
		store(lease(11));
		store(lease(12, { pid: GONE }));
		liveLeases(agentDir(), START);
		expect(names()).toEqual([`${instance(11)}.json`]);
	});

	it.each([
		["is silent, because a suspended process may continue", JSON.stringify(lease(11, { host: "there" }))],
		["is torn", '{"pid":11,"sess'],
		["has another shape", '{"pid":11}'],
		["has an unknown state", JSON.stringify({ ...lease(11), state: "dancing" })],
	])("after a day if it %s", (_, content) => {
		put(path(instance(11)), content);
		const now = Date.now();
		liveLeases(agentDir(), now + HOUR);
		expect(names()).toHaveLength(1);
		expect(liveLeases(agentDir(), now + 25 * HOUR)).toEqual([]);
		expect(names()).toEqual([]);
	});

	it("and no other file in its folder is", () => {
		const others = ["notes.txt", "x.json", "11.json", "11.json.11.ab12.tmp"];
		for (const name of others) put(join(liveFolder(agentDir()), name), "half");
		liveLeases(agentDir(), Date.now() + 48 * HOUR);
		expect(names()).toEqual(others.sort());
	});
});

it("a session's lease is found by its file, and otherwise by its id", () => {
	const find = leaseFinder([lease(11, { sessionFile: "/s/a.jsonl" }), lease(12)]);
	expect(find({ path: "/s/moved.jsonl", id: "s-11" })?.sessionId).toBe("s-11");
	expect(find({ path: "/s/a.jsonl", id: "other" })?.sessionId).toBe("s-11");
	expect(find({ path: "/s/b.jsonl", id: "other" })).toBeUndefined();
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTemporary, type Renaming, renamePatiently, replaceFile, sweepTemporaries } from "./atomic-file.ts";
import { put, useTemporaryFolder } from "./store.test-support.ts";
import { hasEnded, ownMark, type Processes, readMark, realProcesses } from "./writer.ts";

const folder = useTemporaryFolder();
const file = () => join(folder(), "f.json");

/** A file system that refuses the first renames with these codes. */
function refusing(platform: NodeJS.Platform, ...codes: string[]) {
	const left = [...codes];
	const paused: number[] = [];
	const using: Renaming = {
		platform,
		rename: () => {
			const code = left.shift();
			if (code) throw Object.assign(new Error(`${code}: held`), { code });
		},
		pause: (ms) => paused.push(ms),
	};
	return { using, paused };
}

describe("replacing a file", () => {
	it("leaves the new one alone, private unless told otherwise", () => {
		expect(replaceFile(file(), "one")).toEqual({ ok: true });
		expect(replaceFile(file(), "two", { mode: 0o640, until: "disk" })).toEqual({ ok: true });
		expect(readFileSync(file(), "utf8")).toBe("two");
		expect(statSync(file()).mode & 0o777).toBe(0o640);
		expect(readdirSync(folder())).toEqual(["f.json"]);
	});

	it("that fails leaves nothing behind", () => {
		put(join(file(), "a folder in its place"), "");
		expect(replaceFile(file(), "one")).toMatchObject({ ok: false });
		expect(readdirSync(folder())).toEqual(["f.json"]);
	});

	it.each(["EPERM", "EACCES", "EBUSY"])("waits on Windows while it is held (%s)", (code) => {
		const { using, paused } = refusing("win32", code, code, code);
		renamePatiently("a", "b", using);
		expect(paused).toEqual([1, 2, 4]);
	});

	it("gives up when it is held for good", () => {
		const { using, paused } = refusing("win32", ...Array<string>(1_000).fill("EBUSY"));
		expect(() => renamePatiently("a", "b", using)).toThrow(/EBUSY/);
		expect(paused.reduce((sum, ms) => sum + ms)).toBeLessThan(500);
	});

	it.each([
		["linux", "EACCES"],
		["darwin", "EPERM"],
		["win32", "ENOSPC"],
	] as const)("does not wait for what does not pass (%s, %s)", (platform, code) => {
		const { using, paused } = refusing(platform, code);
		expect(() => renamePatiently("a", "b", using)).toThrow(code);
		expect(paused).toEqual([]);
	});
});

describe("what a writer left", () => {
	it("is swept once it has ended, whatever runs under its id now, and nothing else is", async () => {
		const child = spawn(process.execPath, ["-e", ""]);
		const { space } = realProcesses();
		const dead = `f.json.${space}-${child.pid}-5.ab1.tmp`;
		const reused = `f.json.${space}-${process.pid}-5.ab2.tmp`;
		const own = `f.json.${ownMark()}.ab3.tmp`;
		const others = ["f.json.tmp", "f.json.77.ab.tmp", `g.json.${space}-${child.pid}-5.ab1.tmp`];
		await once(child, "exit");
		for (const name of [dead, reused, own, ...others]) put(join(folder(), name), "half");
		sweepTemporaries(file());
		const kept = startKnown() ? [own, ...others] : [own, reused, ...others];
		expect(readdirSync(folder()).sort()).toEqual(kept.sort());
	});

	it("in another container is swept when it has not grown for a while: its process cannot be looked up here", () => {
		const fresh = "f.json.00000000-1-5.ab1.tmp";
		const old = "f.json.00000000-1-5.ab2.tmp";
		for (const name of [fresh, old]) put(join(folder(), name), "half");
		utimesSync(join(folder(), old), 0, 0);
		sweepTemporaries(file());
		expect(readdirSync(folder())).toEqual([fresh]);
	});

	it("has a name of its own kind", () => {
		expect(isTemporary(`x.${ownMark()}.a1.tmp`)).toBe(true);
		for (const name of ["x.tmp", "x.1.a1.tmp", "x.json"]) expect(isTemporary(name)).toBe(false);
	});
});

describe("a writer", () => {
	const processes = (live: Record<number, number | undefined>): Processes => ({
		space: "aaaaaaaa",
		isAlive: (pid) => pid in live,
		startTicks: (pid) => live[pid],
	});

	it.each([
		["runs", "aaaaaaaa-7-50", 0, false],
		["is gone", "aaaaaaaa-8-50", 0, true],
		["left its id to another", "aaaaaaaa-7-49", 0, true],
		["is believed where start times are unknown", "aaaaaaaa-7-0", 1e9, false],
		["of another space was here just now", "bbbbbbbb-8-50", 5_000, false],
		["of another space has not been here lately", "bbbbbbbb-7-50", 60_000, true],
	])("%s", (_, mark, age, ended) => {
		const writer = readMark(mark);
		expect(writer && hasEnded(writer, age, processes({ 7: 50 }))).toBe(ended);
	});

	it("is this process, in its own mark", () => {
		const own = readMark(ownMark());
		expect(own).toMatchObject({ pid: process.pid });
		expect(own && hasEnded(own, 1e9)).toBe(false);
	});
});

const startKnown = () => realProcesses().startTicks(process.pid) !== undefined;

import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Renaming, renamePatiently, replaceFile, sweepFolder } from "./atomic-file.ts";
import { put, useTemporaryFolder } from "./session-file/session.test-support.ts";

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
	it("leaves only the new one, which is private", () => {
		expect(replaceFile(file(), "one")).toEqual({ ok: true });
		expect(replaceFile(file(), "two")).toEqual({ ok: true });
		expect(readFileSync(file(), "utf8")).toBe("two");
		expect(statSync(file()).mode & 0o777).toBe(0o600);
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

it("what a writer left is swept once it has not grown for a while, and nothing else is", () => {
	const left = ["f.json.suite-ab1.tmp", "g.json.0a1b2c3d-77-5.ab1.tmp"];
	const others = ["f.json", "f.json.tmp", "f.json.77.ab.tmp"];
	for (const name of [...left, ...others]) {
		put(join(folder(), name), "half");
		utimesSync(join(folder(), name), 0, 0);
	}
	put(join(folder(), "h.json.suite-ab2.tmp"), "half");
	sweepFolder(folder());
	expect(readdirSync(folder()).sort()).toEqual([...others, "h.json.suite-ab2.tmp"].sort());
});

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendRegular } from "./append-regular.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "append-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("appending", () => {
	test("makes folder and file, readable by the owner only, and adds to what is there", () => {
		const path = join(folder, "a", "b.jsonl");
		expect(appendRegular(path, "1\n")).toEqual({ ok: true });
		expect(appendRegular(path, "2\n")).toEqual({ ok: true });
		expect(readFileSync(path, "utf8")).toBe("1\n2\n");
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	test.each<[string, (path: string) => void, string]>([
		["a folder", (path) => mkdirSync(path), "not_regular"],
		["a pipe that nobody reads", (path) => execFileSync("mkfifo", [path]), "not_regular"],
		["a link", (path) => symlinkSync(join(folder, "target"), path), "symlink"],
		["a file where the folder would be", (path) => writeFileSync(join(path, ".."), ""), "unwritable"],
	])("%s in its place is a value, at once", (what, place, reason) => {
		const path = join(folder, what.startsWith("a file") ? "x/y" : "y");
		place(path);
		expect(appendRegular(path, "1\n")).toMatchObject({ ok: false, reason });
	});
});

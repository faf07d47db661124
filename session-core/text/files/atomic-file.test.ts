import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, useTemporaryFolder } from "../../log/session.test-support.ts";
import { replaceByLines, replaceFile, sweepFolder } from "./atomic-file.ts";

const folder = useTemporaryFolder();
const file = () => join(folder(), "f.json");

describe("replacing a file", () => {
	it("leaves only the new file, which is private", () => {
		expect(replaceFile(file(), "one")).toEqual({ ok: true });
		expect(replaceFile(file(), "two")).toEqual({ ok: true });
		expect(readFileSync(file(), "utf8")).toBe("two");
		expect(statSync(file()).mode & 0o777).toBe(0o600);
		expect(readdirSync(folder())).toEqual(["f.json"]);
	});

	it("leaves no files behind if it fails", async () => {
		put(join(file(), "a folder in its place"), "");
		expect(replaceFile(file(), "one")).toMatchObject({ ok: false });
		expect(await replaceByLines(file(), ["one"])).toMatchObject({ ok: false });
		expect(readdirSync(folder())).toEqual(["f.json"]);
	});
});

it("removes only files of other writers that have not grown for a while", () => {
	const left = ["f.json.suite-ab1.tmp", "g.json.suite-0a1b2c3d.tmp"];
	const others = ["f.json", "f.json.tmp", "f.json.77.ab.tmp"];
	for (const name of [...left, ...others]) {
		put(join(folder(), name), "half");
		utimesSync(join(folder(), name), 0, 0);
	}
	put(join(folder(), "h.json.suite-ab2.tmp"), "half");
	sweepFolder(folder());
	expect(readdirSync(folder()).sort()).toEqual([...others, "h.json.suite-ab2.tmp"].sort());
});

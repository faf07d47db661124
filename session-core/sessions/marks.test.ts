import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, useTemporaryFolder } from "../log/session.test-support.ts";
import { dropMarks, markOf, readMarks, setMark } from "./marks.ts";

const agentFolder = useTemporaryFolder();

const HOST_NAME = "2026-01-31T12-00-00-000Z_01a1ffd6-c1b4-73fe-bf2a-000000000001.jsonl";

describe("marks", () => {
	test("are kept until they are removed, independently of each other", () => {
		const agentDir = agentFolder();
		expect(readMarks(agentDir)).toEqual({ pinned: new Set(), archived: new Set() });
		for (const mark of ["pinned", "archived", "archived"] as const) setMark(agentDir, "one", mark, true);
		setMark(agentDir, "two", "pinned", true);
		expect(readMarks(agentDir)).toEqual({ pinned: new Set(["one", "two"]), archived: new Set(["one"]) });
		setMark(agentDir, "one", "pinned", false);
		setMark(agentDir, "never", "pinned", false);
		expect(readMarks(agentDir)).toEqual({ pinned: new Set(["two"]), archived: new Set(["one"]) });
		dropMarks(agentDir, "one");
		expect(readMarks(agentDir).archived.size).toBe(0);
	});

	test("of an earlier version are kept", () => {
		const agentDir = agentFolder();
		put(join(agentDir, "session-suite", "index", "marks", "one.pinned"), "");
		expect(readMarks(agentDir).pinned).toEqual(new Set(["one"]));
		setMark(agentDir, "one", "pinned", false);
		expect(readMarks(agentDir).pinned.size).toBe(0);
	});

	test("a session is marked by its file name if that is unique, else by its path", () => {
		expect(markOf(`/one/${HOST_NAME}`)).toBe(HOST_NAME);
		expect(markOf(`/two/${HOST_NAME}`)).toBe(HOST_NAME);
		expect(markOf("/one/main.jsonl")).not.toBe(markOf("/two/main.jsonl"));
		expect(markOf("/one/../x_01a1ffd6-c1b4-73fe-bf2a-000000000001.jsonl\n")).toMatch(/^[\da-f]{40}$/);
	});

	test.skipIf(process.getuid?.() === 0)("a mark that cannot be written is reported", () => {
		const agentDir = agentFolder();
		chmodSync(agentDir, 0o500);
		expect(setMark(agentDir, "one", "pinned", true)).toMatchObject({ ok: false });
	});
});

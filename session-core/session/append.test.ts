import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { session } from "../../test/host/fixtures.ts";
import { type AppendTarget, appendCarefully } from "./append.ts";
import { fileLeafId } from "./file-leaf.ts";

let folder: string;
let file: string;
let manager: SessionManager;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "append-"));
	file = join(folder, "session.jsonl");
	writeFileSync(file, session({ cwd: folder }).user("hello there").assistant("Hi.").build());
	manager = SessionManager.open(file, folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The host's class is what extensions get, whatever its type says. */
const target = () => manager as unknown as AppendTarget;
const record = () => manager.appendCustomEntry("session-suite:recap", { headline: "x" });

describe("appending to a session", () => {
	test("hangs the entry below the leaf, in memory and in the file", () => {
		expect(appendCarefully(target(), record)).toEqual({ ok: true });
		expect(fileLeafId(file)).toBe(manager.getLeafId());
	});

	test("is refused where another process has gone on", () => {
		const line = { type: "session_info", id: "f0f0f0f0", parentId: manager.getLeafId(), name: "elsewhere" };
		appendFileSync(file, `${JSON.stringify(line)}\n`);
		expect(appendCarefully(target(), record)).toMatchObject({ ok: false, reason: "moved_on" });
		expect(fileLeafId(file)).toBe("f0f0f0f0");
	});

	test("at an earlier point of the tree happens only where the user asked for it: nobody else has gone on", () => {
		const [first] = manager.getEntries();
		manager.branch(first?.id ?? "");
		const before = readFileSync(file, "utf8");
		expect(appendCarefully(target(), record)).toMatchObject({ ok: false, reason: "aside" });
		expect(readFileSync(file, "utf8")).toBe(before);
		expect(appendCarefully(target(), record, { aside: "write" })).toEqual({ ok: true });
		expect(manager.getLeafEntry()).toMatchObject({ parentId: first?.id });
	});

	test.each([
		["the file is gone", () => rmSync(file), "not_saved"],
		["its last line is torn", () => appendFileSync(file, '{"type":"mess'), "unreadable"],
		["a folder stands in its place", () => [rmSync(file), mkdirSync(file)], "unreadable"],
	] as const)("is refused where %s", (_, happens, reason) => {
		happens();
		expect(appendCarefully(target(), record)).toMatchObject({ ok: false, reason });
	});

	test.each([
		["nothing was", 0],
		["half a line was", 40],
	])("that fails when %s written leaves file and leaf as they were", (_, written) => {
		const before = readFileSync(file, "utf8");
		const leaf = manager.getLeafId();
		const outcome = appendCarefully(target(), () => {
			record();
			const line = readFileSync(file, "utf8").slice(before.length, before.length + written);
			writeFileSync(file, before + line);
			throw new Error("ENOSPC: no space left on device");
		});
		expect(outcome).toMatchObject({ ok: false, reason: "unwritable" });
		expect(readFileSync(file, "utf8")).toBe(before);
		expect(manager.getLeafId()).toBe(leaf);
	});

	test("never cuts off what somebody else wrote", () => {
		const before = readFileSync(file, "utf8");
		appendCarefully(target(), () => {
			record();
			writeFileSync(file, `${before}theirs`);
			throw new Error("EIO");
		});
		expect(readFileSync(file, "utf8")).toBe(`${before}theirs`);
	});

	test("in a session without a file goes to memory", () => {
		manager = SessionManager.inMemory(folder);
		expect(appendCarefully(target(), record)).toEqual({ ok: true });
	});
});

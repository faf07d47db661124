import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	truncateSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ClaudeLog } from "../../session-core/log/logs.test-support.ts";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { LeaseHolder } from "../../session-core/sessions/live/lease-files.ts";
import { readMarks, setMark } from "../../session-core/sessions/marks.ts";
import { summarize } from "../../session-core/sessions/summary.ts";
import { factsOf } from "../leaving/ask.ts";
import { ownLeases } from "../live/leases.ts";
import { createActs } from "./acts.ts";
import { aRow } from "./board.test-support.ts";
import { type Row, rowOf } from "./list.ts";

const OVER_512_MB = 520 * 1024 * 1024;
const folder = useTemporaryFolder();
beforeEach(() => {
	vi.stubEnv("PATH", `${folder()}:${process.env["PATH"]}`);
	vi.stubEnv("PI_CODING_AGENT_DIR", folder());
});
afterEach(() => void vi.unstubAllEnvs());

const host = (busy: boolean) => ({ ui: { setWidget: () => undefined }, isIdle: () => !busy }) as never;
const facts = (row: Row, act: "open" | "fork" = "open", busy = false) => factsOf(act, row, host(busy));
function actsIn() {
	const manager = { getSessionFile: () => undefined };
	return createActs({} as never, { cwd: folder(), sessionManager: manager } as never);
}
const remove = (row: Row, how: "trash" | "for_good") => actsIn().remove(row, how);

function placed(text?: string): Row {
	const cwd = join(folder(), "project");
	mkdirSync(cwd, { recursive: true });
	const sound = new SessionText({ cwd }).user("Fix it").assistant("Done").toString();
	const looked = summarize(put(join(folder(), "one.jsonl"), text ?? sound));
	if (!looked.ok) throw new Error(looked.detail);
	return rowOf(looked.record.summary, true);
}

function claim(row: Row): LeaseHolder {
	const holder = new LeaseHolder(folder(), { sessionId: row.id, sessionFile: row.path }, "idle", Date.now());
	holder.claim();
	return holder;
}

describe("before the host opens a file", () => {
	test("a file over 512 MB is blocked if this version of pi reads files into one string", async () => {
		const row = placed();
		truncateSync(row.path, OVER_512_MB);
		expect((await facts(row)).blocked).toMatch(/too large for pi 0\.73\.1: 520 MB/);
	});

	test.each<[string, RegExp, (path: string) => void]>([
		["missing", /no longer exists/, () => undefined],
		["a symlink", /is a symlink/, (path) => symlinkSync(folder(), path)],
		["empty", /is empty/, (path) => writeFileSync(path, "")],
		["not a session", /damaged/, (path) => writeFileSync(path, '{"torn\n{"type":"message","id":"s"}\n')],
	])("a file that is %s is blocked", async (_, text, spoil) => {
		const row = placed();
		unlinkSync(row.path);
		spoil(row.path);
		expect((await facts(row)).blocked).toMatch(text);
	});

	test("a damaged file is to be repaired", async () => {
		const row = placed();
		writeFileSync(row.path, `[]\n${readFileSync(row.path, "utf8")}`);
		for (const act of ["open", "fork"] as const)
			expect(await facts(row, act)).toMatchObject({ blocked: undefined, damaged: true });
	});

	test.skipIf(process.getuid?.() === 0)("a file that cannot be written is forked, not opened", async () => {
		const row = placed();
		chmodSync(row.path, 0o400);
		expect((await facts(row)).blocked).toMatch(/read-only/);
		expect((await facts(row, "fork")).blocked).toBeUndefined();
	});

	test("a missing folder, a working agent and another process, but not this one, are reported", async () => {
		const row = { ...placed(), cwd: join(folder(), "nowhere") };
		const { instance } = claim(row);
		ownLeases.add(instance);
		onTestFinished(() => void ownLeases.delete(instance));
		const alone = { cwdExists: false, busy: true, writer: undefined, canGo: false };
		expect(await facts(row, "open", true)).toMatchObject(alone);
		claim(row);
		expect((await facts(row)).writer).toMatch(/^another pi process \(pid \d+, idle/);
		expect(actsIn().whyKept(row)).toMatch(/^Not deleted: this session is open in another pi process \(pid/);
	});

	test("a session that pi cannot open can be deleted, but a folder in its place cannot", () => {
		const row = placed();
		writeFileSync(row.path, "[]\n");
		expect(actsIn().whyKept(row)).toBeUndefined();
		unlinkSync(row.path);
		mkdirSync(row.path);
		expect(actsIn().whyKept(row)).toMatch(/not a regular file/);
	});
});

test("another agent's session is not opened, forked, renamed or deleted, and the message says how to continue it", async () => {
	const row = placed(String(new ClaudeLog().user("Fix it").says("Done")));
	const before = readFileSync(row.path);
	const others = /belongs to Claude Code.*\/resume-from 0c1a0de0/;
	for (const act of ["open", "fork"] as const) expect((await facts(row, act)).blocked).toMatch(others);
	expect(actsIn().whyKept(row)).toMatch(others);
	expect(await remove(row, "for_good")).toMatchObject({ ok: false, reason: "kept" });
	expect(await actsIn().rename(row, "New")).toMatchObject({ ok: false });
	expect(readFileSync(row.path)).toEqual(before);
});

const TO_TRASH = { trash: 'mv "$1" "$1.trashed"' };

/** Creates a pinned session, and trash programs that take precedence over the system's. */
function world(programs: Record<string, string>, path = join(folder(), "one two.jsonl")): Row {
	for (const [name, script] of Object.entries(programs))
		chmodSync(put(join(folder(), name), `#!/bin/sh\n${script}\n`), 0o755);
	const row = aRow("one", { path: put(path, "session\n"), size: 8 });
	setMark(folder(), row.mark, "pinned", true);
	return row;
}

const pins = () => readMarks(folder()).pinned.size;
const exists = (...paths: string[]) => paths.map((path) => existsSync(path));

describe.skipIf(process.platform === "win32")("deleting a session", () => {
	test("moves its file to the trash and removes its marks", async () => {
		const row = world(TO_TRASH);
		expect(pins()).toBe(1);
		expect(await remove(row, "trash")).toEqual({ ok: true, how: "trash" });
		expect([existsSync(`${row.path}.trashed`), pins()]).toEqual([true, 0]);
	});

	test.each(["trash", "for_good"] as const)("%s: also removes the folder of its subagents", async (how) => {
		const row = world(TO_TRASH);
		const children = row.path.replace(/\.jsonl$/, "");
		put(join(children, "run-0", "session.jsonl"), "child\n");
		const other = join(folder(), "one");
		mkdirSync(other);
		expect(await remove(row, how)).toEqual({ ok: true, how });
		expect(exists(row.path, children, other)).toEqual([false, false, true]);
		const kept = join(`${children}.trashed`, "run-0", "session.jsonl");
		expect(existsSync(kept)).toBe(how === "trash");
	});

	test.each([".jsonl", "..jsonl", "...jsonl"])("named %s removes no other folder", async (name) => {
		const project = join(folder(), "sessions", "project");
		expect(await remove(world({}, join(project, name)), "for_good")).toMatchObject({ ok: true });
		expect(existsSync(project)).toBe(true);
	});

	test("uses the desktop's own trash if `trash` fails", async () => {
		const row = world({ trash: "exit 1", gio: 'test "$1" = trash && mv "$2" "$2.trashed"' });
		expect(await remove(row, "trash")).toEqual({ ok: true, how: "trash" });
	});

	test("keeps what another pi writes to the same path after the file was moved", async () => {
		const row = world({ trash: `${TO_TRASH.trash}; echo "written again" > "$1"`, gio: 'rm "$2"' });
		expect(await remove(row, "trash")).toEqual({ ok: true, how: "trash" });
		expect(exists(row.path, `${row.path}.trashed`)).toEqual([true, true]);
	});

	test("never deletes another file, even if the program expands its argument", async () => {
		// This program expands its argument, as npm's trash-cli does: the shell expands the unquoted `$1`.
		const glob = { trash: 'IFS=; for file in $1; do mv "$file" "$file.trashed"; done', gio: "exit 1" };
		const others = ["[ab]", "a", "b"].map((name) => put(join(folder(), name, "one.jsonl"), "session\n"));
		const names = ["[ab].jsonl", "a.jsonl"].map((name) => put(join(folder(), "named", name), "session\n"));
		expect(await remove(world(glob, others[0]), "trash")).toMatchObject({ ok: true });
		expect(exists(...others)).toEqual([false, true, true]);
		expect(await remove(world(glob, names[0]), "trash")).toMatchObject({ reason: "no_trash" });
		expect(exists(...names)).toEqual([true, true]);
	});

	test("deletes nothing if the trash refuses it, and says why", async () => {
		const row = world({ trash: "echo no room there >&2; exit 1", gio: "echo not on this disk >&2; exit 1" });
		const detail = expect.stringMatching(/^(gio: not on this disk|osascript: .+)/);
		expect(await remove(row, "trash")).toMatchObject({ reason: "no_trash", detail });
		expect([existsSync(row.path), pins()]).toEqual([true, 1]);
	});

	test("deletes a session permanently, and reports one that is already gone", async () => {
		const row = world({});
		expect(await remove(row, "for_good")).toEqual({ ok: true, how: "for_good" });
		expect(existsSync(row.path)).toBe(false);
		expect(await remove(row, "for_good")).toEqual({ ok: true, how: "gone" });
	});

	test("never deletes a session that was opened or changed after the question was asked", async () => {
		const row = world({ trash: 'rm "$1"' });
		const holder = claim(row);
		const detail = expect.stringMatching(/^it is open in another pi/);
		expect(await remove(row, "trash")).toMatchObject({ reason: "kept", detail });
		holder.release();
		writeFileSync(row.path, "session\nand more\n");
		for (const how of ["trash", "for_good"] as const)
			expect(await remove(row, how)).toMatchObject({ detail: "its file was changed a moment ago." });
		expect(existsSync(row.path)).toBe(true);
	});
});

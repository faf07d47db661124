import {
	chmodSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	truncateSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ClaudeLog } from "../../session-core/log/logs.test-support.ts";
import { put, SessionText, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { LeaseHolder } from "../../session-core/sessions/live/lease-files.ts";
import { summarize } from "../../session-core/sessions/summary.ts";
import { obstacleToOpening } from "../live/gate.ts";
import { hold, letGo } from "../live/leases.ts";
import { factsOf, remove, rename } from "./acts.ts";
import { type Row, rowOf } from "./list.ts";

const OVER_512_MB = 520 * 1024 * 1024;
const folder = useTemporaryFolder();
beforeEach(() => void vi.stubEnv("PI_CODING_AGENT_DIR", folder()));
afterEach(() => void vi.unstubAllEnvs());

function placed(text?: string): Row {
	const cwd = join(folder(), "project");
	mkdirSync(cwd, { recursive: true });
	const path = put(
		join(folder(), "one.jsonl"),
		text ?? new SessionText({ cwd }).user("Fix it").assistant("Done").toString(),
	);
	const looked = summarize(path);
	if (!looked.ok) throw new Error(looked.detail);
	return rowOf(looked.record.summary, true);
}

function facts(
	row: Row,
	{ act = "open", busy = false }: { act?: "open" | "fork" | "delete"; busy?: boolean } = {},
) {
	return factsOf(act, row, { ui: { setWidget: () => undefined } as never, isIdle: () => !busy });
}

describe("before the host is sent to a file", () => {
	test("a file over 512 MB is blocked if this version of pi reads files into one string", async () => {
		const row = placed();
		truncateSync(row.path, OVER_512_MB);
		const text = /too large for pi 0\.73\.1: 520 MB/;
		expect((await facts(row)).blocked).toMatch(text);
		expect(await obstacleToOpening(row.path)).toMatch(text);
	});

	test("a file that is missing, empty or not readable is blocked", async () => {
		const row = placed();
		unlinkSync(row.path);
		expect((await facts(row)).blocked).toMatch(/is gone/);
		symlinkSync(folder(), row.path);
		expect((await facts(row)).blocked).toMatch(/is a symlink/);
		unlinkSync(row.path);
		writeFileSync(row.path, "");
		expect((await facts(row)).blocked).toMatch(/is empty/);
		writeFileSync(row.path, '{"torn\n{"type":"session","id":"s","cwd":"/x"}\n'.replace("session", "message"));
		expect((await facts(row)).blocked).toMatch(/damaged/);
	});

	test.each([
		["NUL bytes before the header", (text: string) => `\0\0${text}`],
		["NUL bytes behind the header", (text: string) => text.replace("\n", "\0\n")],
		["a first line []", (text: string) => `[]\n${text}`],
		["a first line null", (text: string) => `null\n${text}`],
		["junk, a byte order mark and the header", (text: string) => `junk\ufeff${text}`],
		["a line null", (text: string) => `${text}null\n`],
	])("a file with %s is to be repaired", async (_, spoil) => {
		const row = placed();
		writeFileSync(row.path, spoil(readFileSync(row.path, "utf8")));
		for (const act of ["open", "fork"] as const)
			expect(await facts(row, { act })).toMatchObject({ blocked: undefined, damaged: true });
	});

	test.skipIf(process.getuid?.() === 0)("a file that cannot be written is forked, not opened", async () => {
		const row = placed();
		chmodSync(row.path, 0o400);
		expect((await facts(row)).blocked).toMatch(/read-only/);
		expect((await facts(row, { act: "fork" })).blocked).toBeUndefined();
	});

	test("a missing folder, a working agent and another process are noticed", async () => {
		const row = { ...placed(), cwd: join(folder(), "nowhere") };
		const claim = () => {
			const holder = new LeaseHolder(
				folder(),
				{ sessionId: row.id, sessionFile: row.path },
				"idle",
				Date.now(),
			);
			holder.claim();
			return holder;
		};
		const { instance } = claim();
		hold(instance);
		expect(await facts(row, { busy: true })).toMatchObject({
			cwdExists: false,
			busy: true,
			writer: undefined,
			canGo: false,
		});
		claim();
		expect((await facts(row)).writer).toMatch(/^another pi \(pid \d+, idle/);
		expect((await facts(row, { act: "delete" })).blocked).toMatch(
			/^Not deleted: this session is open in another pi \(pid/,
		);
		letGo(instance);
	});

	test("a session that pi cannot open can be deleted, but nothing that is not a file", async () => {
		const row = placed();
		writeFileSync(row.path, "[]\n");
		expect((await facts(row, { act: "delete" })).blocked).toBeUndefined();
		unlinkSync(row.path);
		mkdirSync(row.path);
		expect((await facts(row, { act: "delete" })).blocked).toMatch(/not a regular file/);
	});
});

test("another agent's session is not opened, forked, renamed or deleted, and the answer says how to continue it", async () => {
	const row = placed(String(new ClaudeLog().user("Fix it").says("Done")));
	const before = readFileSync(row.path);
	for (const act of ["open", "fork", "delete"] as const)
		expect((await facts(row, { act })).blocked).toMatch(/belongs to Claude Code.*\/resume-from 0c1a0de0/);
	expect(await remove(row, "for_good")).toMatchObject({
		ok: false,
		reason: "kept",
	});
	const host = { pi: {} as never, manager: {} as never, isCurrent: false };
	expect(await rename(row, "New", host)).toMatchObject({ ok: false });
	expect(readFileSync(row.path)).toEqual(before);
});

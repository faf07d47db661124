import { appendFileSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { LeaseHolder, offerRestore } from "../../session-core/sessions/live/lease-files.ts";
import { liveFolder } from "../../session-core/sessions/live/liveness.mjs";
import { named, Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const shell = new Shell(folder);

/** Opens a session in this process; returns its lease and its file. */
function open(id: string, { isInteractive = true, cwd = shell.cwd } = {}) {
	const sessionFile = shell.session(id, named(id, `Title of ${id}`, cwd));
	const holder = new LeaseHolder(
		shell.agentDir,
		{ sessionId: id, sessionFile, cwd, isInteractive },
		"idle",
		Date.now(),
	);
	holder.claim();
	return { holder, sessionFile };
}

/** Makes this process's leases look like those of a process that was killed. */
function kill(): void {
	const live = liveFolder(shell.agentDir);
	for (const name of readdirSync(live)) {
		const lease = JSON.parse(readFileSync(join(live, name), "utf8"));
		put(join(live, name), JSON.stringify({ ...lease, startedAt: 1 }));
	}
}

test("prints a command for each session whose pi was killed, but not for closed sessions", async () => {
	const { sessionFile } = open("11111111-aaaa");
	const closed = open("22222222-bbbb");
	open("33333333-cccc", { isInteractive: false });
	closed.holder.release();
	kill();
	const { out, err } = await shell.run(["restore", "--dry-run"], { env: {} });
	expect(out).toBe(`cd ${shell.cwd} && pi --session ${sessionFile}\n`);
	expect(err).toContain("was open: Title of 11111111-aaaa");
});

test("a session that lost its terminal is offered until it is open again or its file is gone", async () => {
	const lost = open("11111111-aaaa");
	const moved = open("22222222-bbbb");
	lost.holder.release(true);
	moved.holder.release(true);
	renameSync(moved.sessionFile, `${moved.sessionFile}.bak`);
	expect((await shell.run(["restore"], { env: {} })).out).toContain(lost.sessionFile);
	expect((await shell.run(["restore"], { env: {} })).out).not.toContain(moved.sessionFile);
	open("11111111-aaaa");
	expect(await shell.run(["restore"], { env: {} })).toMatchObject({ code: 0, out: "" });
});

test("the board offers what is lost once, and again only if more is lost", () => {
	open("11111111-aaaa").holder.release(true);
	const offer = (...live: string[]) =>
		offerRestore(
			shell.agentDir,
			Date.now(),
			live.map((sessionId) => ({ sessionId })),
		);
	expect(offer("11111111-aaaa")).toBeUndefined();
	expect(offer()).toBe("pi-sessions restore reopens a session that was not closed.");
	expect(offer()).toBeUndefined();
	open("22222222-bbbb").holder.release(true);
	expect(offer()).toBe("pi-sessions restore reopens 2 sessions that were not closed.");
	expect(offer()).toBeUndefined();
});

test("opens tmux windows, and tmux expands nothing in the folder's name", async () => {
	const cwd = join(folder(), "#(touch x)");
	put(join(cwd, "file"), "");
	const { holder, sessionFile } = open("11111111-aaaa", { cwd });
	holder.release(true);
	const calls = join(folder(), "calls");
	shell.program("tmux", `printf "%s\\n" "$@" > "${calls}"`);
	const env = { TMUX: "/tmp/s,1,0", PATH: `${join(folder(), "bin")}:/usr/bin:/bin` };
	const { out, err } = await shell.run(["restore"], { env });
	expect(out).toBe("");
	expect(err).toContain("opened: Title of 11111111-aaaa");
	expect(readFileSync(calls, "utf8").trimEnd().split("\n")).toEqual([
		...["new-window", "-d", "--", "sh", "-c", expect.not.stringContaining("touch"), "sh", cwd],
		...["env", `PI_CODING_AGENT_DIR=${shell.agentDir}`],
		...["pi", "--session", sessionFile],
	]);
});

test("does not open a damaged file, but prints the command that opens a repaired copy", async () => {
	const { holder, sessionFile } = open("11111111-aaaa");
	holder.release(true);
	appendFileSync(sessionFile, '{"type":"message","id":"torn');
	const env = { TMUX: "/tmp/s,1,0", PATH: join(folder(), "none") };
	const { out, err } = await shell.run(["restore"], { env });
	expect(out).toBe(`cd ${shell.cwd} && pi-sessions resume ${sessionFile} --repair\n`);
	expect(err).toContain("its file is damaged");
});

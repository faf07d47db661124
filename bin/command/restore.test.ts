import { appendFileSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { LeaseHolder, offerRestore } from "../../session-core/sessions/live/lease-files.ts";
import { liveFolder } from "../../session-core/sessions/live/liveness.mjs";
import { Shell } from "../shell.test-support.ts";

const folder = useTemporaryFolder();
const shell = new Shell(folder);
const [ONE, TWO, THREE] = ["11111111-aaaa", "22222222-bbbb", "33333333-cccc"] as const;

function open(sessionId: string, { isInteractive = true, cwd = shell.cwd } = {}) {
	const sessionFile = shell.named(sessionId, `Title of ${sessionId}`, cwd);
	const session = { sessionId, sessionFile, cwd, isInteractive };
	const holder = new LeaseHolder(shell.agentDir, session, "idle", Date.now());
	holder.claim();
	return { holder, sessionFile };
}

function lost(id: string, more = {}): string {
	const { holder, sessionFile } = open(id, more);
	holder.release(true);
	return sessionFile;
}

const restore = (env: Record<string, string> = {}, words = "") => shell.run(`restore ${words}`, { env });

test("prints a command for each session whose pi was killed, but not for closed sessions", async () => {
	const { sessionFile } = open(ONE);
	const closed = open(TWO);
	open(THREE, { isInteractive: false });
	closed.holder.release();
	// After this change, the leases of this process look like the leases of a process that was killed.
	const live = liveFolder(shell.agentDir);
	for (const name of readdirSync(live)) {
		const lease = JSON.parse(readFileSync(join(live, name), "utf8"));
		put(join(live, name), JSON.stringify({ ...lease, startedAt: 1 }));
	}
	const { out, err } = await restore({}, "--dry-run");
	expect(out).toBe(`cd ${shell.cwd} && pi --session ${sessionFile}\n`);
	expect(err).toContain(`run the command above to reopen "Title of ${ONE}"`);
});

test("a session that lost its terminal is offered until it is reopened or its file no longer exists", async () => {
	const file = lost(ONE);
	const moved = lost(TWO);
	renameSync(moved, `${moved}.bak`);
	for (let time = 0; time < 2; time++) {
		const { out } = await restore();
		expect([out.includes(file), out.includes(moved)]).toEqual([true, false]);
	}
	open(ONE);
	expect(await restore()).toMatchObject({ code: 0, out: "" });
});

test("the board offers what is lost once, and again only if more is lost", () => {
	lost(ONE);
	const offer = (...live: string[]) =>
		offerRestore(
			shell.agentDir,
			Date.now(),
			live.map((sessionId) => ({ sessionId })),
		);
	expect(offer(ONE)).toBeUndefined();
	expect(offer()).toBe("To reopen a session that was not closed, run pi-sessions restore in a shell.");
	expect(offer()).toBeUndefined();
	lost(TWO);
	expect(offer()).toBe("To reopen 2 sessions that were not closed, run pi-sessions restore in a shell.");
	expect(offer()).toBeUndefined();
});

test("opens tmux windows, and tmux expands nothing in the folder's name", async () => {
	const cwd = join(folder(), "#(touch x)");
	put(join(cwd, "file"), "");
	const file = lost(ONE, { cwd });
	const calls = join(folder(), "calls");
	shell.program("tmux", `printf "%s\\n" "$@" > "${calls}"`);
	const env = { TMUX: "/tmp/s,1,0", PATH: `${join(folder(), "bin")}:/usr/bin:/bin` };
	const err = expect.stringContaining(`reopened "Title of ${ONE}"`);
	expect(await restore(env)).toMatchObject({ out: "", err });
	expect(readFileSync(calls, "utf8").trimEnd().split("\n")).toEqual([
		...["new-window", "-d", "--", "sh", "-c", expect.not.stringContaining("touch"), "sh", cwd],
		...["env", `PI_CODING_AGENT_DIR=${shell.agentDir}`],
		...["pi", "--session", file],
	]);
});

test("does not open a damaged file, but prints the command that opens a repaired copy, until that copy is opened", async () => {
	const file = lost(ONE);
	appendFileSync(file, '{"type":"message","id":"torn');
	const { out, err } = await restore({ TMUX: "/tmp/s,1,0", PATH: join(folder(), "none") });
	expect(out).toBe(`cd ${shell.cwd} && pi-sessions resume ${file} --repair\n`);
	expect(err).toContain("Its file is damaged");
	shell.program("pi", "");
	const env = { PATH: `${join(folder(), "bin")}:/usr/bin:/bin` };
	expect(await shell.run(["resume", file, "--repair"], { env })).toMatchObject({ code: 0 });
	expect(await restore()).toMatchObject({ code: 0, out: "" });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Gate, held, say, useTool } from "../host/answer.ts";
import { testHost, testOnce, testWorld } from "../host/in-test.ts";
import { until } from "../host/until.ts";
import { shellRun } from "../shell/shell-host.ts";
import { about, BOARD, leases } from "./board-sessions.ts";

/** A repository with one committed file, and a model for the agents that work in it. */
async function repository() {
	const { model, sandbox } = await testWorld({ sessions: [about("Fix the login", 5).build()] });
	mkdirSync(join(sandbox.cwd, "src"));
	writeFileSync(join(sandbox.cwd, "src/auth.ts"), "export const limit = 3;\n");
	const git = (args: string[], env = {}) =>
		execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
			cwd: sandbox.cwd,
			env: { ...process.env, ...env },
		});
	git(["init", "-q"]);
	git(["add", "."]);
	// A change in the same second as a commit is considered committed.
	git(["commit", "-qm", "first"], { GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" });
	return { model, sandbox, git, ...BOARD, rows: 30 };
}

const edit = (path: string, from: string, to: string) =>
	useTool("edit", { path, edits: [{ oldText: from, newText: to }] });

test("a file that two live sessions have changed is named once in both tabs and in the list until it is committed, even if one was reopened", async () => {
	const it = await repository();
	symlinkSync(join(it.sandbox.cwd, "src"), join(it.sandbox.cwd, "lib"));
	const killed = await testHost({ ...it, args: ["-c"] });
	const change = async (host: typeof killed, path: string, from: string, to: string) => {
		it.model.queue("agent", edit(path, from, to), say(`Changed ${to}.`));
		await host.submit(`change it to ${to}`, new RegExp(`Changed ${to}\\.`));
	};
	await change(killed, "src/auth.ts", "3", "4");
	killed.signal("SIGKILL");
	await killed.exit;
	const first = await testHost({ ...it, args: ["-c"] });
	const second = await testHost(it);
	await change(second, "lib/auth.ts", "4", "5");
	await second.screen.waitFor(/⚠ src\/auth\.ts: also changed at \d\d:\d\d in “change it to 4”/);
	await first.screen.waitFor(/⚠ src\/auth\.ts: also changed at \d\d:\d\d in “change it to 5”/);
	const listed = async () => {
		const { stdout } = await shellRun(it, ["list", "--json"]);
		const { sessions } = JSON.parse(stdout);
		return sessions.map(({ overlaps }: { overlaps: { path: string }[] }) => overlaps.length);
	};
	expect(await listed()).toEqual([1, 1]);
	it.git(["commit", "-qam", "second"]);
	await until(async () => (await listed()).every((count: number) => count === 0), "no overlap");
	it.model.queue("agent", say("Done."));
	first.submit("thanks");
	await first.screen.waitUntilGone("⚠");
});

testOnce("a working session shows its last step, even from before the suite was loaded", async () => {
	const it = await repository();
	const gate = new Gate();
	it.model.queue("agent", edit("src/auth.ts", "3", "4"), held(gate, say("Done.")));
	const host = await testHost({ ...it, args: ["raise the limit"] });
	await until(
		() => leases(it.sandbox)[host.pid]?.doing === "edited src/auth.ts",
		"the lease to tell the edit",
		{ detail: () => JSON.stringify(leases(it.sandbox)) },
	);
	const { stdout } = await shellRun(it, ["list", "--json"]);
	expect(JSON.parse(stdout).sessions[0]).toMatchObject({
		state: "working",
		doing: "edited src/auth.ts",
		steps: 1,
	});
	expect((await shellRun(it, ["status"])).stdout).toBe("1 working: edited src/auth.ts\n");
	gate.open();
	await host.screen.waitFor(/Done\./);
	await until(() => leases(it.sandbox)[host.pid]?.state === "finished", "the end of the run");
	expect(leases(it.sandbox)[host.pid]?.doing).toBeUndefined();
});

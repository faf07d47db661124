import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Gate, held, say, testHost, testWorld, until, useTool } from "../host/index.ts";
import { shellRun } from "../shell/shell-host.ts";
import { about, BOARD, git, leased, leases } from "./board-sessions.ts";

const edit = (path: string, from: string, to: string) =>
	useTool("edit", { path, edits: [{ oldText: from, newText: to }] });

test("a file that two live sessions have changed is named once in both tabs and in the list until it is committed, even if one was reopened; a working session shows its last step, even from before the suite was loaded", async () => {
	const files = { "src/auth.ts": "export const limit = 3;\n" };
	const world = await testWorld({ sessions: [about("Fix the login", 5).build()], files });
	const it = { ...world, ...BOARD, rows: 30 };
	const { cwd } = it.sandbox;
	for (const words of ["init -q", "add ."]) git(cwd, words.split(" "));
	// A change in the same second as a commit is considered committed.
	git(cwd, ["commit", "-qm", "first"], { GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" });
	symlinkSync(join(cwd, "src"), join(cwd, "lib"));
	const killed = await testHost({ ...it, args: ["-c"] });
	it.model.queue("agent", edit("src/auth.ts", "3", "4"), say("Changed 4."));
	await killed.submit("change it to 4", /Changed 4\./);
	killed.signal("SIGKILL");
	await killed.exit;
	const first = await testHost({ ...it, args: ["-c"] });
	const gate = new Gate();
	it.model.queue("agent", edit("lib/auth.ts", "4", "5"), held(gate, say("Changed 5.")));
	const second = await testHost({ ...it, args: ["change it to 5"] });
	const doing = () => leases(it.sandbox)[second.pid]?.doing;
	await until(() => doing() === "edited lib/auth.ts", "the lease to tell the edit", {
		detail: () => JSON.stringify(leases(it.sandbox)),
	});
	const working = JSON.parse((await shellRun(it, ["list", "--json"])).stdout).sessions;
	expect(working[0]).toMatchObject({ state: "working", doing: "edited lib/auth.ts", steps: 1 });
	expect((await shellRun(it, ["status"])).stdout).toContain("1 working: edited lib/auth.ts\n");
	gate.open();
	await leased(second, "finished");
	expect(doing()).toBeUndefined();
	await second.screen.waitFor(/⚠ src\/auth\.ts: also changed at \d\d:\d\d in “change it to 4”/);
	await first.screen.waitFor(/⚠ src\/auth\.ts: also changed at \d\d:\d\d in “change it to 5”/);
	const listed = async () => {
		const { stdout } = await shellRun(it, ["list", "--json"]);
		const { sessions } = JSON.parse(stdout);
		return sessions.map(({ overlaps }: { overlaps: { path: string }[] }) => overlaps.length);
	};
	expect(await listed()).toEqual([1, 1]);
	git(cwd, ["commit", "-qam", "second"]);
	await until(async () => (await listed()).every((count: number) => count === 0), "no overlap");
	it.model.queue("agent", say("Done."));
	first.submit("thanks");
	await first.screen.waitUntilGone("⚠");
});

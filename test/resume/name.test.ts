import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { say } from "../host/answer.ts";
import { testHost, testWorld } from "../host/in-test.ts";
import { PROJECT_ROOT } from "../host/launch.ts";
import { readSession } from "../host/session-files.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { recordsOf } from "../title/title-host.ts";
import { about, BOARD, leases } from "./board-sessions.ts";

const RECAP = join(PROJECT_ROOT, "session-recap/index.ts");

/** One tab has yesterday's session open, another shows the board. */
async function tabs(open: TerminalOptions) {
	const { model, sandbox } = await testWorld({ sessions: [about("Water the plants", 20).build()] });
	const shared = { model, sandbox, ...BOARD, rows: 30 };
	const owner = await testHost({ ...shared, args: ["-c"], ...open });
	await until(() => leases(sandbox)[owner.pid]?.state === "idle", "the lease");
	const other = await testHost(shared);
	return { model, sandbox, owner, other, file: sandbox.placed[0] ?? "" };
}

/** Renames the session under the cursor of the board. */
async function rename(host: TerminalHost, name: string): Promise<void> {
	await host.submit("/sessions", /› .*(Water the plants|Plants)[\s\S]*\^R rename/);
	await host.key("ctrl+r", /save name/);
	await host.type(name, new RegExp(name));
	host.key("enter");
}

const knows = (host: TerminalHost, name: string) =>
	until(() => host.screen.title.includes(name), "the name to arrive");

test("a name set from the board reaches the tab that has the session open at the user's return or next prompt", async () => {
	const extensions = [...BOARD.extensions, RECAP];
	const it = await tabs({ extensions, env: { PI_DISABLE_AUTO_RECAP: "1" } });
	await rename(it.other, "Plants");
	await it.other.screen.waitFor(/Renamed/);
	expect(it.owner.screen.title).not.toContain("Plants");
	await it.owner.attached();
	it.owner.focusOut();
	it.owner.focusIn();
	await knows(it.owner, "Plants");
	await it.owner.screen.waitFor(/• Plants/);
	it.other.key("escape");
	await it.other.screen.waitUntilGone("Renamed");
	await rename(it.other, " again");
	await it.other.screen.waitFor(/Renamed/);
	it.model.queue("agent", say("The cat is fed."));
	it.owner.submit("feed the cat");
	await knows(it.owner, "Plants again");
	// The host shows the answer before writing it to the file.
	await until(
		() => JSON.stringify(readSession(it.file)).includes("The cat is fed"),
		"the answer in the file",
	);
	// Another process that opens the session finds its name and its branch.
	const manager = SessionManager.open(it.file);
	expect(manager.getSessionName()).toBe("Plants again");
	expect(JSON.stringify(manager.getBranch())).toMatch(/Water the plants.*The cat is fed/);
	expect(recordsOf(readSession(it.file)).at(-1)).toEqual({ title: "Plants again", source: "manual" });
});

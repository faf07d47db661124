import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { readSession, say, type TerminalHost, testHost, testWorld, until } from "../host/index.ts";
import { recordsOf } from "../title/title-host.ts";
import { about, BOARD, leased } from "./board-sessions.ts";

async function rename(host: TerminalHost, name: string): Promise<void> {
	await host.submit("/sessions", /› .*(Water the plants|Plants)[\s\S]*\^R rename/);
	await host.key("ctrl+r", /save name/);
	await host.type(name, new RegExp(name));
	host.key("enter");
}

test("a name set from the board reaches the tab that has the session open at the user's return or next prompt", async () => {
	const { model, sandbox } = await testWorld({ sessions: [about("Water the plants", 20).build()] });
	const shared = { model, sandbox, ...BOARD, rows: 30 };
	const extensions = [...BOARD.extensions, "session-recap"];
	const env = { PI_DISABLE_AUTO_RECAP: "1" };
	const owner = await testHost({ ...shared, args: ["-c"], extensions, env });
	await leased(owner, "idle");
	const other = await testHost(shared);
	const [file = ""] = sandbox.placed;
	const knows = (name: string) => until(() => owner.screen.title.includes(name), "the name to arrive");
	await rename(other, "Plants");
	await other.screen.waitFor(/Renamed/);
	expect(owner.screen.title).not.toContain("Plants");
	await owner.attached();
	owner.focusOut();
	owner.focusIn();
	await knows("Plants");
	await owner.screen.waitFor(/• Plants/);
	other.key("escape");
	await other.screen.waitUntilGone("Renamed");
	await rename(other, " again");
	await other.screen.waitFor(/Renamed/);
	model.queue("agent", say("The cat is fed."));
	owner.submit("feed the cat");
	await knows("Plants again");
	// The host shows the answer before writing it to the file.
	await until(() => JSON.stringify(readSession(file)).includes("The cat is fed"), "the answer in the file");
	// Another process that opens the session finds its name and its branch.
	const manager = SessionManager.open(file);
	expect(manager.getSessionName()).toBe("Plants again");
	expect(JSON.stringify(manager.getBranch())).toMatch(/Water the plants.*The cat is fed/);
	expect(recordsOf(readSession(file)).at(-1)).toEqual({ title: "Plants again", source: "manual" });
});

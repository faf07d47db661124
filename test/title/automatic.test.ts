import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hang } from "../host/answer.ts";
import { logged } from "../host/debug-log.ts";
import { ledgerFile } from "../host/ledger-file.ts";
import { recordsOf, TASK, titled, titleHost } from "./title-host.ts";

test("a session names itself once, with one call to the active model after the last prompt; the name is shown dimmed above the editor until the next prompt", async () => {
	// The terminal is wide enough to show the name after the project's folder, whose path is long on
	// some systems.
	const host = await titleHost({ cols: 160 });
	host.model.queue("title", hang(), titled("Login redirect after token expiry"));
	host.submit(TASK);
	await host.model.waitForCall("title");
	// The next prompt aborts the request in flight.
	await host.submit("and on mobile?", /✎ Login redirect after token expiry {2}· {2}type \/rename <name>/);
	await host.screen.waitFor(/project • Login redirect after token expiry/);
	expect(host.screen.title).toContain("Login redirect after token expiry");
	const row = host.screen.rowOf(/✎/);
	const plain = host.screen.cells(host.screen.rowOf(/^ ?ok/)).find(({ text }) => text === "o");
	const title = host.screen.cells(row).find(({ text }) => text === "L");
	expect(title?.dim || title?.foreground !== plain?.foreground).toBe(true);

	const [aborted, call] = host.model.calls("title");
	expect(aborted?.state).toBe("aborted");
	expect(call).toMatchObject({ model: "scripted-large", tools: [] });
	expect(call?.user).toContain(TASK);
	expect(recordsOf(host.entries())).toMatchObject([{ source: "auto", model: "scripted/scripted-large" }]);
	const calls = readFileSync(ledgerFile(host.sandbox.agentDir), "utf8").trimEnd().split("\n");
	expect(calls.map((line) => JSON.parse(line).outcome)).toEqual(["reserved", "aborted", "reserved", "ok"]);

	host.submit("now add a regression test for it");
	await host.screen.waitUntilGone("✎");
	await logged(host, /title\.skipped .*reason="named"/);
	expect(host.model.calls("title")).toHaveLength(2);
	expect(host.screen.text()).not.toContain("✎");
});

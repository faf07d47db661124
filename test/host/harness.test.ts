import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { drop, empty, fail, hang, say, stream, think, useTool } from "./answer.ts";
import { Gate } from "./gate.ts";
import { testHost, testModel, testRpc } from "./in-test.ts";
import { SUSPENDED } from "./job-control.ts";
import { runHost } from "./run-host.ts";
import { until } from "./until.ts";
import { yesterdaySession } from "./yesterday-session.ts";

/** Takes focus reports and shows a widget, as the package does, in a dozen lines. */
const PROBE = `
export default function (pi) {
	pi.on("session_start", (event, ctx) => {
		if (!process.stdout.isTTY) return ctx.ui.setWidget("probe", ["probe " + event.reason]);
		process.stdout.write("\\x1b[?1004h");
		ctx.ui.setWidget("probe", ["probe " + event.reason]);
		ctx.ui.onTerminalInput((data) => {
			if (data !== "\\x1b[I" && data !== "\\x1b[O") return undefined;
			ctx.ui.setWidget("probe", [data === "\\x1b[I" ? "probe focus in" : "probe focus out"]);
			return { consume: true };
		});
	});
	pi.on("session_shutdown", () => process.stdout.isTTY && process.stdout.write("\\x1b[?1004l"));
}
`;

const folder = mkdtempSync(join(tmpdir(), "pi-suite-probe-"));
const probe = join(folder, "probe.ts");
writeFileSync(probe, PROBE);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a prompt typed into the real host is answered by the scripted model, and Ctrl+D ends it cleanly", async () => {
	const host = await testHost({ extensions: [probe] });
	host.model.queue("agent", useTool("bash", { command: "echo from-the-shell" }), say("All done here."));
	host.submit("please say something");
	const text = await host.screen.waitFor(/All done here\./);
	expect(text).toContain("from-the-shell");
	expect(host.model.calls("agent").map(({ lastRole }) => lastRole)).toEqual(["user", "tool"]);
	// Newer hosts store their instructions as a message, too.
	const messages = host
		.entries()
		.filter((entry) => /"role":"(?:user|assistant|toolResult)"/.test(JSON.stringify(entry)));
	expect(messages).toHaveLength(4);
	host.key("ctrl+d");
	expect((await host.exit).code).toBe(0);
	expect(host.screen.modes().sendFocusMode).toBe(false);
	expect(host.lastFocusSwitch()).toBe("l");
});

test("focus reports reach the extension and leave no trace in the editor", async () => {
	const host = await testHost({
		extensions: [probe],
		args: ["-c"],
		sessions: [yesterdaySession],
		rows: 40,
		// In fullscreen mode the host takes focus reports itself.
		settings: { tuiMode: "regular" },
	});
	await host.screen.waitFor(/probe startup/);
	expect(host.screen.text()).toContain("Should it throw a RangeError instead");
	host.focusOut();
	await host.screen.waitFor(/probe focus out/);
	host.focusIn();
	await host.screen.waitFor(/probe focus in/);
	expect(host.screen.text()).not.toContain("[I");
	const row = host.screen.rowOf(/RangeError/);
	expect(host.screen.cells(row).length).toBe(100);
	host.resize(60, 20);
	await host.screen.waitFor((text) => /^─{60}$/m.test(text));
});

test("a stream waits for its gate, and Escape hangs up on it", async () => {
	const host = await testHost({ extensions: [probe], args: ["--model", "scripted/scripted-reasoner"] });
	const gate = new Gate();
	const parts = [say("first half, ").parts, { type: "wait" as const, gate }, say("second half").parts].flat();
	host.model.queue("agent", stream(parts), stream(parts));
	host.submit("stream it");
	await host.screen.waitFor(/first half,/);
	host.key("escape");
	await host.screen.waitFor(/aborted/i);
	const [broken] = host.model.calls("agent");
	await until(() => broken?.state === "aborted", { what: "the request to be aborted" });
	gate.open();
	host.submit("stream it again");
	await host.screen.waitFor(/first half, second half/);
	expect(host.model.calls("agent").map(({ state }) => state)).toEqual(["aborted", "answered"]);
	const tokens = { input: 1000, output: 50, cached: 400 };
	host.model.queue("agent", think("Let me see.", "The answer is 4.", { tokens }));
	host.submit("2 + 2?");
	await host.screen.waitFor(/The answer is 4\./);
	const content = [{ type: "thinking", thinking: "Let me see." }, { type: "text" }];
	const usage = { input: 600, output: 50, cacheRead: 400 };
	expect(host.entries().at(-1)).toMatchObject({ message: { content, usage } });
});

test("a provider's failures show once each: status, broken connection, silence", async () => {
	const settings = { retry: { enabled: false, provider: { maxRetries: 0 } } };
	const host = await testHost({ extensions: [probe], settings });
	host.model.queue("agent", fail(500, "scripted breakdown"), drop(), drop("half a sen"), empty(), hang());
	host.submit("one");
	await host.screen.waitFor(/scripted breakdown/);
	host.submit("two");
	await host.screen.waitFor(/Connection error/);
	host.submit("three");
	await host.screen.waitFor(/half a sen[\s\S]*Error/);
	host.submit("four");
	await host.model.waitForCall("agent", 4);
	await until(() => host.model.calls("agent")[3]?.state === "answered", { what: "the empty answer" });
	host.submit("five");
	const call = await host.model.waitForCall("agent", 5);
	expect(call.state).toBe("open");
	host.key("escape");
	await until(() => call.state === "aborted", { what: "the silent request to be aborted" });
	const states = host.model.calls("agent").map(({ state }) => state);
	expect(states).toEqual(["answered", "dropped", "dropped", "answered", "aborted"]);
});

test("under a shell with job control Ctrl+Z suspends the host and Enter brings it back", async () => {
	const host = await testHost({ extensions: [probe], jobControl: "shell" });
	host.key("ctrl+z");
	await host.screen.waitFor((text) => text.includes(SUSPENDED));
	host.key("enter");
	await host.screen.waitFor((text) => text.lastIndexOf("─".repeat(100)) > text.indexOf(SUSPENDED));
	host.submit("still there?");
	await host.screen.waitFor(/^ ?ok/m);
	host.key("ctrl+d");
	expect((await host.exit).code).toBe(0);
});

test("an unfulfilled wait fails with the screen, and nothing is left of a host that does not listen", async () => {
	const host = await testHost({ extensions: [probe] });
	await expect(host.screen.waitFor(/never/, { deadlineMs: 20 })).rejects.toThrow(/not in 20 ms[\s\S]*─{50}/);
	const wait = expect(host.screen.waitFor(/never/)).rejects.toThrow(/the host ended with code/);
	host.signal("SIGSTOP");
	await host.dispose();
	await wait;
	expect(() => process.kill(host.pid, 0)).toThrow(/ESRCH/);
	expect(existsSync(host.sandbox.root)).toBe(false);
});

test("print mode ends with the answer on standard output", async () => {
	const model = await testModel();
	model.queue("agent", say("printed answer"));
	const run = await runHost(["-p", "a question"], { extensions: [probe], model });
	expect(run).toMatchObject({ code: 0, signal: null, stdout: "printed answer\n", stderr: "" });
	expect(model.calls("agent")[0]?.user).toBe("a question");
	expect(run.entries.at(-1)).toMatchObject({ type: "message" });
});

test("RPC mode answers in lines and ends with its input", async () => {
	const host = await testRpc({ extensions: [probe] });
	const state = await host.request({ type: "get_state" });
	expect(state).toMatchObject({ success: true });
	host.send({ type: "prompt", message: "hello" });
	await host.waitFor(({ type }) => type === "agent_end", { what: "the end of the run" });
	expect(host.uiRequests("setWidget")).toMatchObject([{ widgetLines: ["probe startup"] }]);
	expect((await host.close()).code).toBe(0);
});

test("a model without a key is known but cannot be called", async () => {
	const run = await runHost(["-p", "a question"], { extensions: [probe], models: "no-key" });
	expect(run.code).not.toBe(0);
	expect(run.stderr).toMatch(/key/i);
	expect(run.requests).toEqual([]);
});

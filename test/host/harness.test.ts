import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { drop, empty, fail, hang, say, stream, think, useTool } from "./answer.ts";
import { Gate } from "./gate.ts";
import { testHost } from "./in-test.ts";
import { until } from "./until.ts";

test("the scripted model answers a typed prompt, and Ctrl+D ends the host", async () => {
	const host = await testHost({ extensions: [] });
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
});

test("a stream waits for its gate, and Escape aborts it", async () => {
	const host = await testHost({ extensions: [], args: ["--model", "scripted/scripted-reasoner"] });
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

test("each kind of a provider's failure reaches the host once", async () => {
	const settings = { retry: { enabled: false, provider: { maxRetries: 0 } } };
	const host = await testHost({ extensions: [], settings });
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

test("a failed wait shows the screen, and a stopped host is killed and cleaned up", async () => {
	const host = await testHost({ extensions: [] });
	await expect(host.screen.waitFor(/never/, { deadlineMs: 20 })).rejects.toThrow(/not in 20 ms[\s\S]*─{50}/);
	const wait = expect(host.screen.waitFor(/never/)).rejects.toThrow(/the host ended with code/);
	host.signal("SIGSTOP");
	await host.dispose();
	await wait;
	expect(() => process.kill(host.pid, 0)).toThrow(/ESRCH/);
	expect(existsSync(host.sandbox.root)).toBe(false);
});

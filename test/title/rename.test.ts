import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fail, Gate, hang, held, say } from "../host/answer.ts";
import { ledgerFile, logged, logOf, testOnce, testRpc, until, WITH_LOG } from "../host/index.ts";
import { ask, namesOf, recordsOf, TASK, titled, titleHost } from "./title-host.ts";

const LARGE = "scripted/scripted-large";

describe("/rename", () => {
	testOnce("works without automatic calls, with fastModel, and never blocks the editor", async () => {
		const host = await titleHost({ suiteSettings: `{ "dailyCostLimit": 0, "fastModel": "${LARGE}" }` });
		await host.submit("/rename --auto", /this session has no topic yet/);
		await ask(host, TASK);
		await logged(host, /title\.skipped .*reason="daily_limit"/);
		expect(host.model.calls("title")).toEqual([]);

		await host.submit("/rename  My own name", /✎ My own name\s*$/m);
		host.model.queue("title", titled("Login Redirect Loop"));
		await host.submit("/rename", /✎ login-redirect-loop\s*$/m);
		await host.submit("/rename --undo", /✎ My own name\s*$/m);
		host.model.queue("title", titled("Login redirect after token expiry"));
		await host.submit("/rename --auto", /✎ Login redirect after token expiry {2}·/);
		await host.submit("/rename -- --literal name", /✎ --literal name\s*$/m);
		await host.submit("/rename --help", /\/rename --undo +Restore the previous/);
		await host.type("/rename --", /--auto +Ask a model/);

		const [own, kebab, auto] = ["My own name", "login-redirect-loop", "Login redirect after token expiry"];
		expect(namesOf(host.entries())).toEqual([own, kebab, own, auto, "--literal name"]);
		const [byUser, byModel] = [{ source: "manual" }, { source: "auto", model: LARGE }];
		const renamed = [byUser, { ...byUser, model: LARGE }, byUser, byModel, byUser];
		expect(recordsOf(host.entries())).toMatchObject(renamed);
		expect(host.model.calls("title").map(({ system }) => system.includes("kebab-case"))).toEqual([
			true,
			false,
		]);

		host.key("ctrl+u");
		const gate = new Gate();
		host.model.queue("title", held(gate, fail(429, "too many requests")), say("no idea"), hang());
		await host.submit("/rename --auto", /rename: asking scripted\/scripted-large…/);
		await host.type("typing on", /typing on/);
		gate.open();
		await host.screen.waitFor(/scripted\/scripted-large failed[\s\S]*The name is unchanged/);
		host.key("ctrl+u");
		await host.submit("/rename --auto", /scripted\/scripted-large gave no usable title/);
		await host.submit("/rename --auto", /rename: asking .*\(esc to cancel\)/);
		await host.key("escape", /rename: the request was canceled; the name is unchanged/);
		await host.model.waitForAbort("title", host.model.calls("title").length);
		expect(namesOf(host.entries()).at(-1)).toBe("--literal name");
	});

	test("sends plain lines in RPC mode, and keeps a client's own name", async () => {
		const host = await testRpc({ extensions: ["session-title"], env: WITH_LOG });
		host.model.queue("title", titled("Login redirect after token expiry"));
		host.send({ type: "prompt", message: TASK });
		const widgets = () =>
			host.lines.filter(({ method, widgetKey }) => method === "setWidget" && widgetKey === "session-title");
		await until(() => widgets().length === 1, "the title");
		expect(widgets()[0]).toMatchObject({
			widgetLines: ["✎ Login redirect after token expiry  ·  type /rename <name> to change it"],
		});
		await host.request({ type: "set_session_name", name: "the client's" });
		host.send({ type: "prompt", message: "and now a regression test for it" });
		const log = join(host.sandbox.agentDir, "session-suite/debug.log");
		await until(
			() => readFileSync(log, "utf8").match(/title\.skipped .*reason="named"/) !== null,
			"the decision after the second run",
		);
		const state = await host.request({ type: "get_state" });
		expect(state).toMatchObject({ data: { sessionName: "the client's" } });
		expect(host.model.calls("title")).toHaveLength(1);
	});
});

test("a name that a person chose during a request is kept, and a new session does not get the previous one's title", async () => {
	const host = await titleHost();
	const gates = [new Gate(), new Gate()] as const;
	host.model.queue("title", ...gates.map((gate) => held(gate, titled("Login redirect after token expiry"))));
	await ask(host, TASK);
	await host.model.waitForCall("title");
	await host.submit("/name chosen meanwhile", /Session name set/);
	gates[0].open();
	// On hosts that report a new name, the call is aborted; on others, the answer comes too late.
	const call = host.model.calls("title")[0];
	const isLate = () =>
		logOf(host).some((line) => /title\.written .*ok=false reason="named_meanwhile"/.test(line));
	await until(() => call?.state === "aborted" || isLate(), "the title to be given up");
	expect(namesOf(host.entries())).toEqual(["chosen meanwhile"]);

	host.submit("/new");
	await host.screen.waitFor(
		(text) => text.includes("New session started") && !text.includes("Session name set"),
	);
	await ask(host, TASK);
	await host.model.waitForCall("title", 2);
	host.submit("/new");
	await host.model.waitForAbort("title", 2);
	// On newer hosts, text that is submitted before the new session has started is lost with the old
	// session.
	await host.screen.waitFor((text) => text.includes("New session started") && !text.includes(TASK));
	await ask(host, "hi");
	expect(namesOf(host.entries())).toEqual([]);
});

test("a session names itself once, with one call to the active model after the last prompt; the name is shown dimmed above the editor until the next prompt, and its source survives a restart, /reload, a fork and a compaction", async () => {
	// The terminal is wide enough to show the name after the project's folder, whose path is long on
	// some systems.
	const first = await titleHost({
		cols: 160,
		// Newer hosts keep this many tokens at the end and do not compact a shorter session.
		settings: { compaction: { keepRecentTokens: 1 } },
	});
	first.model.queue("title", hang(), titled("Login redirect after token expiry"));
	first.submit(TASK);
	await first.model.waitForCall("title");
	// The next prompt aborts the request in flight.
	await first.submit("and on mobile?", /✎ Login redirect after token expiry {2}· {2}type \/rename <name>/);
	await first.screen.waitFor(/project • Login redirect after token expiry/);
	expect(first.screen.title).toContain("Login redirect after token expiry");
	const row = first.screen.rowOf(/✎/);
	const plain = first.screen.cells(first.screen.rowOf(/^ ?ok/)).find(({ text }) => text === "o");
	const title = first.screen.cells(row).find(({ text }) => text === "L");
	expect(title?.dim || title?.foreground !== plain?.foreground).toBe(true);

	const [aborted, call] = first.model.calls("title");
	expect(aborted?.state).toBe("aborted");
	expect(call).toMatchObject({ model: "scripted-large", tools: [] });
	expect(call?.user).toContain(TASK);
	expect(recordsOf(first.entries())).toMatchObject([{ source: "auto", model: "scripted/scripted-large" }]);
	const calls = readFileSync(ledgerFile(first.sandbox.agentDir), "utf8").trimEnd().split("\n");
	expect(calls.map((line) => JSON.parse(line).outcome)).toEqual(["reserved", "aborted", "reserved", "ok"]);

	first.submit("now add a regression test for it");
	await first.screen.waitUntilGone("✎");
	await logged(first, /title\.skipped .*reason="named"/);
	expect(first.model.calls("title")).toHaveLength(2);
	expect(first.screen.text()).not.toContain("✎");
	await first.quit();
	const again = await titleHost({ sandbox: first.sandbox, model: first.model, args: ["-c"], cols: 160 });
	await again.screen.waitFor(/project • Login redirect after token expiry/);
	await again.submit("/reload", /Reloaded/i);
	await ask(again, "now add a regression test for it");
	again.model.queue("agent", say("## Goal\nFix the login redirect"));
	await again.submit("/compact", /compacted/i);
	again.submit("/clone");
	// The clone's file exists long before the host has opened it.
	await again.screen.waitFor(/Cloned to new session/);
	await ask(again, "and clean up after it, please");
	expect(again.entries()[0]?.["parentSession"]).toBeDefined();
	expect(again.model.calls("title")).toHaveLength(2);
	expect(namesOf(again.entries())).toEqual(["Login redirect after token expiry"]);
	expect(recordsOf(again.entries())).toMatchObject([
		{ title: "Login redirect after token expiry", source: "auto" },
	]);
});

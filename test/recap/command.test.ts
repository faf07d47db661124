import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fail, hang, held, say, useTool } from "../host/answer.ts";
import { Gate } from "../host/gate.ts";
import { testModel, testOnce, testSandbox } from "../host/in-test.ts";
import { slowProgram } from "../host/slow-program.ts";
import { until } from "../host/until.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { recapHost, recapRpc } from "./recap-host.ts";

const QUIET = { args: ["-c", "--recap-disable"], sessions: [yesterdaySession], rows: 50 };
const RECAP = say("<recap>Fixing src/parse-date.js; the tests have not run since the last edit.</recap>");
/** Matches the recap up to its last line, which arrives with the end of the note. */
const NOTED = /have not run since the last edit\.\s+src\/parse-date\.js/;
const AGAIN = say("<recap>Asked again about src/parse-date.js.</recap>");

describe("/recap", () => {
	test("shows the offline text, then the model's recap; only --force calls again, and a failure reports which recap remains", async () => {
		const host = await recapHost(QUIET);
		expect(host.screen.text()).not.toContain("✦ recap");
		const gate = new Gate();
		host.model.queue("recap", held(gate, RECAP), AGAIN);
		host.key("alt+r");
		await host.screen.waitFor(/recap: asking the model/);
		expect(host.screen.text()).toMatch(/✦ recap/);
		gate.open();
		await host.screen.waitFor(NOTED);
		expect(host.screen.text()).not.toContain("asking the model");
		host.type("a draft");
		await host.screen.waitFor(/a draft/);
		expect(host.screen.text()).toContain("✦ recap · alt+r to hide this");
		host.key("alt+r");
		await host.screen.waitFor((text) => !text.includes("✦ recap"), { what: "the recap to disappear" });
		expect(host.screen.text()).toContain("a draft");
		host.key("ctrl+u");
		host.submit("/recap");
		await host.screen.waitFor(NOTED);
		expect(host.model.calls("recap")).toHaveLength(1);
		host.submit("/recap --force");
		await host.screen.waitFor(/Asked again about src\/parse-date\.js\.\s+src\/parse-date\.js/);
		expect(host.model.calls("recap")).toHaveLength(2);
		host.model.queue("recap", fail(429, "slow"), say("no tags"));
		host.submit("/recap --force");
		await host.screen.waitFor(/failed \(.* The recap is unchanged\./);
		host.submit("/recap --force");
		await host.screen.waitFor(/could not be used\. The recap is unchanged/);
		expect(host.screen.text()).toContain("Asked again about");
		expect(host.screen.scrollback()).not.toContain("generated without a model");
	});

	testOnce(
		"a hanging model never blocks the editor: Escape cancels the request, and so does a new prompt",
		async () => {
			const host = await recapHost(QUIET);
			host.model.always("recap", hang());
			host.submit("/recap");
			await until(() => host.model.calls("recap").length === 1, { what: "the request" });
			await host.screen.waitFor(/asking the model … \(esc to cancel\)/);
			host.key("escape");
			await host.screen.waitFor(/recap: the request was canceled/);
			await until(() => host.model.calls("recap")[0]?.state === "aborted", {
				what: "the first to be aborted",
			});
			expect(host.screen.text()).toContain("✦ recap");
			expect(host.screen.text()).not.toContain("asking the model");
			host.submit("/recap");
			await until(() => host.model.calls("recap").length === 2, { what: "the second request" });
			host.type("typed while it hangs");
			await host.screen.waitFor(/typed while it hangs/);
			host.key("enter");
			await until(() => host.model.calls("recap")[1]?.state === "aborted", {
				what: "the request to be aborted",
			});
			await until(() => host.model.calls("agent").length === 1, { what: "the prompt to reach the agent" });
			await host.screen.waitFor((text) => !text.includes("✦ recap"), { what: "the recap to disappear" });
			expect(host.screen.text()).not.toContain("asking the model");
		},
	);

	testOnce(
		"reports if there is nothing to clear or recap or if the agent is working, without a call",
		async () => {
			const host = await recapHost({});
			host.submit("/recap clear");
			await host.screen.waitFor(/nothing to clear/);
			host.submit("/recap");
			await host.screen.waitFor(/nothing to recap yet/);
			expect(host.screen.text()).not.toContain("✦ recap");
			expect(host.model.requests).toEqual([]);
			host.model.queue("agent", useTool("bash", { command: "true" }), hang());
			host.submit("do something");
			await until(() => host.model.calls("agent").length === 2, { what: "the agent to be busy" });
			host.submit("/recap");
			await host.screen.waitFor(/agent is still working/);
			expect(host.model.calls("recap")).toEqual([]);
		},
	);

	testOnce(
		"show, copy, status, doctor and help call no model, and unknown arguments and keys are named",
		async () => {
			const keyBindings = '{ "session-suite.recap": ["f6", "ctrl+alt+r"], "session-suite.card": "x" }';
			// Over SSH, text is copied to the terminal's clipboard.
			const env = { SSH_CONNECTION: "10.0.0.1 5000 10.0.0.2 22", DISPLAY: "", WAYLAND_DISPLAY: "" };
			const host = await recapHost({ ...QUIET, rows: 60, keyBindings, env });
			await host.screen.waitFor(/"session-suite\.card" is "x", which is not valid.*alt\+c/s);
			host.submit("/recap show");
			await host.screen.waitFor(/✦ recap · f6 to hide this/);
			host.key("f6");
			await host.screen.waitFor((text) => !text.includes("✦ recap"), { what: "the recap to disappear" });
			host.submit("/recap copy");
			await host.screen.waitFor(/recap: copied\./);
			const [, sent = ""] = /\x1b\]52;c;([A-Za-z0-9+/=]+)\x07/.exec(host.raw) ?? [];
			expect(Buffer.from(sent, "base64").toString()).toMatch(/Should it throw a RangeError/);
			host.submit("/recap status");
			const status = await host.screen.waitFor(/today +0 calls/);
			expect(status).toMatch(/off \(because of --recap-disable\)/);
			expect(status).toMatch(/scripted\/scripted-large \(active model\)/);
			host.submit("/recap doctor");
			expect(await host.screen.waitFor(/recap doctor/)).toMatch(/no focus report yet/);
			host.submit("/recap --help");
			await host.screen.waitFor(/\/recap doctor --prompt/);
			await host.screen.waitFor(/f6, ctrl\+alt\+r: .*"session-suite\.recap" in keybindings\.json/);
			host.type("/recap frobnicate");
			await host.screen.waitFor(/\/recap frobnicate/);
			host.key("enter");
			await host.screen.waitFor(/unknown argument "frobnicate"/);
			host.submit("/recap doctor --prompt");
			await host.screen.waitFor(/Write the recap of this session now/);
			expect(host.model.requests).toEqual([]);
		},
	);

	testOnce(
		"doctor --prompt shows the exact text that is sent, with the project's instructions if included",
		async () => {
			const rpc = await recapRpc({
				...QUIET,
				files: { "AGENTS.md": "Use tabs. Keep `parseDate` pure.\n" },
				suiteSettings: '{ "recap": { "includeProjectContext": true } }',
				script: (model) => model.always("recap", RECAP),
			});
			const prompt = (message: string) => rpc.request({ type: "prompt", message });
			await prompt("/recap doctor --prompt");
			const shown = await rpc.waitFor(({ message }) => String(message).includes("Keep `parseDate` pure."), {
				what: "the text",
			});
			await prompt("/recap");
			const { system, user } = await rpc.model.waitForCall("recap");
			expect(shown["message"]).toBe(`${system}\n\n${user}`);
		},
	);

	test("a key that is bound while pi is running works after one reload", async () => {
		const host = await recapHost({ args: ["-c", "--recap-disable"], sessions: [yesterdaySession], rows: 50 });
		const bindings = '{ "session-suite.recap": "f6", "session-suite.board": 5 }';
		writeFileSync(join(host.sandbox.agentDir, "keybindings.json"), bindings);
		host.submit("/reload");
		await host.screen.waitFor(/"session-suite\.board" is 5, which is not valid/);
		host.key("f6");
		await host.screen.waitFor(/✦ recap/);
	});

	testOnce("off and on override the settings file without changing it", async () => {
		const text = '{\n  // mine\n  "recap": { "awaySeconds": 600 }\n}\n';
		const host = await recapHost({
			args: ["-c"],
			sessions: [yesterdaySession],
			suiteSettings: text,
			rows: 50,
			script: (model) => model.always("recap", hang()),
		});
		const settings = () => readFileSync(join(host.sandbox.agentDir, "session-suite.json"), "utf8");
		await until(() => host.model.calls("recap").length === 1, { what: "the draft" });
		host.submit("/recap off");
		await host.screen.waitFor(/automatic recaps are off/);
		expect(host.screen.text()).not.toContain("✦ recap");
		await until(() => host.model.calls("recap")[0]?.state === "aborted", {
			what: "the request to be aborted",
		});
		host.submit("/recap status");
		await host.screen.waitFor(/recap: off \(type \/recap on to turn recaps on/);
		host.submit("/recap on");
		await host.screen.waitFor(/automatic recaps are on\./);
		expect(settings()).toBe(text);
	});

	test("a prompt that is typed while the doctor waits for tmux is not lost", async () => {
		const model = await testModel();
		const sandbox = testSandbox({ modelUrl: model.url, sessions: [yesterdaySession] });
		const env = { ...slowProgram(sandbox, "tmux", 3).env, TMUX: "/tmp/tmux-1/default,1,0" };
		const host = await recapHost({ ...QUIET, model, sandbox, env });
		host.submit("/recap doctor");
		host.type("feed the d");
		await host.screen.waitFor(/feed the d/);
		host.submit("og");
		expect((await model.waitForCall("agent")).user).toContain("feed the dog");
		await host.screen.waitFor(/recap doctor[\s\S]*tmux: unknown whether/);
	});
});

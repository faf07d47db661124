import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fail, Gate, hang, held, say, testWorld, yesterdaySession } from "../host/index.ts";
import { slowProgram } from "../host/slow-program.ts";
import { recapHost } from "./recap-host.ts";

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
		await host.key("alt+r", /recap: asking the model/);
		expect(host.screen.text()).toMatch(/✦ recap/);
		gate.open();
		await host.screen.waitFor(NOTED);
		expect(host.screen.text()).not.toContain("asking the model");
		await host.type("a draft", /a draft/);
		expect(host.screen.text()).toContain("✦ recap · alt+r to hide this");
		host.key("alt+r");
		await host.screen.waitUntilGone("✦ recap");
		expect(host.screen.text()).toContain("a draft");
		host.key("ctrl+u");
		await host.submit("/recap", NOTED);
		expect(host.model.calls("recap")).toHaveLength(1);
		await host.submit("/recap --force", /Asked again about src\/parse-date\.js\.\s+src\/parse-date\.js/);
		expect(host.model.calls("recap")).toHaveLength(2);
		host.model.queue("recap", fail(429, "slow"), say("no tags"));
		await host.submit("/recap --force", /failed \(.* The recap is unchanged\./);
		await host.submit("/recap --force", /could not be used\. The recap is unchanged/);
		expect(host.screen.text()).toContain("Asked again about");
		expect(host.screen.scrollback()).not.toContain("generated without a model");

		// A hanging model never blocks the editor, and the user cancels the request with Escape or a new
		// prompt.
		host.model.always("recap", hang());
		await host.submit("/recap --force", /asking the model… \(esc to cancel\)/);
		await host.key("escape", /recap: the request was canceled/);
		await host.model.waitForAbort("recap", 5);
		expect(host.screen.text()).toContain("✦ recap");
		host.submit("/recap --force");
		await host.model.waitForCall("recap", 6);
		await host.type("typed while it hangs", /typed while it hangs/);
		host.key("enter");
		await host.model.waitForAbort("recap", 6);
		await host.model.waitForCall("agent");
		await host.screen.waitUntilGone("✦ recap");
		expect(host.screen.text()).not.toContain("asking the model");
	});

	test("show, copy, status, doctor and help call no model, invalid keys are named, and a reload rebinds keys", async () => {
		const keyBindings = '{ "session-suite.recap": ["f6", "ctrl+alt+r"], "session-suite.card": "x" }';
		// Over SSH, text is copied to the terminal's clipboard.
		const env = { SSH_CONNECTION: "10.0.0.1 5000 10.0.0.2 22", DISPLAY: "", WAYLAND_DISPLAY: "" };
		const host = await recapHost({ ...QUIET, rows: 60, keyBindings, env });
		await host.screen.waitFor(/"session-suite\.card" is "x", which is not valid.*alt\+c/s);
		await host.submit("/recap show", /✦ recap · f6 to hide this/);
		host.key("f6");
		await host.screen.waitUntilGone("✦ recap");
		await host.submit("/recap copy", /recap: copied\./);
		const [, sent = ""] = /\x1b\]52;c;([A-Za-z0-9+/=]+)\x07/.exec(host.raw) ?? [];
		expect(Buffer.from(sent, "base64").toString()).toMatch(/Should it throw a RangeError/);
		const status = await host.submit("/recap status", /today +0 calls/);
		expect(status).toMatch(/off \(because of --recap-disable\)/);
		expect(status).toMatch(/scripted\/scripted-large \(active model\)/);
		host.submit("/recap doctor");
		expect(await host.screen.waitFor(/recap doctor/)).toMatch(/no focus report yet/);
		// The keys in the file are bound only after a reload.
		writeFileSync(join(host.sandbox.agentDir, "keybindings.json"), '{ "session-suite.recap": "alt+w" }');
		await host.submit("/recap --help", /\/recap doctor --prompt/);
		await host.screen.waitFor(/f6, ctrl\+alt\+r: .*"session-suite\.recap" in keybindings\.json/);
		await host.submit("/recap doctor --prompt", /Write the recap of this session now/);
		expect(host.model.requests).toEqual([]);
		await host.submit("/reload", /Reloaded keybindings/);
		await host.key("alt+w", /✦ recap · alt\+w to hide this/);
	});

	test("a prompt that is typed while the doctor waits for tmux is not lost", async () => {
		const { model, sandbox } = await testWorld({ sessions: [yesterdaySession] });
		const env = { ...slowProgram(sandbox, "tmux", 3).env, TMUX: "/tmp/tmux-1/default,1,0" };
		const host = await recapHost({ ...QUIET, model, sandbox, env });
		host.submit("/recap doctor");
		await host.type("feed the d", /feed the d/);
		host.submit("og");
		expect((await model.waitForCall("agent")).user).toContain("feed the dog");
		await host.screen.waitFor(/recap doctor[\s\S]*tmux: unknown whether/);
	});
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Answer, type Answerer, fail, hang, say } from "../host/answer.ts";
import { logged, MODELS, testOnce, WITH_LOG, yesterdaySession } from "../host/index.ts";
import { recapHost } from "./recap-host.ts";

const RECAP = say("<recap>Fixing src/parse-date.js; the tests have not run since the last edit.</recap>");
const TITLE = say("<topic>Parse dates of invalid days</topic>");
const PAST = { args: ["-c"], sessions: [yesterdaySession], rows: 50, cols: 160, env: WITH_LOG };

test("a reasoning model without a level map writes recaps and titles even if its server refuses every level; an unknown fastModel is reported once, and the active model is used", async () => {
	const refusing =
		(answer: Answer): Answerer =>
		({ body }) =>
			body["reasoning_effort"] ? fail(400, "invalid reasoning_effort") : answer;
	const host = await recapHost({
		...PAST,
		extensions: ["session-recap", "session-title"],
		args: ["-c", "--model", `scripted/${MODELS.reasoner}`, "--thinking", "medium"],
		suiteSettings: '{ "fastModel": "scripted/scripted-smal" }',
		script: (model) => model.always("recap", refusing(RECAP)).always("title", refusing(TITLE)),
	});
	await host.screen.waitFor(/the tests have not run since the last edit/);
	await logged(host, /title\.written .*ok=true/);
	const efforts = host.model.requests.filter(({ kind }) => kind === "recap" || kind === "title");
	expect(efforts.map(({ body }) => body["reasoning_effort"])).toEqual(["medium", undefined, undefined]);
	expect(efforts.map(({ model }) => model)).toEqual(Array(3).fill(MODELS.reasoner));
	const text = await host.submit("/rename --why", /rename: /);
	expect(text.match(/unknown model/g)).toHaveLength(1);
	expect(text).toMatch(/Did you mean\s+scripted\/scripted-small/);
});

testOnce("/recap off, on and model are stored without changing the settings file", async () => {
	const settings = '{\n  // mine\n  "recap": { "awaySeconds": 600 }\n}\n';
	const host = await recapHost({
		...PAST,
		suiteSettings: settings,
		script: (model) => model.queue("recap", hang()).always("recap", RECAP),
	});
	const state = () =>
		JSON.parse(readFileSync(join(host.sandbox.agentDir, "session-suite/state.json"), "utf8"));
	await host.model.waitForCall("recap");
	await host.submit("/recap off", /automatic recaps are off/);
	expect(host.screen.text()).not.toContain("✦ recap");
	await host.model.waitForAbort("recap");
	await host.submit("/recap status", /recap: off \(type \/recap on to turn recaps on/);
	await host.submit("/recap on", /automatic recaps are on\./);
	await host.submit("/recap model", /scripted-large · about \$0\.0092 · the active model/);
	host.key("down");
	await host.key("enter", /recaps use scripted\/scripted-small, about \$0\.00076 each \(saved in/);
	expect(state()).toEqual({ model: "scripted/scripted-small", recap: { enabled: true } });
	host.submit("/recap --force");
	await host.model.waitForCall("recap", 2);
	expect(host.model.calls("recap").map(({ model }) => model)).toEqual([MODELS.large, MODELS.small]);
	await host.submit("/recap model active", /recaps use scripted\/scripted-large, about \$0\.0092 each/);
	expect(state()).toEqual({ recap: { enabled: true } });
	const file = join(host.sandbox.agentDir, "session-suite.json");
	expect(readFileSync(file, "utf8")).toBe(settings);
	writeFileSync(file, '{ "recap": { "ena');
	host.submit("/recap on");
	await host.screen.waitFor(/saved, but automatic recaps stay off \(because a settings file cannot be read/);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, type Answerer, fail, hang, say } from "../host/answer.ts";
import { logged, WITH_LOG } from "../host/debug-log.ts";
import { IS_NEWER_HOST, PROJECT_ROOT } from "../host/launch.ts";
import type { ModelRequest } from "../host/model-request.ts";
import { MODELS } from "../host/models.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { recapHost } from "./recap-host.ts";

const RECAP = say("<recap>Fixing src/parse-date.js; the tests have not run since the last edit.</recap>");
const TITLE = say("<topic>Parse dates of invalid days</topic>");
const PAST = { args: ["-c"], sessions: [yesterdaySession], rows: 50, cols: 160, env: WITH_LOG };

describe("a candidate that fails", () => {
	test.skipIf(IS_NEWER_HOST).each<[string, Answerer]>([
		["404", fail(404)],
		["no answer", hang()],
	])("with %s leads to the next one, and the status names both", async (_, failure) => {
		const host = await recapHost({
			...PAST,
			suiteSettings: JSON.stringify({ fastModel: `scripted/${MODELS.small}` }),
			script: (model) => model.queue("recap", failure).always("recap", RECAP),
		});
		await host.screen.waitFor(/have not run since the last edit\.\s+src\/parse-date\.js/, {
			deadlineMs: 40_000,
		});
		expect(host.model.calls("recap").map(({ model }) => model)).toEqual([MODELS.small, MODELS.large]);
		host.submit("/recap status");
		await host.screen.waitFor(/last +written by scripted\/scripted-large; scripted\/scripted-small \w+/);
	});
});

/** A server that accepts only some reasoning levels. */
const knows =
	(levels: readonly unknown[], answer: Answer): Answerer =>
	({ body }: ModelRequest) =>
		levels.includes(body["reasoning_effort"])
			? answer
			: fail(400, `invalid reasoning_effort: must be one of ${levels.join(", ")}`);

describe("a reasoning model without a level map", () => {
	test.each<[string, string, readonly unknown[], unknown[]]>([
		["knows low, medium and high", "medium", ["low", "medium", "high"], ["medium", "medium"]],
		[
			"knows low, medium and high, while thinking is off",
			"off",
			[undefined, "low", "medium", "high"],
			[undefined, undefined],
		],
		["refuses every level", "medium", [undefined], ["medium", undefined, undefined]],
	])("makes recaps and titles on a server that %s", async (_, level, levels, sent) => {
		const host = await recapHost({
			...PAST,
			extensions: ["session-recap", "session-title"].map((name) => join(PROJECT_ROOT, name, "index.ts")),
			args: ["-c", "--model", `scripted/${MODELS.reasoner}`, "--thinking", level],
			script: (model) => model.always("recap", knows(levels, RECAP)).always("title", knows(levels, TITLE)),
		});
		await host.screen.waitFor(/the tests have not run since the last edit/);
		await logged(host, /title\.written .*ok=true/);
		const efforts = host.model.requests.filter(({ kind }) => kind === "recap" || kind === "title");
		expect(efforts.map(({ body }) => body["reasoning_effort"])).toEqual(sent);
	});
});

test("/recap model stores the choice, which recaps and titles then use, and /recap model active undoes it", async ({
	skip,
}) => {
	skip(IS_NEWER_HOST);
	const host = await recapHost({ ...PAST, script: (model) => model.always("recap", RECAP) });
	await host.screen.waitFor(/the tests have not run since the last edit/);
	host.submit("/recap model");
	await host.screen.waitFor(
		/scripted-large · about \$0\.0092 · the active model[\s\S]*scripted-small · about \$0\.00076/,
	);
	host.key("down");
	host.key("enter");
	await host.screen.waitFor(
		/recaps use scripted\/scripted-small, about \$0\.00076 each \(saved in \S+state\.json\)/,
	);
	const state = () =>
		JSON.parse(readFileSync(join(host.sandbox.agentDir, "session-suite/state.json"), "utf8"));
	expect(state()).toEqual({ model: "scripted/scripted-small" });
	host.submit("/recap --force");
	await host.model.waitForCall("recap", 2);
	expect(host.model.calls("recap").map(({ model }) => model)).toEqual([MODELS.large, MODELS.small]);
	host.submit("/recap off");
	await host.screen.waitFor(/automatic recaps are off/);
	expect(state()).toEqual({ model: "scripted/scripted-small", recap: { enabled: false } });
	host.submit("/recap model active");
	await host.screen.waitFor(/recaps use scripted\/scripted-large, about \$0\.0092 each/);
});

import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fail, held, useTool } from "../host/answer.ts";
import { logged, logOf } from "../host/debug-log.ts";
import { Gate } from "../host/gate.ts";
import { testModel, testSandbox } from "../host/in-test.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { recordsIn, resumeHost } from "./resume-host.ts";

const ENV = { PI_SESSION_SUITE_DEBUG: "1" };
const WORDS = { headline: "Reject days that do not exist", bullets: ["Edited it"], next_actions: [] };

describe("a record by a model", () => {
	test("that could not be written is not requested again when the session is reopened", async () => {
		const model = await testModel();
		const sandbox = testSandbox({
			modelUrl: model.url,
			sessions: [yesterdaySession],
			suiteSettings: '{ "resume": { "idleMinutes": 0.001, "generator": "llm" } }',
		});
		const gate = new Gate();
		model.always("record", held(gate, useTool("write_recap_record", WORDS)));
		const first = await resumeHost({ model, sandbox, args: ["-c"], env: ENV });
		await model.waitForCall("record");
		const parentId = first.entries().at(-1)?.id;
		const foreign = { type: "custom", customType: "another-extension", data: 1, id: "f0f0f0f0", parentId };
		appendFileSync(sandbox.placed[0] ?? "", `${JSON.stringify(foreign)}\n`);
		gate.open();
		await logged(first, /record\.refused .*reason="moved_on"/);
		first.key("ctrl+d");
		await first.exit;
		const second = await resumeHost({ model, sandbox, args: ["-c"], env: ENV });
		await logged(second, /call\.refused feature="resume" .*reason="asked"/);
		await logged(second, /record\.written .*by="heuristic"/);
		expect(model.calls("record")).toHaveLength(1);
		expect(recordsIn(second.entries())).toMatchObject([{ generator: { type: "heuristic" } }]);
	});

	test("/recap-card --llm quotes the provider's error, which is also in the log", async () => {
		const host = await resumeHost({ args: ["-c"], sessions: [yesterdaySession], cols: 180, env: ENV });
		host.model.always("record", fail(402, "Insufficient Balance"));
		host.submit("/recap-card --llm");
		await host.screen.waitFor(/failed \(402: Insufficient Balance\)/);
		await logged(host, /call\.done feature="resume" by="typed" .*outcome="provider_error" status=402/);
		await logged(host, /record\.written .*by="heuristic"/);
		host.submit("/recap-card");
		await host.screen.waitFor(/already has a recap/);
		await logged(host, /record\.skipped cause="typed" reason="exists"/);
		host.submit("/resume-here 9");
		await host.screen.waitFor(/there is no step 9|no next step is known/);
		await logged(host, /command\.said command="resume-here" kind="warning" reason="resume-here: /);
		host.submit("/resume-from nothing-is-called-so");
		await host.screen.waitFor(/no session matches/);
		await logged(
			host,
			/command\.said command="resume-from" kind="warning" reason="resume-from: no session matches/,
		);
		expect(logOf(host).join("\n")).not.toContain("nothing-is-called-so");
		host.key("ctrl+d");
		await host.exit;
		await logged(host, /record\.skipped cause="end" reason="exists"/);
	});
});

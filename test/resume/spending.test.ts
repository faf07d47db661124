import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { held, useTool } from "../host/answer.ts";
import { logged } from "../host/debug-log.ts";
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
});

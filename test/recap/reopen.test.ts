import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { say } from "../host/answer.ts";
import { session } from "../host/fixtures.ts";
import { testModel, testOnce, testSandbox } from "../host/in-test.ts";
import { until } from "../host/until.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { FULL_DISK } from "../support/full-disk.ts";
import { recapHost, recapText } from "./recap-host.ts";

const RECAP = say("<recap>Fixing src/parse-date.js; the tests have not run since the last edit.</recap>");

/** The recap and its last line, which arrives with the end of the note. */
const NOTED = /have not run since the last edit\.\s+src\/parse-date\.js/;

describe("a reopened session", () => {
	testOnce(
		"the model's recap is requested once for a state, even if the session is opened again",
		async () => {
			const model = await testModel();
			const sandbox = testSandbox({ modelUrl: model.url, sessions: [yesterdaySession] });
			model.queue("recap", RECAP);
			const first = await recapHost({ model, sandbox, args: ["-c"], rows: 50 });
			await first.screen.waitFor(NOTED);
			first.key("ctrl+d");
			await first.exit;
			const second = await recapHost({ model, sandbox, args: ["-c"], rows: 50 });
			await second.screen.waitFor(/have not run since the last edit/);
			expect(model.calls("recap")).toHaveLength(1);
			expect(second.entries().map(({ type }) => type)).not.toContain(undefined);
		},
	);

	testOnce(
		"no entry is added to a session that another process has continued, because it would hide the newer messages",
		async () => {
			const host = await recapHost({
				args: ["-c", "--recap-disable"],
				sessions: [yesterdaySession],
				rows: 50,
			});
			const [file = ""] = host.sandbox.placed;
			const leaf = host.entries().at(-1)?.id;
			const foreign = {
				type: "custom",
				customType: "another-extension",
				data: { done: 1 },
				id: "f0f0f0f0",
				parentId: leaf,
				timestamp: "2026-03-13T09:00:00Z",
			};
			appendFileSync(file, `${JSON.stringify(foreign)}\n`);
			host.model.queue("recap", RECAP);
			host.submit("/recap");
			await host.screen.waitFor(/have not run since the last edit/);
			expect(host.entries().at(-1)).toMatchObject(foreign);
		},
	);

	test("with a full disk the recap is shown, and the session file is unchanged", async () => {
		const host = await recapHost({
			args: ["-c"],
			sessions: [yesterdaySession],
			files: { ".pi/extensions/full-disk.ts": FULL_DISK },
			rows: 50,
			script: (model) => model.queue("recap", RECAP),
		});
		const [file = ""] = host.sandbox.placed;
		const before = readFileSync(file, "utf8");
		await host.screen.waitFor(/have not run since the last edit/);
		host.type("still-here");
		await host.screen.waitFor(/still-here/);
		expect(readFileSync(file, "utf8")).toBe(before);
		expect(host.extensionErrors()).toEqual([]);
	});

	testOnce(
		"the recap is in the language that the user set, and an answer in another script is not shown",
		async () => {
			const text = session()
				.user("请修复 src/parse-date.js，让不存在的日期返回 undefined，然后补上测试")
				.edit("src/parse-date.js", "a", "b")
				.bash("npm test", "1 failing", 1)
				.aborted()
				.build();
			const host = await recapHost({
				args: ["-c"],
				sessions: [text],
				cols: 60,
				suiteSettings: '{ "language": "zh" }',
				script: (model) => {
					model.queue("recap", RECAP);
					model.always(
						"recap",
						say("<recap>src/parse-date.js 已修改，但运行已中止，测试还没有补上。</recap>"),
					);
				},
			});
			await host.screen.waitFor(/✦ recap/);
			const shown = host.screen.text().replace(/\n\s*/g, "");
			expect(shown).toMatch(/已中止 · 已做：编辑了 parse-date\.js/);
			await until(() => host.model.calls("recap").length === 1, { what: "the model's answer" });
			expect(JSON.stringify(host.model.calls("recap"))).toContain("Write in Chinese");
			host.submit("/recap --force");
			await host.screen.waitFor(/测试还没有补上/);
			expect(host.screen.text()).not.toContain("have not run");
			expect(host.model.calls("recap")).toHaveLength(2);
		},
	);

	test("in-app /clone shows a recap of the clone", async () => {
		const host = await recapHost({
			args: ["-c"],
			sessions: [yesterdaySession],
			rows: 50,
			script: (model) => model.always("recap", RECAP),
		});
		await host.screen.waitFor(NOTED);
		host.submit("/recap clear");
		await host.screen.waitFor((text) => !text.includes("✦ recap"), { what: "the recap to disappear" });
		host.submit("/clone");
		await host.screen.waitFor(/✦ recap/);
		await until(() => recapText(host).includes("have not run since the last edit"), {
			what: "the clone's recap",
		});
	});
});

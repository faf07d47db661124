import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hang, say } from "../host/answer.ts";
import { logged } from "../host/debug-log.ts";
import { testOnce } from "../host/in-test.ts";
import { ledgerFile } from "../host/ledger-file.ts";
import { ask, recordsOf, TASK, titled, titleHost } from "./title-host.ts";

describe("a session names itself", () => {
	test("once, with one call to the active model; the name is shown dimmed above the editor until the next prompt", async () => {
		// The terminal is wide enough to show the name after the project's folder, whose path is long on some systems.
		const host = await titleHost({ cols: 160 });
		host.model.queue("title", titled("Login redirect after token expiry"));
		host.submit(TASK);
		await host.screen.waitFor(
			/✎ Login redirect after token expiry {2}· {2}type \/rename <name> to change it/,
		);
		await host.screen.waitFor(/project • Login redirect after token expiry/);
		expect(host.screen.title).toContain("Login redirect after token expiry");
		const row = host.screen.rowOf(/✎/);
		const plain = host.screen.cells(host.screen.rowOf(/^ ?ok/)).find(({ text }) => text === "o");
		const title = host.screen.cells(row).find(({ text }) => text === "L");
		expect(title?.dim || title?.foreground !== plain?.foreground).toBe(true);

		const [call] = host.model.calls("title");
		expect(call).toMatchObject({ model: "scripted-large", tools: [] });
		expect(call?.user).toContain(TASK);
		expect(recordsOf(host.entries())).toMatchObject([{ source: "auto", model: "scripted/scripted-large" }]);
		const calls = readFileSync(ledgerFile(host.sandbox.agentDir), "utf8").trimEnd().split("\n");
		expect(calls).toHaveLength(2);
		expect(JSON.parse(calls[1] ?? "")).toMatchObject({
			feature: "title",
			outcome: "ok",
			model: "scripted/scripted-large",
		});

		host.submit("now add a regression test for it");
		await host.screen.waitFor((text) => !text.includes("✎"), { what: "the title to disappear" });
		await logged(host, /title\.skipped .*reason="named"/);
		expect(host.model.calls("title")).toHaveLength(1);
		expect(host.screen.text()).not.toContain("✎");
	});

	testOnce(
		"only if there is a topic, the settings allow it, and no other title is in flight; a request that the next prompt aborts is no attempt",
		async () => {
			const host = await titleHost();
			const answers = [hang(), hang(), hang(), say("no idea"), hang()];
			host.model.queue("title", ...answers);
			// A greeting, a URL or a slash command is no topic.
			for (const prompt of ["hi", "https://example.com/issues/12", "/unknown-command do it"])
				await ask(host, prompt);
			// A request is logged before it reaches the model.
			await logged(host, /title\.skipped .*reason="no_topic"/, 3);
			const save = (settings: object) =>
				writeFileSync(join(host.sandbox.agentDir, "session-suite.json"), JSON.stringify(settings));
			save({ dailyCostLimit: 0 });
			await ask(host, TASK);
			await logged(host, /title\.skipped .*reason="daily_limit"/);
			save({ title: { enabled: false } });
			await ask(host, "and its tests");
			await logged(host, /title\.skipped .*reason="off"/);
			expect(host.model.calls("title")).toEqual([]);
			save({});
			for (const [index, prompt] of ["and on mobile?", "and in Safari?", "and in Chrome?"].entries()) {
				host.submit(prompt);
				await host.model.waitForCall("title", index + 1);
			}
			await ask(host, "and in Firefox?");
			await logged(host, /title\.failed/);
			const states = host.model.calls("title").map(({ state }) => state);
			expect(states).toEqual(["aborted", "aborted", "aborted", "answered"]);
			host.submit("/rename --auto");
			await host.model.waitForCall("title", answers.length);
			await ask(host, "and on a watch?");
			await logged(host, /title\.skipped reason="in_flight"/);
			expect(host.model.calls("title")).toHaveLength(answers.length);
		},
	);
});

import { expect, test } from "vitest";
import { say, testRpc, useTool, yesterdaySession } from "../host/index.ts";

test("in RPC mode, clients get plain lines, even from /recap, without escape sequences, stdout is pure JSON, and doctor --prompt shows the exact text that is sent", async () => {
	const rpc = await testRpc({
		extensions: ["session-recap"],
		args: ["-c"],
		sessions: [yesterdaySession],
		files: { "AGENTS.md": "Use tabs. Keep `parseDate` pure.\n" },
		suiteSettings: '{ "recap": { "includeProjectContext": true } }',
		script: (model) =>
			model.always("recap", say("<recap>Fixing src/parse-date.js for invalid days.</recap>")),
	});
	const shown = await rpc.waitFor(
		(line) =>
			line.method === "setWidget" &&
			/Fixing src\/parse-date\.js for invalid days\..*test\/parse-date/.test(
				JSON.stringify(line.widgetLines ?? ""),
			),
		"the whole recap",
	);
	expect(shown.widgetLines).toEqual([
		"✦ recap",
		"Fixing src/parse-date.js for invalid days.",
		"src/parse-date.js · test/parse-date.test.js",
	]);
	const [sent] = rpc.model.calls("recap");
	expect(sent?.user).toContain("Keep `parseDate` pure.");
	await rpc.request({ type: "prompt", message: "/recap doctor --prompt" });
	await rpc.waitFor(({ message }) => message === `${sent?.system}\n\n${sent?.user}`, "the text");
	rpc.model.queue("agent", useTool("bash", { command: "echo built" }), say("Built it. Shall I deploy it?"));
	rpc.model.queue("recap", say("<recap>It waits for your word on the deployment.</recap>"));
	await rpc.request({ type: "prompt", message: "build the project" });
	await rpc.waitFor(({ type }) => type === "agent_end", "the run's end");
	await rpc.request({ type: "prompt", message: "/recap" });
	await rpc.waitFor(
		(line) => JSON.stringify(line.widgetLines ?? "").includes("your word on the deployment"),
		"the recap",
	);
	expect(rpc.raw).not.toContain("\\u001b");
	expect(rpc.raw + rpc.errors).not.toContain("\x1b");
	expect((await rpc.close()).code).toBe(0);
});

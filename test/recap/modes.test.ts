import { describe, expect, test } from "vitest";
import { say, useTool } from "../host/answer.ts";
import { runHost } from "../host/run-host.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { RECAP_ONLY, recapRpc } from "./recap-host.ts";

describe("without a user", () => {
	test("in print mode, no recap is requested or printed", async () => {
		const run = await runHost(["-c", "-p", "what is next?"], { ...RECAP_ONLY, sessions: [yesterdaySession] });
		expect(run.code).toBe(0);
		expect(run.requests.map(({ kind }) => kind)).toEqual(["agent"]);
		expect(run.stdout + run.stderr).not.toMatch(/recap|\x1b\[\?1004/);
		expect(run.entries.some(({ type }) => type === "custom")).toBe(false);
	});
});

describe("RPC mode", () => {
	test("clients get plain lines, also from /recap, no terminal mode is switched, and stdout stays pure JSON", async () => {
		const rpc = await recapRpc({
			args: ["-c"],
			sessions: [yesterdaySession],
			script: (model) =>
				model.always("recap", say("<recap>Fixing src/parse-date.js for invalid days.</recap>")),
		});
		const shown = await rpc.waitFor(
			(line) =>
				line.method === "setWidget" &&
				/Fixing src\/parse-date\.js for invalid days\..*test\/parse-date/.test(
					JSON.stringify(line.widgetLines ?? ""),
				),
			{ what: "the whole recap" },
		);
		expect(shown.widgetLines).toEqual([
			"✦ recap",
			"Fixing src/parse-date.js for invalid days.",
			"src/parse-date.js · test/parse-date.test.js",
		]);
		rpc.model.queue("agent", useTool("bash", { command: "echo built" }), say("Built it. Shall I deploy it?"));
		rpc.model.queue("recap", say("<recap>It waits for your word on the deployment.</recap>"));
		await rpc.request({ type: "prompt", message: "build the project" });
		await rpc.waitFor(({ type }) => type === "agent_end", { what: "the run's end" });
		await rpc.request({ type: "prompt", message: "/recap" });
		await rpc.waitFor(
			(line) => JSON.stringify(line.widgetLines ?? "").includes("your word on the deployment"),
			{ what: "the recap" },
		);
		expect(rpc.raw).not.toContain("\\u001b");
		expect(rpc.raw + rpc.errors).not.toContain("\x1b");
		expect((await rpc.close()).code).toBe(0);
	});
});

import { readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { held, say } from "../host/answer.ts";
import { Gate } from "../host/gate.ts";
import { testHost, testModel, testOnce, testSandbox } from "../host/in-test.ts";
import { until } from "../host/until.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { RESUME } from "../resume/resume-host.ts";
import { serveFolder } from "./agent-folder.ts";
import { Serving } from "./serving.ts";

testOnce(
	"beside the real pi, the list follows a live session; a recap is written only after it ends, and pi resumes from it",
	async () => {
		const model = await testModel();
		const sandbox = testSandbox({ modelUrl: model.url, sessions: [yesterdaySession] });
		const [file = ""] = sandbox.placed;
		const { agentDir } = sandbox;
		const { server, tokens } = await serveFolder(agentDir);
		onTestFinished(() => server.close());
		const serving = new Serving(server.port, tokens);
		const gate = new Gate();
		model.queue("agent", held(gate, say("The date is parsed. Shall I commit it?")));
		const host = await testHost({ model, sandbox, extensions: RESUME, args: ["-c"], rows: 50 });
		let found: unknown;
		const state = async (wanted: string) =>
			until(
				async () => {
					const { json } = await serving.ask("/v1/sessions?limit=1");
					found = json.sessions[0];
					return json.sessions[0]?.state === wanted && json.sessions[0];
				},
				{ what: `the board to say ${wanted}`, detail: () => JSON.stringify(found) },
			);
		const { id } = await state("waiting");
		host.submit("parse the date");
		await state("working");
		gate.open();
		await state("waiting");
		const before = readFileSync(file, "utf8");
		const body = { kind: "session", subject_id: id, force: true };
		expect((await serving.ask("/v1/recap", { body })).status).toBe(423);
		expect(readFileSync(file, "utf8")).toBe(before);
		host.submit("/quit");
		await host.exit;
		await state("closed");
		const written = await serving.ask("/v1/recap", { body });
		expect([written.status, written.json.recap.outcome]).toEqual([201, "waiting"]);
		const plan = await serving.ask("/v1/resume", { body: { from_recap_id: written.json.recap.id } });
		const [, ...args] = plan.json.command;
		const again = await testHost({ model, sandbox, extensions: RESUME, args, rows: 50 });
		await again.screen.waitFor(/→ Shall I commit it/);
		expect(again.sessionFile()).toBe(file);
		expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
	},
);

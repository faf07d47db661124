import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { say } from "../host/answer.ts";
import { readSession, runHost, session, sessionFiles, testOnce, testWorld, until } from "../host/index.ts";
import { recordsIn } from "../resume/resume-host.ts";
import { shellRun, shellTerminal } from "./shell-host.ts";

const ID = "0195a1b2-c3d4-7000-8000-00000000000a";
const theme = () =>
	session({ id: ID, startedAt: new Date("2026-01-02T10:00:00Z") })
		.user("Port the theme to the new API, starting with src/theme.ts")
		.edit("src/theme.ts", "a", "b")
		.assistant("`src/theme.ts` uses the new API.\n\nOpen:\n- [ ] Port src/colors.ts to the new API")
		.user("What else uses the old one?")
		.assistant("Only the old adapter does.\n\nOpen:\n- [ ] Remove the old adapter")
		.name("Port the theme")
		.build();

test("pi-sessions resume opens a session by the beginning of its id, with the next step in the editor", async () => {
	const { model, sandbox } = await testWorld({ sessions: [theme()] });
	const host = await shellTerminal({ model, sandbox }, ["resume", ID.slice(0, 8)]);
	await host.screen.waitFor(/▤ session card[\s\S]*^Remove the old adapter/m);
	expect(model.requests).toEqual([]);
	host.key("enter");
	expect((await model.waitForCall("agent")).user).toMatch(/^Remove the old adapter/);
});

testOnce("a headless run is resumed as a new one with the same folder, model and tools", async () => {
	const { model, sandbox } = await testWorld();
	model.queue("agent", say("Sorted three files.\n\nOpen:\n- [ ] Sort src/late.ts"));
	await runHost(["-p", "--tools", "read,grep", "Sort the imports"], {
		model,
		sandbox,
		extensions: ["session-resume"],
	});
	const [first = ""] = sessionFiles(sandbox.sessionDir);
	const [job] = recordsIn(readSession(first));
	expect(job).toMatchObject({ kind: "job", resume_hint: { tools: ["read", "grep"] } });
	const before = readFileSync(first, "utf8");
	model.queue("agent", say("Sorted src/late.ts."));

	const jobId = String(job?.["subject_id"]);
	const run = await shellRun({ sandbox }, ["resume", jobId]);
	expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("Sorted src/late.ts.") });
	const sent = await model.waitForCall("agent", 2);
	expect(sent.user).toMatch(/^Go on: Sort src\/late\.ts/);
	expect(sent.tools.toSorted()).toEqual(["grep", "read"]);
	const second = await until(
		() => sessionFiles(sandbox.sessionDir).find((file) => file !== first),
		"the new job",
	);
	const record = recordsIn(readSession(second)).at(-1);
	expect(record).toMatchObject({
		kind: "job",
		parent_job_id: jobId,
		resumed_from_recap_id: job?.["id"],
		resume_hint: { tools: ["read", "grep"] },
		workspace: { cwd: sandbox.cwd },
	});
	expect(record?.["subject_id"]).not.toBe(jobId);
	expect(readFileSync(first, "utf8")).toBe(before);
	expect(basename(second)).toContain(String(record?.["subject_id"]));
});

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../log/session.test-support.ts";
import { timelineOf } from "../log/timeline/log.test-support.ts";
import { offlineRecap } from "./heuristic.ts";
import { isOwnJob, rememberJob } from "./own-jobs.ts";
import type { SessionRecord } from "./record.ts";

const folder = useTemporaryFolder();
const recap = offlineRecap(timelineOf([{ user: "write the nightly report" }, { says: "Done." }]));
const JOB: SessionRecord = {
	...recap,
	id: "r1",
	subject_id: "s1",
	kind: "job",
	workspace: { cwd: "/code/app" },
};

test("a job is this machine's own only while neither its conversation nor its record, folder or model was changed", async () => {
	const sessionFile = put(
		join(folder(), "s.jsonl"),
		'{"type":"session"}\n{"text":"write the nightly report"}\n',
	);
	const plan = { cwd: "/code/app", sessionFile };
	expect(await isOwnJob(folder(), JOB, plan)).toBe(false);
	rememberJob(folder(), JOB, sessionFile);
	expect(await isOwnJob(folder(), JOB, plan)).toBe(true);
	appendFileSync(sessionFile, '{"type":"session_info","name":"Report"}\n');
	expect(await isOwnJob(folder(), JOB, plan)).toBe(true);
	const changes: [SessionRecord, Partial<Parameters<typeof isOwnJob>[2]>][] = [
		[{ ...JOB, next_actions: ["Delete it"] }, {}],
		[{ ...JOB, resume_hint: { seed_instruction: "", tools: ["bash"] } }, {}],
		[JOB, { cwd: "/code/other" }],
		[JOB, { model: { provider: "p", model: "m" } }],
		[JOB, { sessionFile: join(folder(), "gone.jsonl") }],
	];
	for (const [record, more] of changes)
		expect(await isOwnJob(folder(), record, { ...plan, ...more })).toBe(false);
	writeFileSync(sessionFile, readFileSync(sessionFile, "utf8").replace("write", "erase"));
	expect(await isOwnJob(folder(), JOB, plan)).toBe(false);
});

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, useTemporaryFolder } from "../log/session.test-support.ts";
import { asJob, isOwnJob, parentJob, rememberJob } from "./jobs.ts";
import { recapOf } from "./record.test-support.ts";
import type { SessionRecord } from "./record.ts";

const recap = (id: string, subject_id: string, kind: SessionRecord["kind"] = "job") =>
	recapOf({ id, kind, subject_id, next_actions: [] });

test("a fork of a job continues its newest record, or the record that was resumed, and keeps this parent", () => {
	const newest = recap("r2", "parent");
	const parent = { parent_job_id: "parent", resumed_from_recap_id: "r2" };
	expect(parentJob(newest, "own")).toEqual(parent);
	expect(parentJob({ ...recap("r3", "own"), ...parent }, "own")).toEqual(parent);
	const older = { parent_job_id: "parent", resumed_from_recap_id: "r1" };
	expect(parentJob(newest, "own", older)).toEqual(older);
	expect(parentJob(undefined, "own", older)).toEqual(older);
	expect(parentJob(undefined, "own", { parent_job_id: "own", resumed_from_recap_id: "r3" })).toEqual({});
	expect(parentJob(recap("r3", "own"), "own")).toEqual({});
	expect(parentJob(recap("r0", "x", "session"), "own")).toEqual({});
});

test("a job's record names the tools of its next run, and its parent", () => {
	const parent = { parent_job_id: "p", resumed_from_recap_id: "r0" };
	expect(asJob(recap("r", "s"), { tools: ["read"], ...parent })).toMatchObject({
		resume_hint: { seed_instruction: "", tools: ["read"] },
		...parent,
	});
	const session = recap("r", "s", "session");
	expect(asJob(session, { tools: [] })).toBe(session);
});

const folder = useTemporaryFolder();
const JOB: SessionRecord = { ...recap("r1", "s1"), workspace: { cwd: "/code/app" } };

test("a job is this machine's own unless its conversation, record, folder or model has changed", async () => {
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

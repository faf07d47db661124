import { chmodSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put } from "../../session-core/log/session.test-support.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { session } from "../host/fixtures.ts";
import { until } from "../host/until.ts";
import { testFolder, testServing } from "./serving.ts";

const JOB = "0195a1b2-c3d4-7000-8000-00000000000b";

/** A finished job in an agent folder, and a `pi` that reports how it was started. */
function placed({ next = "Sort src/late.ts" } = {}) {
	const folder = testFolder();
	const cwd = join(folder.path, "project");
	const builder = session({ id: JOB, cwd }).user("Sort the imports").assistant("Sorted.");
	const record = recapOf({
		id: "job-recap",
		kind: "job",
		subject_id: JOB,
		next_actions: [next],
		resume_hint: { seed_instruction: next, tools: ["read"] },
		last_message_id: builder.ids.at(-1) ?? "",
	});
	folder.put(JOB, builder.custom("session-suite:recap", record).build(), { cwd });
	put(join(cwd, "README.md"), "");
	const started = join(folder.path, "started");
	const pi = put(
		join(folder.path, "bin", "pi"),
		`#!/bin/sh\necho "out $PI_SESSION_SUITE_RESUMED_FROM"; echo err >&2; printf '%s\\n' "$PWD" "$@" > ${started}.new; mv ${started}.new ${started}\n`,
	);
	chmodSync(pi, 0o755);
	const env = { PATH: `${join(folder.path, "bin")}:/usr/bin:/bin` };
	return { folder, cwd, started, env };
}

const body = { from_subject_id: JOB, kind: "job", open: true };

test("a job is started without tmux, and its output is in the log file that the answer names", async () => {
	const { folder, cwd, started, env } = placed();
	const serving = await testServing(folder, { env });
	const unseen = await serving.ask("/v1/resume", { body });
	expect([unseen.status, unseen.json.error.reason]).toEqual([409, "unconfirmed"]);
	const { json: plan } = await serving.ask("/v1/resume", { body: { ...body, open: false } });
	const confirmed = { ...body, confirmed: plan.command_line };
	const { status, json } = await serving.ask("/v1/resume", { body: confirmed });
	expect([status, json.opened, json.kind]).toEqual([200, true, "job"]);
	await until(() => existsSync(started), { what: "the job" });
	const [where, ...args] = readFileSync(started, "utf8").split("\n");
	expect([where, args[0], args[1]]).toEqual([cwd, "-p", "--fork"]);
	expect(args).toContain("read");
	const output = await until(
		() => readFileSync(json.log, "utf8").includes("err") && readFileSync(json.log, "utf8"),
		{
			what: "its output",
		},
	);
	expect(output).toBe(`out ${JOB}/job-recap\nerr\n`);
	expect(statSync(json.log).mode & 0o777).toBe(0o600);
	const again = await serving.ask("/v1/resume", { body: confirmed });
	expect([again.status, again.json.error.reason]).toEqual([409, "started"]);
});

test("a job is not started without an answer to its question, without its folder, or without pi", async () => {
	const asking = placed({ next: "Which file first?" });
	const first = await (await testServing(asking.folder, { env: asking.env })).ask("/v1/resume", { body });
	expect([first.status, first.json.error.reason]).toEqual([422, "needs_answer"]);
	const { folder, cwd } = placed();
	const serving = await testServing(folder, { env: { PATH: "/nowhere" } });
	const { json: plan } = await serving.ask("/v1/resume", { body: { ...body, open: false } });
	const confirmed = { ...body, confirmed: plan.command_line };
	const second = await serving.ask("/v1/resume", { body: confirmed });
	expect([second.status, second.json.error.reason]).toEqual([409, "failed"]);
	expect(second.json.error.remedy).toContain("pi -p --fork");
	rmSync(cwd, { recursive: true });
	const third = await serving.ask("/v1/resume", { body: confirmed });
	expect([third.status, third.json.error.reason]).toEqual([409, "no_folder"]);
});

test("a bug in the server is answered with 500 and logged with its location, but without its text", async () => {
	const { folder, env } = placed();
	const messages: string[] = [];
	const openWindow = () => Promise.reject(new TypeError("secret of a session"));
	const serving = await testServing(folder, { env, openWindow, say: (message) => messages.push(message) });
	folder.put("cccc0001", session({ id: "cccc0001" }).user("Move it").assistant("Done.").build());
	const id = { from_subject_id: "cccc0001", open: true };
	const { status, json } = await serving.ask("/v1/resume", { body: id });
	expect([status, json.error.reason]).toEqual([500, "internal"]);
	const log = readFileSync(join(folder.path, "session-suite", "debug.log"), "utf8");
	expect(log).toMatch(/ serve\.failed route="POST \/v1\/resume" error="TypeError" at="job\.test\.ts:\d+"\n/);
	expect(messages).toEqual([
		expect.stringMatching(/^POST \/v1\/resume failed \(TypeError in job\.test\.ts:\d+\)\.$/),
	]);
	expect(log + messages).not.toContain("secret");
});

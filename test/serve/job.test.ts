import { chmodSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put } from "../../session-core/log/session.test-support.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { session, until } from "../host/index.ts";
import { testFolder, testServing } from "./serving.ts";

const JOB = "0195a1b2-c3d4-7000-8000-00000000000b";
const ROUTE = "/v1/resume";
const body = { from_subject_id: JOB, kind: "job", open: true };

/** A finished job in an agent folder, and a server with a `pi` that reports how it was started. */
async function serving({ next = "Sort src/late.ts", PATH = "" } = {}) {
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
	builder.custom("session-suite:recap", record);
	folder.put(JOB, builder.build(), { cwd });
	put(join(cwd, "README.md"), "");
	const started = join(folder.path, "started");
	const report = `printf '%s\\n' "$PWD" "$@" > ${started}.new; mv ${started}.new ${started}`;
	const script = `#!/bin/sh\necho "out $PI_SESSION_SUITE_RESUMED_FROM"; echo err >&2; ${report}\n`;
	chmodSync(put(join(folder.path, "bin", "pi"), script), 0o755);
	const env = { PATH: PATH || `${join(folder.path, "bin")}:/usr/bin:/bin` };
	const server = await testServing(folder, { env });
	/** The request for a person who has seen what the job would do. */
	const confirmed = async () => {
		const plan = await server.post(ROUTE, { ...body, open: false });
		return { ...body, confirmed: plan.command_line };
	};
	return { server, cwd, started, confirmed };
}

test("a job is started without tmux, and its output is in the log file that the answer names", async () => {
	const { server, cwd, started, confirmed } = await serving();
	expect(await server.refusal(ROUTE, { body })).toEqual([409, "unconfirmed"]);
	const request = await confirmed();
	const { status, json } = await server.ask(ROUTE, { body: request });
	expect([status, json.opened, json.kind]).toEqual([200, true, "job"]);
	await until(() => existsSync(started), "the job");
	const [where, ...args] = readFileSync(started, "utf8").split("\n");
	expect([where, args[0], args[1]]).toEqual([cwd, "-p", "--fork"]);
	expect(args).toContain("read");
	const logged = () => readFileSync(json.log, "utf8");
	const output = await until(() => logged().includes("err") && logged(), "its output");
	expect(output).toBe(`out ${JOB}/job-recap\nerr\n`);
	expect(statSync(json.log).mode & 0o777).toBe(0o600);
	expect(await server.refusal(ROUTE, { body: request })).toEqual([409, "started"]);
});

test("a job is not started without an answer to its question, without its folder, or without pi", async () => {
	const asking = await serving({ next: "Which file first?" });
	expect(await asking.server.refusal(ROUTE, { body })).toEqual([422, "needs_answer"]);
	const { server, cwd, confirmed } = await serving({ PATH: "/nowhere" });
	const request = await confirmed();
	const { error } = await server.post(ROUTE, request);
	expect(error).toMatchObject({ reason: "failed", remedy: expect.stringContaining("pi -p --fork") });
	rmSync(cwd, { recursive: true });
	expect(await server.refusal(ROUTE, { body: request })).toEqual([409, "no_folder"]);
});

test("a bug in the server is answered with 500 and logged with its location, but without its text", async () => {
	const folder = testFolder();
	const messages: string[] = [];
	const openWindow = () => Promise.reject(new TypeError("secret of a session"));
	const server = await testServing(folder, { openWindow, say: (message) => messages.push(message) });
	folder.put("cccc0001", session({ id: "cccc0001" }).user("Move it").assistant("Done.").build());
	const request = { body: { from_subject_id: "cccc0001", open: true } };
	expect(await server.refusal(ROUTE, request)).toEqual([500, "internal"]);
	const log = readFileSync(join(folder.path, "session-suite", "debug.log"), "utf8");
	expect(log).toMatch(/ serve\.failed route="POST \/v1\/resume" error="TypeError" at="job\.test\.ts:\d+"\n/);
	const shown = expect.stringMatching(
		/^The request POST \/v1\/resume failed \(TypeError in job\.test\.ts:\d+\)\.$/,
	);
	expect(messages).toEqual([shown]);
	expect(log + messages).not.toContain("secret");
});

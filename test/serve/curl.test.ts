import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { session } from "../host/fixtures.ts";
import { type Serving, testFolder, testServing } from "./serving.ts";

const SID = "0195a1b2-c3d4-7000-8000-00000000000a";
const JOB = "0195a1b2-c3d4-7000-8000-00000000000b";
const hasCurl = (process.env["PATH"] ?? "")
	.split(delimiter)
	.some((folder) => existsSync(join(folder, "curl")));

/** The published examples of the daemon that introduced these routes, with placeholders in <…>. */
const EXAMPLES = {
	write: `curl -X POST http://127.0.0.1:7878/v1/recap -H 'content-type: application/json' -d '{"kind":"session","subject_id":"<sid>","generator":"heuristic","force":true}'`,
	resume: `curl -X POST http://127.0.0.1:7878/v1/resume -H 'content-type: application/json' -d '{"from_recap_id":"<recap-id>"}'`,
	health: "curl http://127.0.0.1:7878/health",
	job: "curl 'http://127.0.0.1:7878/v1/recap?kind=job&subject_id=<job-sid>'",
	list: "curl 'http://127.0.0.1:7878/v1/recap?kind=session&subject_id=<sid>'",
};

/** Runs an example with the header of the token and the port of the test. */
function replay(
	example: string,
	serving: Serving,
	filled: Record<string, string> = {},
): Promise<{ [key: string]: never }> {
	const line = Object.entries({ ...filled, "127.0.0.1:7878": `127.0.0.1:${serving.port}` }).reduce(
		(text, [from, to]) => text.replaceAll(from, to),
		example,
	);
	const { TOKEN: _, ...env } = process.env;
	return new Promise((resolve, reject) => {
		execFile(
			"sh",
			["-c", `${line} -sS -H "Authorization: Bearer $TOKEN"`],
			{ env: { ...env, TOKEN: serving.tokens.act }, timeout: 10_000 },
			(error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))),
		);
	});
}

test.skipIf(!hasCurl)("the published curl examples work with the header of the token", async () => {
	const folder = testFolder();
	folder.put(
		SID,
		session({ id: SID })
			.user("Move the queue to SQLite")
			.bash("npm test", "3 passed")
			.assistant("Done.")
			.build(),
	);
	const record = {
		id: "job-recap",
		kind: "job",
		subject_id: JOB,
		generator: { type: "heuristic" },
		headline: "Nightly run",
		bullets: [],
		next_actions: ["Read the report"],
		artifacts: [],
		outcome: "done",
		resume_hint: { seed_instruction: "Read the report" },
		last_message_id: "1a2b3c04",
		created_at: 1_773_000_000,
	};
	folder.put(
		JOB,
		session({ id: JOB }).user("Nightly run").assistant("Done.").custom("session-suite:recap", record).build(),
	);
	const serving = await testServing(folder);
	const health = await replay(EXAMPLES.health, serving);
	expect(health).toMatchObject({
		features: {
			recap: {
				available: true,
				transport: "daemon-http",
				routes_prefix: "/v1/recap",
				generators_ga: expect.arrayContaining(["heuristic"]),
				kinds: ["session", "job"],
			},
		},
	});
	expect(await replay(EXAMPLES.list, serving, { "<sid>": SID })).toEqual({ recaps: [] });
	const written: { recap?: { id: string } } = await replay(EXAMPLES.write, serving, { "<sid>": SID });
	const recapId = written.recap?.id ?? "";
	expect(written.recap).toMatchObject({
		id: expect.any(String),
		kind: "session",
		subject_id: SID,
		generator: { type: "heuristic" },
		headline: expect.stringMatching(/^[^.]{1,80}$/),
		bullets: expect.any(Array),
		next_actions: expect.any(Array),
		artifacts: expect.any(Array),
		created_at: expect.any(Number),
	});
	expect(await replay(EXAMPLES.list, serving, { "<sid>": SID })).toMatchObject({ recaps: [{ id: recapId }] });
	expect(await replay(EXAMPLES.resume, serving, { "<recap-id>": recapId })).toMatchObject({
		kind: "session",
		subject_id: SID,
		resumed_from_recap_id: recapId,
	});
	expect(await replay(EXAMPLES.job, serving, { "<job-sid>": JOB })).toMatchObject({
		recaps: [{ id: "job-recap", kind: "job" }],
	});
	expect(await replay(EXAMPLES.resume, serving, { "<recap-id>": "job-recap" })).toMatchObject({
		kind: "job",
		parent_job_id: JOB,
		resumed_from_recap_id: "job-recap",
	});
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { fail, hang, say, useTool } from "../host/answer.ts";
import { session } from "../host/fixtures.ts";
import { testOnce, testRpc, testWorld } from "../host/in-test.ts";
import type { RpcLine } from "../host/rpc-host.ts";
import { runHost } from "../host/run-host.ts";
import { readSession, sessionFiles } from "../host/session-files.ts";
import { until } from "../host/until.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { FULL_DISK } from "../support/full-disk.ts";
import { recordsIn, resumeHost } from "./resume-host.ts";

const WORDS = { headline: "Reject days that do not exist", bullets: ["Edited src/parse-date.js"] };
const TEXT = "src/parse-date.js rejects days that do not exist. The agent asks whether it should throw.";
const QUESTION = "Should it throw a RangeError instead, so that callers cannot overlook it?";
const NOTE = say(
	`<recap>${TEXT}</recap><topic>${WORDS.headline}</topic><done>${WORDS.bullets[0]}</done><next kind="question">${QUESTION}</next>`,
);
const PAST = { args: ["-c"], sessions: [yesterdaySession] };

function continuedJob(cwd: string): string {
	const past = session({ cwd }).user("sort the imports").assistant("Sorted.");
	const job = recapOf({ kind: "job", last_message_id: past.ids.at(-1) ?? "" });
	return past.custom("session-suite:recap", job).user("and the exports?").assistant("Sorted, too.").build();
}

describe("at the end of a session", () => {
	test("a record of its state is written once, and reopening it writes no other", async () => {
		const { model, sandbox } = await testWorld({ sessions: [yesterdaySession] });
		for (let time = 0; time < 2; time++) {
			const host = await resumeHost({ model, sandbox, args: ["-c"] });
			await host.screen.waitFor(/▤ session card/);
			if (time === 0) host.signal("SIGHUP");
			else host.key("ctrl+d");
			await host.exit;
			const records = recordsIn(host.entries());
			expect(records).toHaveLength(1);
			expect(records[0]).toMatchObject({
				kind: "session",
				generator: { type: "heuristic" },
				outcome: "waiting",
				evidence: [{ command: "node --test", edits_after: 1 }],
				resume_hint: { provider: "scripted", model: "scripted-large" },
				workspace: { cwd: sandbox.cwd },
			});
		}
		expect(model.requests).toEqual([]);
	});

	testOnce("the record includes the last run, and the first start names the board's key", async () => {
		const suiteSettings = '{ "resume": { "minMessages": 2 } }';
		const host = await resumeHost({ suiteSettings, isFirstStart: true });
		await host.screen.waitFor(/alt\+s lists your sessions, and F1 there explains the keys/);
		// The answer shows that the extension has been loaded.
		await host.submit("/recap-card --why", /recap-card: no recap is saved/);
		host.submit("say ok");
		await until(() => host.entries().length > 3, "the reply in the file");
		await host.quit();
		expect(recordsIn(host.entries())).toMatchObject([{ headline: "say ok" }]);
	});
});

describe("a headless run", () => {
	test("writes a job record, and shows no message, recap or terminal mode", async () => {
		const run = await runHost(["-p", "fix the parser in src/parse.ts"], {
			extensions: ["session-resume", "session-recap"],
		});
		expect(run.code).toBe(0);
		expect(run.requests.map(({ kind }) => kind)).toEqual(["agent"]);
		expect(run.stdout + run.stderr).not.toMatch(/resume:|recap|\x1b\[\?1004/);
		expect(recordsIn(run.entries)).toMatchObject([
			{ kind: "job", outcome: "done", headline: "fix the parser in src/parse.ts" },
		]);
	});

	testOnce.each([
		["a user's session", yesterdaySession],
		["a job that a user has continued since its record", continuedJob],
	])("in %s is not a job", async (_, past) => {
		const options = { extensions: ["session-resume"], sessions: [past] };
		const run = await runHost(["-c", "-p", "and now the lexer"], options);
		expect(recordsIn(run.entries).at(-1)).toMatchObject({ kind: "session", outcome: "done" });
	});

	testOnce("that continues or forks a job is a job too", async () => {
		const options = { ...(await testWorld()), extensions: ["session-resume"] };
		await runHost(["-p", "--tools", "read,grep", "sort the imports"], options);
		const continued = await runHost(["-c", "-p", "--tools", "read", "now the exports"], options);
		const records = recordsIn(continued.entries);
		expect(records).toMatchObject([
			{ kind: "job", resume_hint: { tools: ["read", "grep"] } },
			{ kind: "job", resume_hint: { tools: ["read"] } },
		]);
		expect(records[1]).not.toHaveProperty("parent_job_id");
		const [file = ""] = sessionFiles(options.sandbox.sessionDir);
		const parent = { parent_job_id: records[1]?.["subject_id"], resumed_from_recap_id: records[1]?.["id"] };
		for (const args of [["--fork", file], ["-c"]]) {
			const fork = await runHost([...args, "-p", "and the types"], options);
			expect(recordsIn(fork.entries).at(-1)).toMatchObject({ kind: "job", ...parent });
		}
	});

	test.each(["SIGINT", "SIGTERM"] as const)("that %s cancels leaves an aborted record", async (signal) => {
		const { model, sandbox } = await testWorld();
		model.queue("agent", useTool("bash", { command: "echo built" }), hang());
		const { entries, code } = await runHost(["-p", "build the project"], {
			...{ model, sandbox },
			extensions: ["session-resume"],
			started: (send) => void model.waitForCall("agent", 2).then(() => send(signal)),
		});
		const record = { kind: "job", outcome: "aborted", headline: "build the project" };
		expect(recordsIn(entries)).toMatchObject([record]);
		expect(code).not.toBe(0);
	});
});

testOnce("in an idle session, a model writes the record once if the setting says so", async () => {
	const host = await resumeHost({
		...PAST,
		suiteSettings: '{ "resume": { "idleMinutes": 0.001, "generator": "llm" } }',
		script: (model) => model.always("recap", NOTE),
	});
	await until(() => recordsIn(host.entries()).length > 0, "the record");
	await host.quit();
	expect(recordsIn(host.entries())).toMatchObject([
		{
			generator: { type: "llm", provider: "scripted", model: "scripted-large" },
			...WORDS,
			text: TEXT,
			next_actions: [QUESTION],
			next_kinds: ["question"],
			outcome: "waiting",
		},
	]);
	expect(host.model.calls("recap")).toHaveLength(1);
	expect(host.model.calls("recap")[0]?.body).toMatchObject({ max_completion_tokens: 600 });
});

describe("/recap-card", () => {
	test("writes one record, --force another, and --llm a model's; each outcome is reported, and quitting does not wait for the model", async () => {
		const host = await resumeHost({
			...PAST,
			script: (model) => model.queue("recap", NOTE, fail(429, "slow")),
		});
		await host.submit("/recap-card", /recap saved/);
		await host.submit("/recap-card", /already has a recap/);
		await host.submit("/recap-card --llm", /Reject days that do not exist/);
		await host.submit("/recap-card --llm", /failed \(429.*The existing recap was kept/);
		host.submit("/recap-card --force");
		await until(() => recordsIn(host.entries()).length === 3, "the third record");
		const generators = recordsIn(host.entries()).map(({ generator }) => generator);
		expect(generators).toMatchObject([{ type: "heuristic" }, { type: "llm" }, { type: "heuristic" }]);
		host.model.queue("recap", hang());
		await host.submit("/recap-card --llm --force", /asking the model… \(esc to cancel\)/);
		await host.key("escape", /the request was canceled\. The existing recap was kept/);
		await host.submit("/recap-card frobnicate", /unknown argument "frobnicate"/);
		const requests = host.model.calls("recap").length;
		host.model.queue("recap", hang());
		host.submit("/recap-card --llm --force");
		await host.model.waitForCall("recap", requests + 1);
		expect((await host.quit()).code).toBe(0);
		expect(recordsIn(host.entries())).toHaveLength(3);
		await host.model.waitForAbort("recap", requests + 1);
	});

	test("edit asks again for a missing headline, only --force replaces the user's words, and RPC clients get plain lines", async () => {
		const rpc = await testRpc({ extensions: ["session-resume"], ...PAST });
		const card = await rpc.waitFor(({ widgetLines }) => Array.isArray(widgetLines), "the card");
		const lines = card["widgetLines"] as string[];
		expect(lines[0]).toMatch(/^▤ session card {2}/);
		expect(lines.length).toBeLessThanOrEqual(10);
		expect(lines.at(-1)).toMatch(/^\/resume-here/);
		rpc.send({ type: "prompt", message: "/recap-card edit" });
		const asked = await rpc.waitFor(({ method }) => method === "editor", "the editor");
		expect(asked["prefill"]).toMatch(/^# Headline\n/);
		const answer = (id: unknown, value: string) => rpc.send({ type: "extension_ui_response", id, value });
		answer(asked["id"], "# Headline\n\n# Next\n- Ship it\n");
		const isAgain = ({ title }: RpcLine) => /no headline.*Esc to discard it/.test(String(title));
		const again = await rpc.waitFor(isAgain, "the editor with the text");
		expect(again["prefill"]).toContain("Ship it");
		answer(again["id"], `# Headline\nMy own words\n${String(again["prefill"])}`);
		await rpc.waitFor(
			(line) => JSON.stringify(line["widgetLines"] ?? "").includes("My own words"),
			"the card",
		);
		await rpc.request({ type: "prompt", message: "/recap-card --llm" });
		await rpc.waitFor((line) => String(line["message"]).includes("you edited this recap"), "the answer");
		expect(rpc.model.requests).toEqual([]);
		expect((await rpc.close()).code).toBe(0);
		expect(rpc.errors).toBe("");
		expect(rpc.raw).not.toContain("\\u001b");
		const [file = ""] = rpc.sandbox.placed;
		expect(recordsIn(readSession(file))).toMatchObject([
			{ headline: "My own words", next_actions: ["Ship it"], generator: { type: "user_edited" } },
		]);
	});
});

test("on a full disk, only the record is lost, and one line reports it", async () => {
	const host = await resumeHost({
		...PAST,
		extensions: ["session-resume", "session-recap"],
		files: { ".pi/extensions/full-disk.ts": FULL_DISK },
		script: (model) => model.queue("recap", NOTE),
	});
	const [file = ""] = host.sandbox.placed;
	const before = readFileSync(file, "utf8");
	await host.screen.waitFor(/▤ session card[\s\S]*rejects days that do not exist/);
	await host.submit("/recap-card", /recap-card: not saved: ENOSPC: no space left on device/);
	expect(readFileSync(file, "utf8")).toBe(before);
});

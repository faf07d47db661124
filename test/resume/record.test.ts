import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fail, hang, held, say, useTool } from "../host/answer.ts";
import { logged, WITH_LOG } from "../host/debug-log.ts";
import { session } from "../host/fixtures.ts";
import { Gate } from "../host/gate.ts";
import { testModel, testOnce, testSandbox } from "../host/in-test.ts";
import type { RpcLine } from "../host/rpc-host.ts";
import { runHost } from "../host/run-host.ts";
import { readSession } from "../host/session-files.ts";
import { until } from "../host/until.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { FULL_DISK } from "../support/full-disk.ts";
import { RESUME, recordsIn, resumeHost, resumeRpc, WITH_RECAP } from "./resume-host.ts";

const WORDS = {
	headline: "Reject days that do not exist",
	bullets: ["Edited src/parse-date.js"],
};
const TEXT = "src/parse-date.js rejects days that do not exist. The agent asks whether it should throw.";
const QUESTION = "Should it throw a RangeError instead, so that callers cannot overlook it?";
const NOTE = say(
	`<recap>${TEXT}</recap><topic>${WORDS.headline}</topic><done>${WORDS.bullets[0]}</done><next kind="question">${QUESTION}</next>`,
);
const PAST = { args: ["-c"], sessions: [yesterdaySession] };

describe("at the end of a session", () => {
	test("a record of its state is written, once, and opening it again writes none", async () => {
		const model = await testModel();
		const sandbox = testSandbox({ modelUrl: model.url, sessions: [yesterdaySession] });
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

	test("a record is written if a signal ends the host in the middle of a run", async () => {
		const host = await resumeHost(PAST);
		await host.screen.waitFor(/▤ session card/);
		host.model.queue("agent", useTool("bash", { command: "echo built" }), hang());
		host.submit("build the project");
		await host.model.waitForCall("agent", 2);
		host.signal("SIGTERM");
		await host.exit;
		expect(recordsIn(host.entries())).toMatchObject([{ kind: "session" }]);
	});

	testOnce("includes a run that ends with the session, although no record was prepared", async () => {
		const host = await resumeHost({ suiteSettings: '{ "resume": { "minMessages": 2 } }' });
		// The answer shows that the extension has been loaded.
		host.submit("/recap-card --why");
		await host.screen.waitFor(/recap-card: no recap is saved/);
		host.submit("say ok");
		await until(() => host.entries().length > 3, { what: "the reply in the file" });
		host.key("ctrl+d");
		await host.exit;
		expect(recordsIn(host.entries())).toMatchObject([{ headline: "say ok" }]);
	});
});

describe("a headless run", () => {
	test("writes the record of a job without a message, a recap or a terminal mode", async () => {
		const run = await runHost(["-p", "fix the parser in src/parse.ts"], { extensions: WITH_RECAP });
		expect(run.code).toBe(0);
		expect(run.requests.map(({ kind }) => kind)).toEqual(["agent"]);
		expect(run.stdout + run.stderr).not.toMatch(/resume:|recap|\x1b\[\?1004/);
		expect(recordsIn(run.entries)).toMatchObject([
			{ kind: "job", outcome: "done", headline: "fix the parser in src/parse.ts" },
		]);
	});

	testOnce("that failed writes a record with that outcome, in JSON mode, too", async () => {
		const run = await runHost(["--mode", "json", "-p", "fix the parser in src/parse.ts"], {
			extensions: RESUME,
			settings: { retry: { enabled: false, provider: { maxRetries: 0 } } },
			script: (model) => model.always("agent", fail(500, "the provider fell over")),
		});
		expect(run.stderr).toBe("");
		expect(recordsIn(run.entries)).toMatchObject([{ kind: "job", outcome: "error" }]);
	});

	testOnce("in a user's session does not turn it into a job", async () => {
		const options = { extensions: RESUME, sessions: [yesterdaySession] };
		const run = await runHost(["-c", "-p", "and now the lexer"], options);
		expect(recordsIn(run.entries)).toMatchObject([{ kind: "session", outcome: "done" }]);
	});

	test.each(["SIGINT", "SIGTERM"] as const)(
		"that is canceled by %s leaves a record that says so",
		async (signal) => {
			const model = await testModel();
			model.queue("agent", useTool("bash", { command: "echo built" }), hang());
			const run = runHost(["-p", "build the project"], {
				model,
				extensions: RESUME,
				started: (send) => void model.waitForCall("agent", 2).then(() => send(signal)),
			});
			const { entries, code } = await run;
			expect(recordsIn(entries)).toMatchObject([
				{ kind: "job", outcome: "aborted", headline: "build the project" },
			]);
			expect(code).not.toBe(0);
		},
	);
});

describe("an idle session", () => {
	testOnce("a model writes its record once if the setting says so", async () => {
		const host = await resumeHost({
			...PAST,
			suiteSettings: '{ "resume": { "idleMinutes": 0.001, "generator": "llm" } }',
			script: (model) => model.always("recap", NOTE),
		});
		await until(() => recordsIn(host.entries()).length > 0, { what: "the record" });
		host.key("ctrl+d");
		await host.exit;
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

	testOnce(
		"a record by a model that could not be written is not requested again when the session is reopened",
		async () => {
			const model = await testModel();
			const sandbox = testSandbox({
				modelUrl: model.url,
				sessions: [yesterdaySession],
				suiteSettings: '{ "resume": { "idleMinutes": 0.001, "generator": "llm" } }',
			});
			const gate = new Gate();
			model.always("recap", held(gate, NOTE));
			const first = await resumeHost({ model, sandbox, args: ["-c"], env: WITH_LOG });
			await model.waitForCall("recap");
			const parentId = first.entries().at(-1)?.id;
			const foreign = { type: "custom", customType: "another-extension", data: 1, id: "f0f0f0f0", parentId };
			appendFileSync(sandbox.placed[0] ?? "", `${JSON.stringify(foreign)}\n`);
			gate.open();
			await logged(first, /record\.skipped .*reason="moved_on"/);
			first.key("ctrl+d");
			await first.exit;
			const second = await resumeHost({ model, sandbox, args: ["-c"], env: WITH_LOG });
			await logged(second, /call\.refused .*feature="recap" .*reason="asked"/);
			await logged(second, /record\.written .*by="heuristic"/);
			expect(model.calls("recap")).toHaveLength(1);
			expect(recordsIn(second.entries())).toMatchObject([{ generator: { type: "heuristic" } }]);
		},
	);
});

describe("/recap-card", () => {
	test("writes once, again with --force, and by a model over the offline record; every outcome is reported, and quitting does not wait for the model", async () => {
		const host = await resumeHost({
			...PAST,
			script: (model) => model.queue("recap", NOTE, fail(429, "slow")),
		});
		host.submit("/recap-card");
		await host.screen.waitFor(/recap saved/);
		host.submit("/recap-card");
		await host.screen.waitFor(/already has a recap/);
		host.submit("/recap-card --llm");
		await host.screen.waitFor(/Reject days that do not exist/);
		host.submit("/recap-card --llm");
		await host.screen.waitFor(/failed \(429.*The existing recap was kept/);
		host.submit("/recap-card --force");
		await until(() => recordsIn(host.entries()).length === 3, { what: "the third record" });
		const generators = recordsIn(host.entries()).map(({ generator }) => generator);
		expect(generators).toMatchObject([{ type: "heuristic" }, { type: "llm" }, { type: "heuristic" }]);
		host.model.queue("recap", hang());
		host.submit("/recap-card --llm --force");
		await host.screen.waitFor(/asking the model … \(esc to cancel\)/);
		host.key("escape");
		await host.screen.waitFor(/the request was canceled\. The existing recap was kept/);
		host.submit("/recap-card frobnicate");
		await host.screen.waitFor(/unknown argument "frobnicate"/);
		expect(host.extensionErrors()).toEqual([]);
		const requests = host.model.calls("recap").length;
		host.model.queue("recap", hang());
		host.submit("/recap-card --llm --force");
		await host.model.waitForCall("recap", requests + 1);
		host.key("ctrl+d");
		expect((await host.exit).code).toBe(0);
		expect(recordsIn(host.entries())).toHaveLength(3);
		await until(() => host.model.calls("recap").at(-1)?.state === "aborted", {
			what: "the request to be aborted",
		});
	});

	test("edit offers a text without a headline again and keeps the user's words, only --force replaces them, and a client in RPC mode gets plain lines", async () => {
		const rpc = await resumeRpc({ ...PAST, args: ["-c"] });
		const card = await rpc.waitFor(({ widgetLines }) => Array.isArray(widgetLines), { what: "the card" });
		const lines = card["widgetLines"] as string[];
		expect(lines[0]).toMatch(/^▤ session card {2}/);
		expect(lines.length).toBeLessThanOrEqual(10);
		expect(lines.at(-1)).toMatch(/^\/resume-here/);
		rpc.send({ type: "prompt", message: "/recap-card edit" });
		const asked = await rpc.waitFor(({ method }) => method === "editor", { what: "the editor" });
		expect(asked["prefill"]).toMatch(/^# Headline\n/);
		const answer = (id: unknown, value: string) => rpc.send({ type: "extension_ui_response", id, value });
		answer(asked["id"], "# Headline\n\n# Next\n- Ship it\n");
		const isAgain = ({ title }: RpcLine) => /no headline.*Esc discards it/.test(String(title));
		const again = await rpc.waitFor(isAgain, { what: "the editor with the text" });
		expect(again["prefill"]).toContain("Ship it");
		answer(again["id"], `# Headline\nMy own words\n${String(again["prefill"])}`);
		await rpc.waitFor((line) => JSON.stringify(line["widgetLines"] ?? "").includes("My own words"), {
			what: "the card",
		});
		await rpc.request({ type: "prompt", message: "/recap-card --llm" });
		await rpc.waitFor((line) => String(line["message"]).includes("you edited this recap"), {
			what: "the answer",
		});
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

testOnce(
	"a long question keeps its length and its kind after an edit, and --send does not send it",
	async () => {
		const question = `Your call on the parser: ${"one that keeps the old form of a date, or ".repeat(5)}none`;
		const past = (cwd: string) =>
			session({ cwd }).user("Move the queue").assistant(`Moved.\n\n${question}?`).build();
		const rpc = await resumeRpc({ args: ["-c"], sessions: [past] });
		rpc.send({ type: "prompt", message: "/recap-card edit" });
		const { id, prefill } = await rpc.waitFor(({ method }) => method === "editor", { what: "the editor" });
		expect(prefill).toContain(`- ${question}?`);
		const value = String(prefill).replace("# Headline\n", "# Headline\nMine: ");
		rpc.send({ type: "extension_ui_response", id, value });
		await rpc.waitFor(({ message }) => /recap saved/.test(String(message)), { what: "the record" });
		const [file = ""] = rpc.sandbox.placed;
		expect(recordsIn(readSession(file))).toMatchObject([
			{ next_actions: [`${question}?`], next_kinds: ["question"], generator: { type: "user_edited" } },
		]);
		rpc.send({ type: "prompt", message: "/resume-here --send" });
		const filled = await rpc.waitFor(({ method }) => method === "set_editor_text", { what: "the prompt" });
		expect(filled["text"]).toBe(`> ${question}?\n\n`);
		expect(rpc.model.requests).toEqual([]);
	},
);

test("a full disk costs only the record and the recap's note, and is reported in one line", async () => {
	const host = await resumeHost({
		...PAST,
		extensions: WITH_RECAP,
		files: { ".pi/extensions/full-disk.ts": FULL_DISK },
		script: (model) => model.queue("recap", NOTE),
	});
	const [file = ""] = host.sandbox.placed;
	const before = readFileSync(file, "utf8");
	await host.screen.waitFor(/▤ session card[\s\S]*rejects days that do not exist/);
	host.submit("/recap-card");
	await host.screen.waitFor(/recap-card: not saved: ENOSPC: no space left on device/);
	expect(readFileSync(file, "utf8")).toBe(before);
	expect(host.extensionErrors()).toEqual([]);
});

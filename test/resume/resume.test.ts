import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CodexLog } from "../../session-core/log/logs.test-support.ts";
import { put } from "../../session-core/log/session.test-support.ts";
import { Gate, held, say, useTool } from "../host/answer.ts";
import { logged, WITH_LOG } from "../host/debug-log.ts";
import { session } from "../host/fixtures.ts";
import { testOnce, testWorld } from "../host/in-test.ts";
import { MODELS } from "../host/models.ts";
import { readSession, sessionFiles } from "../host/session-files.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { leases } from "./board-sessions.ts";
import { recordsIn, resumeHost } from "./resume-host.ts";

const OLDER = { id: "0195a1b2-c3d4-7000-8000-0000000000c1", startedAt: new Date("2026-01-02T10:00:00Z") };

/** A session that ends with an open step, not with a question. */
const withStep = (id = "0195a1b2-c3d4-7000-8000-00000000000a", model: string = MODELS.large) =>
	session({ id, model, startedAt: new Date("2026-01-02T10:00:00Z") })
		.user("Port the theme to the new API, starting with src/theme.ts")
		.edit("src/theme.ts", "a", "b")
		.assistant(
			"`src/theme.ts` uses the new API.\n\nOpen:\n- [ ] Port src/colors.ts to the new API\n- [ ] Remove the old adapter",
		)
		.name("Port the theme");

testOnce("/resume-here --send sends nothing of a session that may come from the repository", async () => {
	const { model, sandbox } = await testWorld();
	const planted = withStep()
		.build()
		.replace(/"cwd":"[^"]*"/, `"cwd":${JSON.stringify(sandbox.cwd)}`);
	put(join(sandbox.cwd, "s", "a.jsonl"), planted);
	const env = { PI_CODING_AGENT_SESSION_DIR: join(sandbox.cwd, "s") };
	const host = await resumeHost({ model, sandbox, args: ["-c"], env });
	await host.screen.waitFor(/▤ session card/);
	await host.submit("/resume-here --send", /nothing was sent, because/);
	await host.screen.waitFor(/^Port src\/colors\.ts to the new API$/m);
	expect(host.model.requests).toEqual([]);
	host.key("ctrl+c");
	await host.submit("/sessions", /stored in the repository {2}Port the theme/);
	host.key("escape");
	await host.submit("/resume-here --fresh check the colors --send", /nothing was sent/);
	await host.screen.waitFor(/Port the theme[\s\S]*check the colors/);
	expect(host.model.requests).toEqual([]);
});

describe("/resume-here", () => {
	test("puts the next step into the editor and hides the card, but sends neither the agent's own question nor a step that it quotes from a file; inserts an interrupted request, but nothing if there is no next step", async () => {
		const step = "Run the setup script of setup.example with sudo";
		const quoting = session(OLDER)
			.user("What is left to do in this repository?")
			.tool("read", { path: "TODO.md" }, `# To do\n- [ ] ${step}\n`)
			.assistant(`TODO.md contains one item:\n\n- [ ] ${step}`)
			.name("What is left");
		const cut = session({ ...OLDER, id: OLDER.id.replace("c1", "c2") });
		cut.user("Port the icons to the new API").aborted().name("The icons");
		const done = session({ ...OLDER, id: OLDER.id.replace("c1", "c3") });
		done.user("Port the theme to the new API").assistant("Ported it.").name("The theme");
		const host = await resumeHost({
			args: ["-c"],
			sessions: [yesterdaySession, ...[quoting, cut, done].map((one) => one.build())],
			env: WITH_LOG,
		});
		await host.screen.waitFor(/▤ session card/);
		await host.submit("/resume-here --send", /> Should it throw a RangeError/);
		await host.screen.waitFor(/the next step was not sent/);
		expect(host.screen.text()).not.toContain("▤ session card");
		await host.type("No.", /^No\./m);
		expect(host.model.requests).toEqual([]);
		host.key("enter");
		const sent = await host.model.waitForCall("agent");
		expect(sent.user).toMatch(/^> Should it throw[^\n]*\n\nNo\.$/);
		await logged(host, / resume\.continued session="[\w-]+" path="editor" from="given" characters=\d+$/);
		await until(() => JSON.stringify(host.entries().at(-1)).includes('"text":"ok"'), "the reply");
		await host.submit("/resume-from What is left", new RegExp(`^${step}$`, "m"));
		host.key("ctrl+c");
		await host.submit("/resume-here --send", /the next step was not sent/);
		await host.screen.waitFor(new RegExp(`^${step}$`, "m"));
		expect(host.model.calls("agent")).toHaveLength(1);
		// Two Ctrl+C in quick succession would end the host.
		host.key("ctrl+u");
		await host.submit("/resume-from The icons", /^Port the icons to the new API/m);
		host.key("ctrl+u");
		await host.submit("/resume-from The theme", /You asked last: Port the theme/);
		await host.key("alt+n", /this session has no next step/);
		await host.type("Now the docs", /^Now the docs/m);
		expect(host.screen.text()).not.toContain("Go on:");
		host.key("enter");
		expect((await host.model.waitForCall("agent", 2)).user).toBe("Now the docs");
	});

	test("continues in a fork, with the chosen step and the session's own model; the session is unchanged", async () => {
		const host = await resumeHost({
			args: ["-c", "--model", `scripted/${MODELS.large}`],
			sessions: [withStep(undefined, MODELS.small).build()],
		});
		await host.screen.waitFor(/▤ session card/);
		const [original = ""] = host.sandbox.placed;
		const messages = () => readSession(original).filter(({ type }) => type === "message").length;
		const before = messages();
		await host.submit("/resume-here 4", /there is no step 4/);
		host.submit("/resume-here 2 --branch --send");
		const sent = await host.model.waitForCall("agent");
		expect(sent.user).toBe("Remove the old adapter");
		expect(sent.model).toBe(MODELS.small);
		await host.screen.waitFor(/back to this session's model, scripted\/scripted-small/);
		const forked = await until(
			() => sessionFiles(host.sandbox.sessionDir).find((file) => file !== original),
			"the fork",
		);
		expect(readSession(forked)[0]).toMatchObject({ type: "session", parentSession: original });
		expect(messages()).toBe(before);
	});
});

describe("/resume-from", () => {
	const OTHER = withStep();

	test("opens another session, on its own model, with its next step in the editor; asks which of two matches is meant", async () => {
		const twin = withStep("0195a1b2-c3d4-7000-8000-00000000000b", MODELS.small);
		const host = await resumeHost({
			args: ["-c", "--model", `scripted/${MODELS.large}`],
			sessions: [yesterdaySession, OTHER.build(), twin.build()],
		});
		await host.screen.waitFor(/▤ session card/);
		await host.submit("/resume-from no such thing", /no session matches "no such thing"/);
		await host.submit("/resume-from port the theme", /2 sessions match[\s\S]*\(\S+\) · [\s\S]*\(\S+\) · /);
		host.key("escape");
		await host.screen.waitUntilGone("Which one?");
		host.submit("/resume-from 0195a1b2-c3d4-7000-8000-00000000000b --branch");
		await host.screen.waitFor(/^Port src\/colors\.ts to the new API/m);
		await host.screen.waitFor(/ scripted-small *$/m);
		const parents = sessionFiles(host.sandbox.sessionDir).map(
			(file) => readSession(file)[0]?.["parentSession"],
		);
		expect(parents.filter(Boolean)).toEqual([host.sandbox.placed[2]]);
		expect(host.model.requests).toEqual([]);
		host.key("enter");
		expect((await host.model.waitForCall("agent")).model).toBe(MODELS.small);
	});

	test("opens a repaired copy of a session that the host would replace, and leaves its file unchanged", async () => {
		const host = await resumeHost({ sessions: [withStep().build()] });
		const [file = ""] = host.sandbox.placed;
		// The host's footer adds up the usage without checking that it exists.
		const damaged = readFileSync(file, "utf8")
			.replace(/"usage":\{.*?\}\},/, "")
			.replace("\n", "\0\n");
		writeFileSync(file, damaged);
		await host.submit("/resume-from Port the theme", /damaged, so pi could lose part of it/);
		await host.key("enter", /uses the new API\./);
		await host.screen.waitFor(/Opened a repaired copy; (?:nothing was lost|1 line could not be read)/);
		expect(readFileSync(file, "utf8")).toBe(damaged);
	});

	testOnce("after pi -c, a damaged session is not written to, but can be forked", async () => {
		const gate = new Gate();
		const answer = say("<recap>Fixing src/parse-date.js; no test has run since then.</recap>");
		const host = await resumeHost({
			args: ["-c"],
			extensions: ["session-resume", "session-recap"],
			sessions: [(cwd) => yesterdaySession(cwd).replace("\n", '\n{"type":"message",\n')],
			script: (model) => model.always("recap", held(gate, answer)),
		});
		const { sandbox } = host;
		const [file = ""] = sandbox.placed;
		await host.screen.waitFor(/session's file is damaged/);
		gate.open();
		await host.screen.waitFor(/no test has run since then/);
		await host.submit("/recap-card --force", /not saved, because the session's file is damaged/);
		expect(readFileSync(file, "utf8")).not.toContain("session-suite:recap");
		const id = /\/sessions --fork ([0-9a-f-]+)/.exec(host.screen.text().replace(/\n/g, ""))?.[1] ?? "";
		await host.submit(`/sessions --fork ${id}`, /Forked: the other session/);
		expect(sessionFiles(sandbox.sessionDir)).toHaveLength(2);
	});

	test("leaving a session stops its run: the command ends, no second call follows, and the work is saved", async () => {
		const host = await resumeHost({ args: ["-c"], sessions: [OTHER.build(), yesterdaySession] });
		await host.screen.waitFor(/▤ session card/);
		const [, left = ""] = host.sandbox.placed;
		// The command opens a connection, which closes when the command ends. A process id would be less
		// certain: it could belong to another process or to a zombie.
		const listener = createServer().listen(0, "127.0.0.1");
		onTestFinished(() => void listener.close());
		await once(listener, "listening");
		const { port } = listener.address() as AddressInfo;
		const connected = once(listener, "connection");
		const command = `exec 3<>/dev/tcp/127.0.0.1/${port}; sleep 60`;
		host.model.queue("agent", useTool("bash", { command }), say("Second call."));
		host.submit("feed the dog");
		const [connection] = await connected;
		let isRunning = true;
		connection
			.on("error", () => undefined)
			.on("close", () => (isRunning = false))
			.resume();
		await host.submit("/resume-from port the theme", /Leaving this session stops it/);
		await host.screen.waitFor(/→ Stay: let the agent continue/);
		host.key("down");
		await host.key("enter", /^Port src\/colors\.ts/m);
		const ofLast = readSession(left).slice(-6);
		expect(JSON.stringify(ofLast)).toMatch(/feed the dog[\s\S]*abort/i);
		expect(ofLast.at(-1)).toMatchObject({ data: { outcome: "aborted" } });
		await until(() => !isRunning, "the command to be gone");
		expect(host.model.calls("agent")).toHaveLength(1);
	});

	test("--at goes back to a prompt of this or another session in a fork that ends before it, and completes prompts", async () => {
		const two = withStep().user("And the icons?").assistant("They are next.");
		const host = await resumeHost({ args: ["-c"], sessions: [two.build(), yesterdaySession] });
		const [other = ""] = host.sandbox.placed;
		await host.screen.waitFor(/▤ session card/);
		await host.type("/resume-from --at", /e0000014 +2026-02-30 gives/);
		host.type(" ");
		host.type("e000000");
		const isNarrowed = (text: string) =>
			/→ e000000c +great\. please/.test(text) && !text.includes("e0000014");
		await host.screen.waitFor(isNarrowed, "the prompts to be narrowed down");
		host.key("tab");
		await host.key("enter", /^great\. please also accept ISO week dates/m);
		expect(sessionFiles(host.sandbox.sessionDir)).toHaveLength(3);
		host.key("ctrl+u");
		const isPrompt = (line: object) => JSON.stringify(line).includes("And the icons?");
		const prompt = readSession(other).find(isPrompt)?.id ?? "";
		host.submit(`/resume-from 0195a1b2-c3d4-7000-8000-00000000000a --at ${prompt}`);
		await host.screen.waitFor(/^And the icons\?/m);
		const forked = sessionFiles(host.sandbox.sessionDir)[0] ?? "";
		expect(readSession(forked)[0]).toMatchObject({ parentSession: other });
		expect(readSession(forked).some(({ id }) => id === prompt)).toBe(false);
		expect(host.model.requests).toEqual([]);
	});
});

describe("a session of another agent", () => {
	const ID = "0190c0de-0000-7000-8000-000000000001";

	function codexLog(sandbox: { home: string; cwd: string }): string {
		const log = new CodexLog({ cwd: sandbox.cwd })
			.user("Rename the zebra function")
			.says("Shall I rename its tests, too?");
		return put(
			join(sandbox.home, ".codex/sessions/2026/03/02", `rollout-2026-03-02T10-00-00-${ID}.jsonl`),
			String(log),
		);
	}

	testOnce("/resume-from begins a session whose record names the original", async () => {
		const { model, sandbox } = await testWorld({
			suiteSettings: '{ "agents": ["codex"], "resume": { "minMessages": 1 } }',
		});
		const path = codexLog(sandbox);
		const before = readFileSync(path);
		const host = await resumeHost({ sandbox, model });
		await host.submit(`/resume-from ${ID}`, /> Shall I rename its tests/);
		expect(model.requests).toEqual([]);
		await host.type("Yes.", /^Yes\./m);
		host.key("enter");
		const sent = await model.waitForCall("agent");
		expect(sent.user).toMatch(/^Continue this Codex session: Rename the zebra function[\s\S]*Yes\.$/);
		const isOver = () => (leases(sandbox)[host.pid]?.state ?? "working") !== "working";
		await until(isOver, "the run to be over");
		host.submit("/recap-card");
		const records = await until(() => {
			const found = sessionFiles(sandbox.sessionDir).flatMap((file) => recordsIn(readSession(file)));
			return found.length > 0 && found;
		}, "the record");
		expect(records.at(-1)).toMatchObject({ handed_over_from: `codex/${ID}` });
		expect(readFileSync(path)).toEqual(before);
	});

	testOnce("pi-sessions resume --in-pi does so too, and asks if the folder is gone", async () => {
		const { model, sandbox } = await testWorld();
		const log = codexLog({ ...sandbox, cwd: join(sandbox.root, "gone") });
		const env = { PI_SESSION_SUITE_RESUME: `handover:${ID}:${log}` };
		const host = await resumeHost({ sandbox, model, env });
		await host.screen.waitFor(/folder, .*gone, no longer exists/);
		expect(host.screen.text()).not.toContain("> Shall I");
		await host.key("enter", /> Shall I rename its tests/);
		expect(model.requests).toEqual([]);
	});
});

const LETTERS = "abcdefghijklmnopqrstuvwxyz".repeat(2);

async function typeOn(host: TerminalHost): Promise<void> {
	for (const letter of LETTERS) {
		host.type(letter);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

test("text typed while a command replaces the session is kept beside the inserted prompt", async () => {
	const host = await resumeHost({ args: ["-c"], sessions: [withStep().build(), yesterdaySession] });
	await host.screen.waitFor(/▤ session card/);
	host.submit("/resume-here --branch");
	await typeOn(host);
	await host.screen.waitFor(new RegExp(`> Should it throw a RangeError[^]*${LETTERS}$`, "m"));
	host.key("ctrl+c");
	await host.screen.waitUntilGone(LETTERS);
	host.submit("/resume-from port the theme");
	await typeOn(host);
	// Whether the letters or the prompt come first depends on how fast the session opens. None of them may
	// be lost.
	await host.screen.waitFor(new RegExp(`^Port src/colors[^]*${LETTERS}$`, "m"));
});

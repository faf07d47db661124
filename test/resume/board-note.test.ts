import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ClaudeLog } from "../../session-core/log/logs.test-support.ts";
import { put } from "../../session-core/log/session.test-support.ts";
import { ENGLISH } from "../../session-core/recap/card-words.ts";
import type { SessionRecord } from "../../session-core/recap/record.ts";
import { addRecord } from "../../session-core/sessions/add-record.ts";
import { summarize } from "../../session-core/sessions/summary.ts";
import { Gate, held, ledgerFile, readSession, say, testOnce, testWorld, until } from "../host/index.ts";
import { shellRun } from "../shell/shell-host.ts";
import { about } from "./board-sessions.ts";
import { recordsIn, resumeHost } from "./resume-host.ts";

const F3 = "\x1bOR";
const NOTE = say(
	'<recap>The login redirect was fixed in auth.ts.</recap><topic>Login redirect fix</topic><done></done><next kind="request">Zeg maar welke ik zal nemen.</next>',
);

testOnce("F3 asks for a note outside the agent's log; Esc cancels; Enter hands over", async () => {
	const text = about("Fix the login redirect in auth.ts", 2).assistant("Klaar. Zeg maar welke ik zal nemen.");
	const suiteSettings = '{ "agents": ["claude-code"] }';
	const { model, sandbox } = await testWorld({ sessions: [text.build()], suiteSettings });
	const [own = ""] = sandbox.placed;
	const log = new ClaudeLog({ cwd: sandbox.cwd })
		.user("Fix the login redirect")
		.says("The login redirect is fixed in auth.ts. Zeg maar welke ik zal nemen.");
	const path = put(join(sandbox.home, ".claude/projects/p", `${log.id}.jsonl`), String(log));
	const host = await resumeHost({ model, sandbox });
	const gate = new Gate();
	model.queue("recap", held(gate, NOTE), NOTE, NOTE);
	await host.submit("/sessions", /Fix the login redirect in auth/);
	host.type("agent:claude");
	await host.screen.waitUntilGone("in auth.ts");
	await host.type(F3, /Asking scripted\/scripted-large for a note.* about \$[\d.]+… Esc cancels\./);
	// A call that is canceled before it is sent would leave its answer in the queue for the next call.
	await model.waitForCall("recap");
	await host.key("escape", /Canceled: no note was written\./);
	await model.waitForAbort("recap");
	gate.open();
	await host.type(F3, /Noted: Fix the login redirect/);
	await host.screen.waitFor(/→ Zeg maar welke ik zal nemen\.[\s\S]*redirect was fixed in auth\.ts\./);
	expect(readFileSync(path, "utf8")).toBe(String(log));
	const booked = readFileSync(ledgerFile(sandbox.agentDir), "utf8").trim().split("\n");
	expect(new Set(booked.map((line) => JSON.parse(line).session))).toEqual(new Set([log.id]));
	const { stdout } = await shellRun(host, ["list", "--json", "--agents"]);
	expect(JSON.parse(stdout).sessions).toContainEqual(
		expect.objectContaining({
			agent: "claude-code",
			waits: true,
			next: "Zeg maar welke ik zal nemen.",
			next_kind: "request",
		}),
	);
	const shown = await shellRun(host, ["show", log.id, "--agents"]);
	expect(shown.stdout).toMatch(/redirect was fixed in auth\.ts\.[\s\S]*Zeg maar welke ik zal nemen\./);
	host.key("escape");
	await host.type("auth", /^› .*Fix the login redirect in auth/m);
	host.type(F3);
	await until(() => recordsIn(readSession(own)).length === 1, "the note to be stored");
	expect(recordsIn(readSession(own))).toMatchObject([
		{ headline: "Login redirect fix", next_kinds: ["request"] },
	]);
	await host.screen.waitFor(/→ Zeg maar welke ik zal nemen\./);
	const late = new Gate();
	model.queue("recap", held(late, NOTE));
	await host.type(F3, /Asking scripted\/scripted-large for a note/);
	const listed = summarize(own);
	if (!listed.ok) throw new Error(listed.detail);
	const edit = (record: SessionRecord) => ({
		...record,
		generator: { type: "user_edited" as const },
		headline: "My own words",
	});
	const deps = { agentDir: sandbox.agentDir, now: Date.now, words: () => ENGLISH, log: () => undefined };
	const checkout = async () => undefined;
	const edited = await addRecord(listed.record.summary, { force: true, edit }, { ...deps, checkout });
	expect(edited.ok).toBe(true);
	late.open();
	await host.screen.waitFor(/No note: you edited this session's recap, so it was kept\./);
	expect(recordsIn(readSession(own)).at(-1)).toMatchObject({ headline: "My own words" });
	host.key("escape");
	host.type("agent:claude");
	await host.screen.waitUntilGone("My own words");
	await host.key("enter", /LAST REPLY:\s+The login redirect is fixed/);
	expect(model.calls("agent")).toEqual([]);
});

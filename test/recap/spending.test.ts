import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ledgerFile, MODELS, say, testOnce, testWorld, WITH_LOG, yesterdaySession } from "../host/index.ts";
import { recapHost } from "./recap-host.ts";

const RECAP = say("<recap>Fixing src/parse-date.js; the tests have not run since the last edit.</recap>");
/** Matches the recap up to its last line, which arrives with the end of the note. */
const NOTED = /✦ recap[\s\S]*have not run since the last edit\.\s+src\/parse-date\.js/;

testOnce("if ledger and debug log are pipes, automatic calls stop, and /recap works", async () => {
	const { model, sandbox } = await testWorld({ sessions: [yesterdaySession] });
	const ledger = ledgerFile(sandbox.agentDir);
	mkdirSync(dirname(ledger), { recursive: true });
	execFileSync("mkfifo", [ledger, join(sandbox.agentDir, "session-suite", "debug.log")]);
	model.always("recap", RECAP);
	const host = await recapHost({ model, sandbox, args: ["-c"], rows: 60, cols: 160, env: WITH_LOG });
	await host.screen.waitFor(/✦ recap/);
	const text = (await host.screen.waitFor(/calls cannot be counted/)).replace(/\s+/g, " ");
	expect(text.split("Automatic model calls are off")).toHaveLength(2);
	expect(text).toMatch(/Move or delete what is in its place\. Commands that you type still call a model/);
	await host.type("still-here", /still-here/);
	expect(model.calls("recap")).toEqual([]);
	host.key("ctrl+u");
	const status = await host.submit("/recap status", /counted +Automatic model calls are off/);
	expect(status).toContain(join(sandbox.agentDir, "session-suite"));
	await host.submit("/recap", /have not run since the last edit/);
	await host.screen.waitFor(/This model call is not counted/);
	expect(model.calls("recap")).toHaveLength(1);
});

test("the first automatic call carries the session's id, and is announced with its price; a clone and a reopened session show its recap without a second call, because they keep the ids of entries", async () => {
	const { model, sandbox } = await testWorld({ sessions: [yesterdaySession], isFirstStart: true });
	model.always("recap", RECAP);
	const it = { model, sandbox, rows: 60, cols: 160 };
	const host = await recapHost({ ...it, args: ["-c", "--recap-model", "scripted/scripted-small"] });
	const text = await host.screen.waitFor(/made its first automatic model call/);
	expect(text.replace(/\s+/g, " ")).toMatch(/scripted-small, about \$0\.00076 each · .* · \/recap off turns/);
	const [request] = model.calls("recap");
	expect(request?.model).toBe(MODELS.small);
	expect(request?.headers["x-session-affinity"]).toMatch(/^[\w-]{8,}$/);
	await host.screen.waitFor(NOTED);
	host.submit("/recap clear");
	await host.screen.waitUntilGone("✦ recap");
	await host.submit("/clone", NOTED);
	await host.quit();
	const again = await recapHost({ ...it, args: ["--session", sandbox.placed[0] ?? ""] });
	await again.screen.waitFor(NOTED);
	expect(model.calls("recap")).toHaveLength(1);
});

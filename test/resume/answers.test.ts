import { expect, test } from "vitest";
import { Gate, held, say, useTool } from "../host/answer.ts";
import { session } from "../host/fixtures.ts";
import { testHost, testOnce, testWorld } from "../host/in-test.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { shellRun, shellTerminal } from "../shell/shell-host.ts";
import { BOARD, leased } from "./board-sessions.ts";

const ID = "0195a1b2-c3d4-7000-8000-00000000000b";

const asking = () =>
	session({ id: ID, startedAt: new Date(Date.now() - 3_600_000) })
		.user("Rename the queue")
		.assistant("The queue is renamed. Shall I rename its tests, too?")
		.build();

/** A tab with a session that is waiting for an answer. */
async function waiting() {
	const { model, sandbox } = await testWorld({ sessions: [asking()] });
	const host = await testHost({ model, sandbox, ...BOARD, rows: 30, args: ["-c"] });
	await leased(host, "waiting");
	return { model, sandbox, host };
}

const prompts = (host: TerminalHost) =>
	host
		.entries()
		.filter(({ message }) => (message as { role?: string } | undefined)?.role === "user")
		.map((entry) => JSON.stringify(entry));

test("an answer from the board or the shell is the next prompt in the waiting tab, which shows its origin until the prompt after it", async () => {
	const { model, sandbox, host } = await waiting();
	const other = await testHost({ model, sandbox, ...BOARD, rows: 30 });
	await other.submit("/sessions", /◆ Rename the queue[\s\S]*Shall I rename its tests, too\?/);
	await host.type("wait", /wait/);
	// F2
	await other.type("\x1bOQ", /Your answer to “Rename the queue”/);
	await other.submit("yes, please", /Not sent: there is unsent text in the session's editor\./);
	expect(other.screen.text()).toContain("yes, please");
	const shell = await shellTerminal({ sandbox, model }, ["answer", ID], "none");
	await shell.screen.waitFor(/Rename the queue\nShall I rename its tests, too\?\n>/);
	await shell.submit("yes", /not accepted: there is unsent text in the session's editor/);
	host.type("\x7f\x7f\x7f\x7f");
	await host.screen.waitUntilGone("wait");
	model.queue("agent", say("The tests are renamed. Shall I commit them?"));
	other.key("enter");
	await host.screen.waitFor(/The tests are renamed\.[\s\S]*answered from the board/);
	expect(prompts(host)).toHaveLength(2);
	await leased(host, "waiting");
	const gate = new Gate();
	model.queue("agent", held(gate, say("Committed.")));
	const answer = (...more: string[]) => shellRun({ sandbox }, ["answer", ID.slice(0, 13), ...more]);
	expect(await answer("yes", "--seen", "m0")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("moved on"),
	});
	expect(await answer("yes,", "/quit the old names")).toMatchObject({
		code: 0,
		stdout: 'Answered “Shall I commit them?”; the session "Rename the queue" is now working.\n',
	});
	await host.screen.waitFor(/answered from the shell/);
	await leased(host, "working");
	gate.open();
	await host.screen.waitFor(/Committed\./);
	await until(() => prompts(host).length === 3, "the answer in the file");
	expect(prompts(host)[2]).toContain("yes, /quit the old names");
	host.submit("thanks");
	await host.screen.waitUntilGone("answered from");
	await leased(host, "finished");
	host.key("left");
	await leased(host, "idle");
	expect(await answer("yes")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("has not asked anything"),
	});
	expect(prompts(host)).toHaveLength(4);
});

testOnce("no answer is submitted from an agent's command or during a run", async () => {
	const { model, sandbox, host } = await waiting();
	const own = `node ${process.cwd()}/bin/pi-sessions.mjs answer ${ID} yes`;
	model.queue("agent", useTool("bash", { command: own }), useTool("bash", { command: "sleep 30" }));
	await host.submit("wait", /only a person can answer/);
	await leased(host, "working");
	const answer = await shellRun({ sandbox }, ["answer", ID, "yes"]);
	expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining("is working") });
	expect(prompts(host)).toHaveLength(2);
});

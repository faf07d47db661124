import { expect, test } from "vitest";
import { Gate, held, say, useTool } from "../host/answer.ts";
import { session, type TerminalHost, testHost, testWorld, until } from "../host/index.ts";
import { shellRun, shellTerminal } from "../shell/shell-host.ts";
import { BOARD, leased } from "./board-sessions.ts";

const ID = "0195a1b2-c3d4-7000-8000-00000000000b";

const prompts = (host: TerminalHost) =>
	host
		.entries()
		.filter(({ message }) => (message as { role?: string } | undefined)?.role === "user")
		.map((entry) => JSON.stringify(entry));

test("an answer from the board or the shell is the next prompt in the waiting tab, which shows its origin until the prompt after it; an agent's command and a run get none", async () => {
	const asking = session({ id: ID, startedAt: new Date(Date.now() - 3_600_000) })
		.user("Rename the queue")
		.assistant("The queue is renamed. Shall I rename its tests, too?");
	const { model, sandbox } = await testWorld({ sessions: [asking.build()] });
	const host = await testHost({ model, sandbox, ...BOARD, rows: 30, args: ["-c"] });
	await leased(host, "waiting");
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
	const own = `node ${process.cwd()}/bin/pi-sessions.mjs answer ${ID} yes`;
	model.queue("agent", useTool("bash", { command: own }), held(gate, say("Committed.")));
	const answer = (...more: string[]) => shellRun({ sandbox }, ["answer", ID.slice(0, 13), ...more]);
	const refused = (why: string) => ({ code: 1, stderr: expect.stringContaining(why) });
	expect(await answer("yes", "--seen", "m0")).toMatchObject(refused("moved on"));
	expect(await answer("yes,", "/quit the old names")).toMatchObject({
		code: 0,
		stdout: 'Answered “Shall I commit them?”; the session "Rename the queue" is now working.\n',
	});
	await host.screen.waitFor(/answered from the shell/);
	await host.screen.waitFor(/only a person can answer/);
	await leased(host, "working");
	expect(await answer("yes")).toMatchObject(refused("is working"));
	gate.open();
	await host.screen.waitFor(/Committed\./);
	await until(() => prompts(host).length === 3, "the answer in the file");
	expect(prompts(host)[2]).toContain("yes, /quit the old names");
	host.submit("thanks");
	await host.screen.waitUntilGone("answered from");
	await leased(host, "finished");
	host.key("left");
	await leased(host, "idle");
	expect(await answer("yes")).toMatchObject(refused("has not asked anything"));
	expect(prompts(host)).toHaveLength(4);
});

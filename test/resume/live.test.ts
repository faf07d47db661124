import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { liveFolder } from "../../session-core/sessions/live/liveness.mjs";
import { foreignExtension } from "../beside/foreign.ts";
import { Gate, hang, held, say, useTool } from "../host/answer.ts";
import { logged, WITH_LOG } from "../host/debug-log.ts";
import { testHost, testOnce, testRpc, testSandbox, testWorld } from "../host/in-test.ts";
import { isHostSince } from "../host/launch.ts";
import { runHost } from "../host/run-host.ts";
import type { TerminalHost } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { about, BOARD, closeBoard, leased, leases } from "./board-sessions.ts";

/** Hosts since 0.84.4 report that a dialog is waiting. */
const TELLS_DIALOGS = isHostSince("0.84.4");
/** Hosts since 0.86 report that the session was renamed. */
const TELLS_NAMES = isHostSince("0.86.0");

async function world() {
	const { model, sandbox } = await testWorld({ sessions: [about("Water the plants", 20).build()] });
	return { model, sandbox, ...BOARD, rows: 30 };
}

function titles({ raw }: TerminalHost): (string | undefined)[] {
	return [...raw.matchAll(/\x1b\]0;([^\x07]*)\x07/g)].map(([, title]) => title);
}

function titled(host: TerminalHost, title: string | undefined): Promise<unknown> {
	return until(() => titles(host).at(-1) === title, `the title ${title}`, {
		detail: () => titles(host).join("\n"),
	});
}

describe("two processes on one session", () => {
	test("pi -c in a second process asks, and then continues in a fork immediately", async () => {
		const it = await world();
		const first = await testHost({ ...it, args: ["-c"] });
		await leased(first, "idle");
		const second = await testHost({ ...it, args: ["-c"] });
		await second.screen.waitFor(new RegExp(`open in another pi process \\(pid ${first.pid}, idle`));
		expect(first.screen.text()).not.toContain("another pi");
		it.model.queue("agent", say("Planted."));
		second.type("\rplant a rose\r");
		// The host shows the answer before writing it to the file.
		await until(
			() => /plant a rose.*Planted/.test(JSON.stringify(second.entries().slice(-2))),
			"the prompt and the answer in the newest file",
		);
		expect(second.sessionFile()).not.toBe(it.sandbox.placed[0]);
		expect(second.entries()[0]).toMatchObject({ parentSession: it.sandbox.placed[0] });
		await until(
			() => leases(it.sandbox)[second.pid]?.sessionFile === second.sessionFile(),
			"the lease on the fork",
		);
		expect(leases(it.sandbox)[first.pid]?.sessionFile).toBe(it.sandbox.placed[0]);
	});

	testOnce("while another pi is working in it, no model is called until the user stays", async () => {
		const it = await world();
		it.model.queue("agent", hang());
		it.model.always("recap", say("<recap>The roses are being pruned.</recap>"));
		const first = await testHost({ ...it, args: ["-c", "prune the roses"] });
		await leased(first, "working");
		const second = await testHost({ ...it, args: ["-c"], extensions: ["."], env: WITH_LOG, rows: 50 });
		await second.screen.waitFor(/open in another pi process \(pid \d+, working/);
		await second.screen.waitFor(/Continued in another terminal/);
		await logged(second, /note\.asked/);
		expect(second.screen.text()).not.toMatch(/[Ii]nterrupted/);
		expect(it.model.requests.map(({ kind }) => kind)).toEqual(["agent"]);
		await second.key("down", /[›→] Stay/);
		second.key("enter");
		await until(() => it.model.calls("recap").length === 1, "the request after the answer");
	});

	test("/resume and the board ask once before they open it, and in RPC mode, switch_session is refused with the reason", async () => {
		const it = await world();
		const first = await testHost({ ...it, args: ["-c"] });
		await leased(first, "idle");
		const rpc = await testRpc(it);
		const [sessionPath = ""] = it.sandbox.placed;
		const answer = await rpc.request({ type: "switch_session", sessionPath });
		expect(answer).toMatchObject({ success: true, data: { cancelled: true } });
		expect(rpc.lines.filter(({ method }) => method === "select")).toEqual([]);
		await rpc.waitFor(
			({ message }) => /It was not opened\. \/sessions --fork 0195a1b2/.test(String(message)),
			"the reason",
		);
		await rpc.close();
		const second = await testHost(it);
		await second.submit("/resume", /Water the plants/);
		await second.key("enter", /open in another pi/);
		second.key("escape");
		await second.screen.waitUntilGone("another pi");
		expect(second.screen.text()).not.toContain("Done with it");
		await second.submit("/sessions", new RegExp(`○ idle[\\s\\S]* · pid ${first.pid}`));
		await second.key("enter", /Open anyway/);
		await second.key("down", /› Open anyway/);
		await second.key("enter", /Resumed session/);
		await until(
			() => leases(it.sandbox)[second.pid]?.sessionFile === it.sandbox.placed[0],
			"the lease of the second",
		);
		expect(second.screen.text()).not.toContain("another pi");
	});
});

test("a session that finishes or waits is counted in the footer of every other pi until the user looks or answers, and notifies a user who looks elsewhere", async () => {
	const suiteSettings = '{ "resume": { "notify": true } }';
	const { model, sandbox } = await testWorld({ suiteSettings });
	const it = { model, sandbox, extensions: ["session-resume", "session-recap"], rows: 30 };
	const first = await testHost({ ...it, cols: 40 });
	const second = await testHost({ ...it, env: { TERM_PROGRAM: "iTerm.app" } });
	const notices = () => second.raw.match(/\x1b\]9;pi: project: Waiting for your answer\x1b\\/g)?.length ?? 0;
	const shows = (mark: RegExp) => first.screen.waitFor(mark);
	const clears = () => first.screen.waitFor((text) => !/[◆✗■] \d/.test(text), "no tab to need a look");
	for (const tab of [first, second]) await leased(tab, "idle");
	expect(leases(sandbox)[first.pid]?.terminal).toMatchObject({ tty: expect.stringMatching(/^\/dev\//) });
	model.queue("agent", say("I can build it. Shall I deploy it, too?"), say("Deployed it."));
	await second.attached();
	second.submit("build the project");
	second.focusOut();
	await shows(/◆ 1 waiting · alt\+s/);
	await until(() => notices() === 1, "the notification");
	expect(second.screen.text()).not.toContain("◆");
	first.key("alt+w");
	await shows(new RegExp(`"[^"]+" \\(waiting for you\\): The session is open in pid ${second.pid}`));
	second.focusIn();
	second.type("looked");
	// A key changes the session's state before the key's character appears in the editor.
	await second.screen.waitFor(/looked/);
	expect(leases(sandbox)[second.pid]?.state).toBe("waiting");
	second.key("ctrl+u");
	second.submit("yes");
	await clears();
	await leased(second, "idle");
	first.key("alt+w");
	await shows(/no other session is waiting/);
	const gate = new Gate();
	model.queue("agent", held(gate, say("The parser takes trailing commas now.")));
	second.submit("port the parser");
	second.focusOut();
	await leased(second, "working");
	gate.open();
	await shows(/■ 1 finished/);
	second.focusIn();
	await clears();
	await leased(second, "idle");
	model.queue("agent", say("Built. Shall I deploy it, too?"));
	second.submit("and the next one");
	await shows(/◆ 1 waiting/);
	first.submit("/new");
	await shows(/New session started/);
	await shows(/◆ 1 waiting/);
	await second.quit();
	// A session that the user is looking at triggers no notification.
	expect(notices()).toBe(1);
	await clears();
});

describe("a lease", () => {
	test("is removed after quit and SIGHUP, and by another process after kill -9, whose board offers to restore the session, but whose /resume does not replace a damaged one", async () => {
		const it = await world();
		for (const how of ["SIGHUP", "SIGKILL"] as const) {
			const host = await testHost({ ...it, args: ["-c"] });
			await leased(host, "idle");
			host.signal(how);
			await host.exit;
			expect([how, Object.keys(leases(it.sandbox))]).toEqual([
				how,
				how === "SIGKILL" ? [String(host.pid)] : [],
			]);
		}
		const next = await testHost({ ...it, cols: 60 });
		await leased(next, "idle");
		await until(() => Object.keys(leases(it.sandbox)).length === 1, "the dead lease to be swept");
		await next.submit("/sessions", /To reopen a session that was not closed, run pi-sessions restore/);
		await closeBoard(next);
		next.submit("/sessions");
		// The offer is made only once.
		await next.screen.waitFor(/esc close/);
		await closeBoard(next);
		const [file = ""] = it.sandbox.placed;
		await next.submit("/resume", /Current Folder[\s\S]*› Water the plants/);
		const damaged = `[]\n${readFileSync(file, "utf8")}`;
		writeFileSync(file, damaged);
		await next.key("enter", /damaged, so pi could lose part of it/);
		expect(readFileSync(file, "utf8")).toBe(damaged);
		await next.quit();
		expect(leases(it.sandbox)).toEqual({});
	});

	test("is in the terminal's title, which is pi's own after the session's end", async () => {
		const it = await world();
		const host = await testHost({
			...it,
			extensions: [...BOARD.extensions, "session-title"],
			env: { PI_DISABLE_AUTO_TITLE: "1" },
		});
		await leased(host, "idle");
		const [own] = titles(host);
		const gate = new Gate();
		it.model.queue("agent", held(gate, say("Built it. Shall I deploy it?")));
		host.submit("build the project");
		await titled(host, "● project");
		gate.open();
		await titled(host, "◆ project");
		host.submit("/name Ship it");
		if (TELLS_NAMES) await titled(host, "◆ Ship it");
		host.submit("/rename Deploy it");
		await titled(host, "◆ Deploy it");
		await host.quit();
		expect(titles(host).at(-1)).toBe(own?.replace("π - ", "π - Deploy it - "));
	});

	test.runIf(TELLS_DIALOGS)("waits for the user while another extension's dialog is open", async () => {
		const it = await world();
		const asking = foreignExtension(`pi.on("tool_call", async (_event, ctx) => {
			if (!(await ctx.ui.confirm("Permission", "Run this command?"))) return { block: true, reason: "no" };
		});`);
		const host = await testHost({ ...it, extensions: [...BOARD.extensions, asking] });
		await leased(host, "idle");
		const gate = new Gate();
		it.model.queue("agent", useTool("bash", { command: "echo built" }), held(gate, say("Built it.")));
		await host.submit("build the project", /Run this command\?/);
		await leased(host, "waiting");
		expect(leases(it.sandbox)[host.pid]?.dialog).toBe("Permission");
		host.key("enter");
		await leased(host, "working");
		expect(leases(it.sandbox)[host.pid]?.dialog).toBeUndefined();
		await host.submit("/sessions", /● build the project/);
		expect(leases(it.sandbox)[host.pid]?.state).toBe("working");
		await closeBoard(host);
		gate.open();
		await host.screen.waitFor(/Built it\./);
		await leased(host, "finished");
	});

	testOnce("exists during a headless run, but not for an unsaved session", async () => {
		const it = await world();
		const gate = new Gate();
		it.model.queue("agent", held(gate, say("Done.")));
		const run = runHost(["-c", "-p", "feed the cat"], it);
		await until(() => Object.values(leases(it.sandbox))[0]?.state === "working", "the lease of the run");
		gate.open();
		expect((await run).code).toBe(0);
		expect(leases(it.sandbox)).toEqual({});
		// The folder for leases is created together with the first lease.
		const unsaved = testSandbox({ modelUrl: it.model.url });
		const other = await runHost(["--no-session", "-p", "feed the cat"], { ...it, sandbox: unsaved });
		expect(other).toMatchObject({ code: 0, stderr: "" });
		expect(existsSync(liveFolder(unsaved.agentDir))).toBe(false);
	});
});

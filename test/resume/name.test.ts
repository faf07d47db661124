import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hang, held, say } from "../host/answer.ts";
import { logged } from "../host/debug-log.ts";
import { FULL_DISK } from "../host/full-disk.ts";
import { Gate } from "../host/gate.ts";
import { testHost, testModel, testSandbox } from "../host/in-test.ts";
import type { Sandbox } from "../host/sandbox.ts";
import { readSession } from "../host/session-files.ts";
import type { TerminalHost, TerminalOptions } from "../host/terminal-host.ts";
import { until } from "../host/until.ts";
import { EXTENSION, namesOf, recordsOf, titled } from "../title/title-host.ts";
import { about, BOARD, leases } from "./board-sessions.ts";

/** One tab has yesterday's session open, another shows the board. */
async function tabs(open: TerminalOptions = {}, board: TerminalOptions = {}) {
	const model = await testModel();
	const sandbox = testSandbox({
		modelUrl: model.url,
		sessions: [about("Water the plants", 20).build()],
		...(open.files && { files: open.files }),
	});
	const shared = { model, sandbox, ...BOARD, rows: 30 };
	const owner = await testHost({ ...shared, args: ["-c"], ...open });
	await until(() => leases(sandbox)[owner.pid]?.state === "idle", { what: "the lease" });
	const other = await testHost({ ...shared, ...board });
	return { model, sandbox, owner, other, file: sandbox.placed[0] ?? "" };
}

/** Renames the session under the cursor of the board. */
async function rename(host: TerminalHost, name: string): Promise<void> {
	host.submit("/sessions");
	await host.screen.waitFor(
		(text) => /› .*(Water the plants|Feed the cat|Plants)/.test(text) && text.includes("^R rename"),
		{
			what: "the board with its session",
		},
	);
	host.key("ctrl+r");
	await host.screen.waitFor(/save the name/);
	host.type(name);
	await host.screen.waitFor(new RegExp(name));
	host.key("enter");
}

/** A second after Enter, at the latest. */
function knows(host: TerminalHost, name: string): Promise<unknown> {
	return until(() => host.screen.title.includes(name), { what: "the name to arrive", deadlineMs: 1_000 });
}

const notes = (sandbox: Sandbox) => readdirSync(join(sandbox.agentDir, "session-suite", "live", "names"));

describe("a name set from the board", () => {
	test("reaches the tab that has the session open, which writes it once, as the user's", async () => {
		const it = await tabs();
		await rename(it.other, "Plants");
		await knows(it.owner, "Plants");
		await it.owner.screen.waitFor(/• Plants/);
		await it.other.screen.waitFor(/Renamed/);
		const entries = readSession(it.file);
		expect(namesOf(entries)).toEqual(["Plants"]);
		expect(recordsOf(entries)).toEqual([{ title: "Plants", source: "manual" }]);
		// The record first: whoever finds a name without one takes it for a person's.
		expect(entries.slice(-2).map(({ type }) => type)).toEqual(["custom", "session_info"]);
		expect(notes(it.sandbox)).toEqual([]);
		// The same once more is nothing new.
		it.other.key("escape");
		await it.other.screen.waitFor((text) => !text.includes("Renamed"), { what: "the board to close" });
		await rename(it.other, " again");
		await knows(it.owner, "Plants again");
		expect(namesOf(readSession(it.file))).toEqual(["Plants", "Plants again"]);
		// The conversation goes on in one line.
		it.model.queue("agent", say("The cat is fed."));
		it.owner.submit("feed the cat");
		await it.owner.screen.waitFor(/The cat is fed/);
		const [, ...lines] = readSession(it.file);
		expect(lines.map(({ parentId }) => parentId)).toEqual([null, ...lines.slice(0, -1).map(({ id }) => id)]);
	});

	test("reaches it while its agent works", async () => {
		const it = await tabs();
		it.model.queue("agent", hang());
		it.owner.submit("feed the cat");
		await until(() => leases(it.sandbox)[it.owner.pid]?.state === "working", { what: "the agent to work" });
		await rename(it.other, "Plants");
		await knows(it.owner, "Plants");
		await it.other.screen.waitFor(/Renamed/);
		expect(namesOf(readSession(it.file))).toEqual(["Plants"]);
	});

	test("stands against a title that is made up there at that moment", async () => {
		const gate = new Gate();
		const it = await tabs({
			extensions: [...(BOARD.extensions ?? []), EXTENSION],
			env: { PI_SESSION_SUITE_DEBUG: "1" },
		});
		it.model.queue("agent", say("Tomatoes need a litre a day."));
		it.model.queue("title", held(gate, titled("Tomato watering plan")));
		it.owner.submit("how much water do the tomatoes on the balcony need in July");
		await logged(it.owner, /title\.asked/);
		await rename(it.other, "Plants");
		await knows(it.owner, "Plants");
		gate.open();
		// Newer hosts say that the name changed; then the request is broken off.
		const state = () => it.model.calls("title")[0]?.state ?? "";
		await until(() => ["answered", "aborted"].includes(state()), { what: "the title's end", detail: state });
		it.model.queue("agent", say("As you like."));
		it.owner.submit("thanks, that is all for the tomatoes then");
		await it.owner.screen.waitFor(/As you like/);
		await logged(it.owner, /title\.not_asked reason="named"|title\.written/);
		expect(it.owner.screen.title).toContain("Plants");
		expect(namesOf(readSession(it.file))).toEqual(["Plants"]);
	});

	test("reaches the other of two tabs on one session; its story stays whole", async () => {
		const it = await tabs({}, { args: ["-c"] });
		await it.other.screen.waitFor(/Stay in it anyway/);
		it.other.key("down");
		it.other.key("enter");
		await it.other.screen.waitFor((text) => !text.includes("Stay in it"), { what: "the dialog to close" });
		await rename(it.other, "Plants");
		await knows(it.other, "Plants");
		await knows(it.owner, "Plants");
		expect(new Set(namesOf(readSession(it.file)))).toEqual(new Set(["Plants"]));
	});

	test.skipIf(process.platform === "win32")("goes into the file where that tab does not answer", async () => {
		const it = await tabs();
		it.owner.signal("SIGSTOP");
		await rename(it.other, "Plants");
		await it.other.screen.waitFor(/Renamed/);
		expect(namesOf(readSession(it.file))).toEqual(["Plants"]);
		expect(notes(it.sandbox)).toEqual([]);
		it.owner.signal("SIGCONT");
		expect(await until(() => it.owner.screen.text(), { what: "the tab to go on" })).not.toContain("• Plants");
	});

	test("that cannot be written there is said to be none", async () => {
		const files = { "full-disk.mjs": FULL_DISK };
		const it = await tabs({ files, extensions: [...(BOARD.extensions ?? []), "full-disk.mjs"] });
		const before = readSession(it.file);
		await rename(it.other, "Plants");
		await it.other.screen.waitFor(/Not renamed: the pi that has it open could not write it/);
		expect(readSession(it.file)).toEqual(before);
		expect(it.owner.screen.title).not.toContain("Plants");
	});
});

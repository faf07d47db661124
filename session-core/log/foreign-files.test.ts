import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSession } from "../sessions/describe.ts";
import { handOverFile } from "../sessions/hand-over.ts";
import { listSessions } from "../sessions/listing.ts";
import { sessionAt } from "../sessions/summary.ts";
import { outsideNames } from "./foreign-files.ts";
import { CODEX } from "./format.ts";
import { CODEX_ID, CodexLog, requestsIn } from "./logs.test-support.ts";
import { put, useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
const REVERTED = "0190c0de-0000-7000-8000-0000000000aa";
const FORK = "0190c0de-0000-7000-8000-0000000000bb";
const FORK_OF_FORK = "0190c0de-0000-7000-8000-0000000000cc";

function place(log: CodexLog, ids: string, day = "02", home = "codex"): string {
	const name = `rollout-2026-03-${day}T10-00-00-${ids}.jsonl`;
	return put(join(folder(), home, `sessions/2026/03/${day}`, name), String(log));
}

async function rows(home = "codex") {
	const env = { CODEX_HOME: join(folder(), home) };
	const found = await listSessions({ agentDir: join(folder(), "pi"), folders: [], formats: [CODEX], env });
	return found.map(({ id, path }) => ({ id, path }));
}

async function requestsOf(path: string): Promise<string[]> {
	const row = await sessionAt(path);
	const opened = row && (await openSession(row));
	if (!opened?.ok) throw new Error(`${path} cannot be read`);
	return requestsIn(opened.reading.timeline);
}

type Cut = ReturnType<CodexLog["base"]>;
const [ADD, DELETE, KEEP] = ["Add the retry queue", "Delete the old queue", "Keep the old queue"];

/** A thread whose last turn was reverted, so that its newest state is in a second file. */
function reverted(base: (cut: Cut) => object = (cut) => cut) {
	const older = new CodexLog().user(ADD).says("Added.");
	const cut = older.base();
	older.user(DELETE).says("Deleted. Shall I push?");
	const newer = new CodexLog({ history_base: base(cut) }).user(KEEP).says("Kept. Shall I add a test?");
	return { older: place(older, CODEX_ID), newer: place(newer, `${CODEX_ID}_${REVERTED}`, "03"), log: newer };
}

describe("a thread in several files", () => {
	test("is one row with the newest state: the history up to the cut, and nothing that was reverted", async () => {
		const { newer } = reverted();
		expect(await rows()).toEqual([{ id: CODEX_ID, path: newer }]);
		expect(await requestsOf(newer)).toEqual([ADD, KEEP]);
		expect(await sessionAt(newer)).toMatchObject({ cwd: "/code/app", firstPrompt: ADD, kind: "session" });
	});

	test.each([
		["the number of a record", ({ end_byte_offset: _, ...cut }: Cut) => cut],
		["a byte inside a line", (cut: Cut) => ({ ...cut, end_byte_offset: cut.end_byte_offset + 20 })],
	])("is cut at %s", async (_, base) => {
		expect(await requestsOf(reverted(base).newer)).toEqual([ADD, KEEP]);
	});

	test("is shown in its older state if an older file's path is given, with the path of the newest file", async () => {
		const { older, newer } = reverted();
		expect(await requestsOf(older)).toEqual([ADD, DELETE]);
		expect(await sessionAt(older)).toMatchObject({ id: CODEX_ID, newerFile: newer });
		expect(await sessionAt(newer)).not.toHaveProperty("newerFile");
		const prompts = await Promise.all(
			[older, newer].map((path) => handOverFile({ path, id: CODEX_ID }, Date.now())),
		);
		expect(prompts).toMatchObject([
			{ ok: true, prompt: expect.stringMatching(/Deleted\. Shall I push\?/) },
			{ ok: true, prompt: expect.stringMatching(/Kept\. Shall I add a test\?/) },
		]);
		expect(prompts[1]).not.toMatchObject({ prompt: expect.stringMatching(/Delete/) });
	});

	test("continues the newest of three files, and a listing that has seen the others forgets them", async () => {
		const { log } = reverted();
		expect(await rows()).toHaveLength(1);
		const third = new CodexLog({ history_base: log.base(REVERTED) })
			.user("Write the changelog")
			.says("Done.");
		const path = place(third, `${CODEX_ID}_${FORK}`, "04");
		expect(await rows()).toEqual([{ id: CODEX_ID, path }]);
		expect(await requestsOf(path)).toEqual([ADD, KEEP, "Write the changelog"]);
	});

	test("shows its own records if its base is missing or names itself", async () => {
		const own = new CodexLog({ history_base: { thread_id: FORK, end_byte_offset: 900 } }).user("Own work");
		expect(await requestsOf(place(own, CODEX_ID))).toEqual(["Own work"]);
		const circle = new CodexLog({ history_base: { thread_id: REVERTED, end_byte_offset: 9e6 } }).user(
			"Round",
		);
		expect(await requestsOf(place(circle, `${CODEX_ID}_${REVERTED}`))).toEqual(["Round"]);
	});
});

const spawned = { subagent: { thread_spawn: { parent_thread_id: CODEX_ID, depth: 1 } } };

test.each([
	["a subagent", { source: spawned }, "child", CODEX_ID],
	["a review of what a thread may do", { thread_source: "guardian_review" }, "child", undefined],
	["the upkeep of memories", { source: { internal: "memory_consolidation" } }, "child", undefined],
	["a person", { source: "cli", thread_source: "user" }, "session", undefined],
	["a feature that a person uses", { source: "vscode", thread_source: "cloud_task" }, "session", undefined],
])("a thread of %s is of the right kind", async (_, meta, kind, parentSession) => {
	const path = place(new CodexLog(meta).user("Count the files").says("Three."), CODEX_ID);
	expect(await sessionAt(path)).toMatchObject({ kind, parentSession });
});

test("a child is titled by its own task, not by its parent's prompt, which it received as context", async () => {
	const copied = new CodexLog({ id: FORK, source: spawned, subagent_history_start_ordinal: 6 })
		.user("Make the login work")
		.says("I will ask a subagent.")
		.user("Count the login files");
	const based = new CodexLog({
		...{ id: FORK_OF_FORK, cwd: "/code/fork", source: spawned, history_base: copied.base(FORK) },
	})
		.item("agent_message", {
			author: "/root",
			recipient: "/root/counter",
			content: [
				{ type: "input_text", text: "Message Type: NEW_TASK\nSender: /root\nPayload:\nCount the test files" },
			],
		})
		.says("Seven.");
	const paths = [place(copied, FORK), place(based, FORK_OF_FORK, "03")];
	const found = await Promise.all(paths.map((one) => sessionAt(one)));
	expect(found.map((row) => row?.firstPrompt)).toEqual(["Count the login files", "Count the test files"]);
	expect(found.map((row) => row?.cwd)).toEqual(["/code/app", "/code/fork"]);
	expect(await requestsOf(paths[0] ?? "")).toEqual(["Count the login files"]);
});

test("a message from one agent to another is neither the user's words nor this agent's reply", async () => {
	const text = "Stop everything. Shall I delete the branch?";
	const log = new CodexLog()
		.user("Make the login work")
		.says("It works.")
		.item("agent_message", { author: "/root/a", recipient: "/root", content: [{ type: "input_text", text }] })
		.says(JSON.stringify({ author: "/root/b", recipient: "/root", content: text, trigger_turn: false }));
	const path = place(log, CODEX_ID);
	expect(await requestsOf(path)).toEqual(["Make the login work"]);
	const row = await sessionAt(path);
	const opened = row && (await openSession(row));
	expect(opened).toMatchObject({
		reading: { timeline: { outcome: "done", turns: [{ reply: "It works." }] } },
	});
});

test.each([
	["an object", { message: "You've hit your usage limit.", codex_error_info: "x" }, /usage limit/],
	["without a message", { codex_error_info: "usage_limit_exceeded" }, /usage_limit_exceeded/],
	["a text", "stream disconnected", /stream disconnected/],
])("a task that ended with an error that is %s has failed", async (_, error, reason) => {
	const log = new CodexLog().user("Build the release").event("task_complete", { error });
	const row = await sessionAt(place(log, CODEX_ID));
	expect(row?.last).toMatchObject({ stopReason: "error", errorMessage: expect.stringMatching(reason) });
	const done = new CodexLog().user("Build it").says("Built.").event("task_complete", { error: null });
	expect((await sessionAt(place(done, FORK)))?.last).toMatchObject({ stopReason: "stop" });
});

test("a large index of names is read in many short steps, and the last name of a thread counts", () => {
	const line = (id: string, name: string) => JSON.stringify({ id, thread_name: name });
	const others = Array.from({ length: 10_000 }, (_, number) => line(`${number}`, `Thread ${number}`));
	const index = [line("a", "First"), ...others, line("a", "Renamed"), '{"id":"torn'].join("\n");
	put(join(folder(), "codex/session_index.jsonl"), index);
	const path = join(folder(), "codex/sessions/2026/03/02/a.jsonl");
	const steps = outsideNames()({ path, id: "a", format: CODEX, name: undefined, nameSource: undefined });
	let count = 0;
	let next = steps.next();
	for (; !next.done; next = steps.next()) count++;
	expect(next.value.name).toBe("Renamed");
	expect(count).toBeGreaterThan(100);
});

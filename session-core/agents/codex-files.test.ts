import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listSessions, sessionAt } from "../catalog/listing.ts";
import { put, useTemporaryFolder } from "../session-file/session.test-support.ts";
import { openSession } from "../session-view/describe.ts";
import { handOverFile } from "./hand-over.ts";
import { CODEX_ID, CodexLog, requestsIn } from "./logs.test-support.ts";

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
	const found = await listSessions({ agentDir: join(folder(), "pi"), folders: [], agents: ["codex"], env });
	return found.map(({ id, path }) => ({ id, path }));
}

async function requestsOf(path: string): Promise<string[]> {
	const row = await sessionAt(path);
	const opened = row && openSession(row);
	if (!opened?.ok) throw new Error(`${path} cannot be read`);
	return requestsIn(opened.reading.timeline);
}

/** A thread whose last turn was taken back, so that its newest state is in a second file. */
function reverted(base?: (cut: ReturnType<CodexLog["base"]>) => object) {
	const older = new CodexLog().user("Add the retry queue").says("Added.");
	const cut = older.base();
	older.user("Delete the old queue").says("Deleted. Shall I push?");
	const newer = new CodexLog({ history_base: base ? base(cut) : cut })
		.user("Keep the old queue")
		.says("Kept. Shall I add a test?");
	return { older: place(older, CODEX_ID), newer: place(newer, `${CODEX_ID}_${REVERTED}`, "03"), log: newer };
}

describe("a thread in several files", () => {
	test("is one row with the newest state: the history up to the cut, and nothing that was taken back", async () => {
		const { newer } = reverted();
		expect(await rows()).toEqual([{ id: CODEX_ID, path: newer }]);
		expect(await requestsOf(newer)).toEqual(["Add the retry queue", "Keep the old queue"]);
		expect(await sessionAt(newer)).toMatchObject({
			cwd: "/code/app",
			firstPrompt: "Add the retry queue",
			kind: "session",
		});
	});

	test.each([
		["the number of a record", ({ end_byte_offset: _, ...cut }: Record<string, unknown>) => cut],
		[
			"a byte inside a line",
			(cut: Record<string, unknown>) => ({ ...cut, end_byte_offset: Number(cut["end_byte_offset"]) + 20 }),
		],
	])("is cut at %s", async (_, base) => {
		expect(await requestsOf(reverted(base).newer)).toEqual(["Add the retry queue", "Keep the old queue"]);
	});

	test("is the older state by the path of an older file, which says where the newest one is", async () => {
		const { older, newer } = reverted();
		expect(await requestsOf(older)).toEqual(["Add the retry queue", "Delete the old queue"]);
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
		expect(await requestsOf(path)).toEqual([
			"Add the retry queue",
			"Keep the old queue",
			"Write the changelog",
		]);
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

test("a fork that holds only its own records shows its base as its past, also as the fork of a fork", async () => {
	const source = new CodexLog().user("Add the retry queue").says("Added.");
	const cut = source.base();
	source.user("Delete the old queue").says("Deleted.");
	const fork = new CodexLog({ id: FORK, forked_from_id: CODEX_ID, history_base: cut, cwd: "/code/fork" })
		.user("Rename the queue")
		.says("Renamed.");
	const second = new CodexLog({ id: FORK_OF_FORK, forked_from_id: FORK, history_base: fork.base(FORK) })
		.user("Test the queue")
		.says("Tested.");
	fork.user("Drop the queue").says("Dropped.");
	const paths = [place(source, CODEX_ID), place(fork, FORK, "03"), place(second, FORK_OF_FORK, "04")];
	expect((await rows()).map(({ id }) => id).sort()).toEqual([CODEX_ID, FORK, FORK_OF_FORK]);
	expect(await Promise.all(paths.map(requestsOf))).toEqual([
		["Add the retry queue", "Delete the old queue"],
		["Add the retry queue", "Rename the queue", "Drop the queue"],
		["Add the retry queue", "Rename the queue", "Test the queue"],
	]);
	expect(await sessionAt(paths[1] ?? "")).toMatchObject({
		kind: "fork",
		cwd: "/code/fork",
		parentSession: CODEX_ID,
	});
});

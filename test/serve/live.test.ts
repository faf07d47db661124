import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { session, until } from "../host/index.ts";
import { type Serving, testFolder, testServing } from "./serving.ts";

interface Event {
	event: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests check the shape
	data: any;
}

/** Connects a client; returns the events that it has received, which begin with `: ` for a comment. */
async function listen(serving: Serving): Promise<Event[]> {
	const ending = new AbortController();
	onTestFinished(() => ending.abort());
	const headers = { authorization: `Bearer ${serving.tokens.read}` };
	const response = await fetch(`${serving.url}/v1/live`, { headers, signal: ending.signal });
	expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
	const events: Event[] = [];
	const receive = async () => {
		let rest = "";
		for await (const bytes of response.body ?? []) {
			const blocks = (rest + Buffer.from(bytes).toString()).split("\n\n");
			rest = blocks.pop() ?? "";
			for (const block of blocks) {
				const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? ["", block];
				events.push({ event, data: JSON.parse(data) });
			}
		}
	};
	receive().catch(() => undefined);
	return events;
}

const work = (id: string) => session({ id }).user("Move the queue").assistant("Done.").build();

describe("live events", () => {
	test("begin with the open sessions, then report changed, new and removed ones", async () => {
		const folder = testFolder();
		const path = folder.put("eeee0001", work("eeee0001"));
		const lease = folder.claim("eeee0001", "working");
		// Another process opened the same session.
		const twin = folder.claim("eeee0001", "working");
		const serving = await testServing(folder);
		await serving.ask("/v1/sessions");
		const events = await listen(serving);
		const next = (what: string, holds: (data: Event["data"]) => unknown) =>
			until(() => events.find(({ data }) => holds(data)), what);
		const first = await next("the open session", ({ live }) => live?.[0]?.state === "working");
		expect([first.data.live.length, first.data.counts.working]).toEqual([1, 1]);
		twin.release();
		lease.update("waiting", Date.now());
		// A client that connects now learns the new state at once, and the other client must not miss it.
		await listen(serving);
		await next("its new state", ({ counts }) => counts?.waiting === 1);
		await next("its complete row", ({ changed }) => changed?.[0]?.state === "waiting");
		lease.release();
		await until(() => events.at(-1)?.data.live?.length === 0, "nothing open");
		// The first event may have come before the first scan of the folders.
		await until(async () => (await serving.ask("/v1/sessions")).json.total === 1, "the list");
		folder.put("eeee0002", work("eeee0002"));
		const added = await next("the new session", ({ changed }) => changed?.[0]?.id === "eeee0002");
		expect(added.data.total).toBe(2);
		rmSync(path);
		await next("it is gone", ({ removed }) => removed?.includes("eeee0001"));
	});

	test("replace a deleted file with another file that has the same session id", async () => {
		const folder = testFolder();
		const older = folder.put("eeee0001", work("eeee0001"), { cwd: "/code/copy" });
		const newer = folder.put(
			"eeee0001",
			session({ id: "eeee0001" }).user("Move it").assistant("Moved.").build(),
		);
		const serving = await testServing(folder);
		await until(async () => (await serving.ask("/v1/sessions")).json.total === 2, "the list");
		const events = await listen(serving);
		rmSync(newer);
		const { data } = await until(
			() => events.find(({ data: { removed } }) => removed?.length > 0),
			"the change",
		);
		expect([data.removed, data.changed.map((row: { path: string }) => row.path)]).toEqual([
			["eeee0001"],
			[older],
		]);
	});

	test("agree with the list about a session that several processes have open", async () => {
		const folder = testFolder();
		folder.put("eeee0001", work("eeee0001"));
		const states = ["idle", "idle", "idle", "working", "idle", "idle", "idle"] as const;
		for (const state of states) folder.claim("eeee0001", state);
		const serving = await testServing(folder);
		const { json } = await serving.ask("/v1/sessions");
		const events = await listen(serving);
		const { data } = await until(() => events[0], "the first event");
		expect([json.sessions[0].state, json.counts]).toMatchObject(["working", { working: 1, idle: 0 }]);
		expect([data.live[0].state, data.counts]).toEqual([json.sessions[0].state, json.counts]);
	});

	test.each([
		["off", 0],
		["on", 1],
	])("with other agents' sessions turned %s, include %i of them", async (_, count) => {
		const folder = testFolder();
		const claude = join(folder.path, "claude");
		vi.stubEnv("CLAUDE_CONFIG_DIR", claude);
		onTestFinished(() => void vi.unstubAllEnvs());
		mkdirSync(join(claude, "sessions"), { recursive: true });
		const [, ticks = ""] = /\) (?:\S+ ){19}(\d+)/.exec(readFileSync("/proc/self/stat", "utf8")) ?? [];
		const record = { pid: process.pid, sessionId: "c-1", status: "busy", procStart: ticks };
		writeFileSync(join(claude, "sessions", `${process.pid}.json`), JSON.stringify(record));
		const agents = count > 0 ? ["claude-code"] : [];
		writeFileSync(join(folder.path, "session-suite.json"), JSON.stringify({ agents }));
		const events = await listen(await testServing(folder));
		const { data } = await until(() => events[0], "the first event");
		expect([data.live.length, data.counts.working]).toEqual([count, count]);
	});

	test("comments keep an idle connection open", async () => {
		const serving = await testServing(testFolder(), { heartbeatMs: 20 });
		const events = await listen(serving);
		const isComment = ({ event }: Event) => event.startsWith(": ");
		await until(() => events.filter(isComment).length >= 3, "heartbeats");
	});

	test("without listeners the server watches nothing, and the next request sees all changes", async () => {
		const folder = testFolder();
		const path = folder.put("eeee0004", work("eeee0004"));
		const serving = await testServing(folder);
		expect((await serving.ask("/v1/sessions")).json.sessions[0].title).toBe("Move the queue");
		appendFileSync(
			path,
			`${JSON.stringify({ type: "session_info", id: "ffff0001", parentId: "e0000003", name: "Another name" })}\n`,
		);
		await until(
			async () => (await serving.ask("/v1/sessions")).json.sessions[0].title === "Another name",
			"the new name",
		);
		expect(readdirSync(join(folder.path, "session-suite"))).not.toContain("live");
	});
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { session } from "../host/fixtures.ts";
import { testFolder, testServing } from "./serving.ts";

const SID = "0195a1b2-c3d4-7000-8000-00000000000a";

function work(id = SID, cwd = "/code/app"): string {
	return session({ id, cwd })
		.user("Move the retry queue to SQLite")
		.bash("npm test", "Tests  43 passed (43)")
		.assistant("The queue now lives in SQLite. Shall I remove the old fake?")
		.build();
}

describe("the board", () => {
	test("lists what needs you first, then by the last message, and counts", async () => {
		const folder = testFolder();
		for (const [index, id] of ["aaaa0001", "aaaa0002", "aaaa0003"].entries()) {
			const startedAt = new Date(Date.UTC(2026, 2, 1 + index));
			folder.put(id, session({ id, startedAt }).user(`Task ${index}`).assistant("Done.").build());
		}
		folder.claim("aaaa0001", "needs_you");
		folder.claim("aaaa0002", "working");
		const serving = await testServing(folder);
		const { status, json } = await serving.ask("/v1/sessions");
		expect(status).toBe(200);
		expect(json.sessions.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
			["aaaa0001", "needs_you"],
			["aaaa0002", "working"],
			["aaaa0003", "closed"],
		]);
		expect(json.counts).toEqual({ needs_you: 1, failed: 0, working: 1, idle: 0 });
		expect(json.sessions[2].title).toBe("Task 2");
	});

	test("is paged and filtered, and says what it does not know", async () => {
		const folder = testFolder();
		for (let index = 0; index < 5; index++) {
			const id = `bbbb000${index}`;
			folder.put(id, session({ id }).user(`Task number ${index}`).assistant("Done.").build());
		}
		const serving = await testServing(folder);
		const first = await serving.ask("/v1/sessions?limit=2");
		expect([first.json.sessions.length, first.json.total, first.json.next_offset]).toEqual([2, 5, 2]);
		const last = await serving.ask("/v1/sessions?limit=2&offset=4");
		expect([last.json.sessions.length, last.json.next_offset]).toEqual([1, null]);
		const found = await serving.ask("/v1/sessions?q=NUMBER%203");
		expect(found.json.sessions.map(({ id }: { id: string }) => id)).toEqual(["bbbb0003"]);
		expect((await serving.ask("/v1/sessions?state=live")).json.total).toBe(0);
		for (const query of ["limit=0", "limit=x", "state=asleep", "colour=red", "offset=-1"]) {
			const refused = await serving.ask(`/v1/sessions?${query}`);
			expect([query, refused.status, refused.json.error.reason]).toEqual([query, 422, "invalid"]);
			expect(refused.json.error.remedy).toMatch(/docs\/http\.md/);
		}
	});

	test("a session's card is there without a stored recap, and nothing is written for it", async () => {
		const folder = testFolder();
		const path = folder.put(SID, work());
		const before = readFileSync(path);
		const serving = await testServing(folder);
		const { json } = await serving.ask(`/v1/sessions/${SID}`);
		expect(json.recap.headline).toBe("Move the retry queue to SQLite");
		expect([json.stored, json.fresh]).toEqual([false, true]);
		expect(json.resume_command).toContain(`pi --session ${path}`);
		expect(readFileSync(path)).toEqual(before);
	});
});

describe("recaps", () => {
	test("are written once for a state, again by force, and stand in the session itself", async () => {
		const folder = testFolder();
		const path = folder.put(SID, work());
		const before = readFileSync(path, "utf8");
		const serving = await testServing(folder);
		const body = { kind: "session", subject_id: SID, generator: "heuristic" };
		const first = await serving.ask("/v1/recap", { body });
		expect([first.status, first.json.recap.outcome]).toEqual([201, "waiting"]);
		const again = await serving.ask("/v1/recap", { body });
		expect([again.status, again.json.error.reason]).toEqual([409, "exists"]);
		const forced = await serving.ask("/v1/recap", { body: { ...body, force: true } });
		expect(forced.status).toBe(201);
		const stored = await serving.ask(`/v1/recap?kind=session&subject_id=${SID}`);
		expect(stored.json.recaps.map(({ id }: { id: string }) => id)).toEqual([
			forced.json.recap.id,
			first.json.recap.id,
		]);
		expect((await serving.ask(`/v1/recap?kind=job&subject_id=${SID}`)).json.recaps).toEqual([]);
		const after = readFileSync(path, "utf8");
		expect(after.startsWith(before)).toBe(true);
		expect(after.slice(before.length).trimEnd().split("\n")).toHaveLength(2);
	});

	test("by a person's own words are not written over", async () => {
		const folder = testFolder();
		folder.put(SID, work());
		const serving = await testServing(folder);
		const body = { kind: "session", subject_id: SID };
		const own = { ...body, generator: "user_edited", headline: "Queue in SQLite", next_actions: ["Ship it"] };
		expect((await serving.ask("/v1/recap", { body: { ...own, headline: undefined } })).status).toBe(422);
		const edited = await serving.ask("/v1/recap", { body: own });
		expect(edited.json.recap).toMatchObject({
			generator: { type: "user_edited" },
			headline: "Queue in SQLite",
			next_actions: ["Ship it"],
			resume_hint: { seed_instruction: "Ship it" },
		});
		const refused = await serving.ask("/v1/recap", { body });
		expect([refused.status, refused.json.error.reason]).toEqual([409, "edited"]);
	});

	test.each([
		["an unknown session", { subject_id: "nobody" }, 404, "unknown_session"],
		["the wrong kind", { kind: "job" }, 422, "wrong_kind"],
		["a model", { generator: "llm" }, 501, "generator_not_available"],
		["an unknown generator", { generator: "oracle" }, 422, "invalid"],
		["an unknown field", { headlin: "x" }, 422, "invalid"],
		["no subject", { subject_id: undefined }, 422, "invalid"],
	])("are refused for %s, with the reason and the remedy", async (_what, more, status, reason) => {
		const folder = testFolder();
		const path = folder.put(SID, work());
		const before = readFileSync(path);
		const serving = await testServing(folder);
		const { status: got, json } = await serving.ask("/v1/recap", {
			body: { kind: "session", subject_id: SID, ...more },
		});
		expect([got, json.error.reason]).toEqual([status, reason]);
		expect(json.error.remedy).not.toBe("");
		expect(readFileSync(path)).toEqual(before);
	});

	test("of a session without a request, of a live one and of a torn file are refused, and nothing is written", async () => {
		const folder = testFolder();
		const silent = folder.put("cccc0001", session({ id: "cccc0001" }).build());
		const live = folder.put("cccc0002", work("cccc0002"));
		const torn = folder.put("cccc0003", `${work("cccc0003")}{"type":"message","id":"ffff`);
		const before = [silent, live, torn].map((path) => readFileSync(path, "utf8"));
		folder.claim("cccc0002", "idle", Date.now(), live);
		const serving = await testServing(folder);
		const ask = async (id: string) => {
			const { status, json } = await serving.ask("/v1/recap", { body: { kind: "session", subject_id: id } });
			return [status, json.error.reason];
		};
		expect(await ask("cccc0001")).toEqual([422, "nothing"]);
		expect(await ask("cccc0002")).toEqual([423, "live"]);
		expect(await ask("cccc0003")).toEqual([422, "damaged"]);
		expect([silent, live, torn].map((path) => readFileSync(path, "utf8"))).toEqual(before);
	});

	test("can be glanced at, and a glance makes none", async () => {
		const folder = testFolder();
		const path = folder.put(SID, work());
		const serving = await testServing(folder);
		const before = readFileSync(path);
		const none = await serving.ask(`/watch/sessions/${SID}/recap`, { token: serving.tokens.read });
		expect([none.status, none.json.error.reason]).toEqual([404, "no_recap"]);
		expect(readFileSync(path)).toEqual(before);
		await serving.ask("/v1/recap", { body: { kind: "session", subject_id: SID } });
		const one = await serving.ask(`/watch/sessions/${SID}/recap`, { token: serving.tokens.read });
		expect(one.json).toMatchObject({ subject_id: SID, state: "closed", fresh: true });
	});
});

describe("resuming", () => {
	test("by recap or by subject gives a plan with folder, command, model and first instruction", async () => {
		const folder = testFolder();
		const path = folder.put(SID, work(SID, "/code/it's mine"), { cwd: "/code/it's mine" });
		const serving = await testServing(folder);
		const { json } = await serving.ask("/v1/recap", { body: { kind: "session", subject_id: SID } });
		const plan = await serving.ask("/v1/resume", { body: { from_recap_id: json.recap.id } });
		expect(plan.json).toMatchObject({
			kind: "session",
			subject_id: SID,
			cwd: "/code/it's mine",
			command: ["pi", "--session", path],
			seed_instruction: json.recap.resume_hint.seed_instruction,
			resumed_from_recap_id: json.recap.id,
			opened: false,
		});
		expect(plan.json.command_line).toMatch(
			/^cd '\/code\/it'\\''s mine' && PI_SESSION_SUITE_RESUME=record:\S+ pi --session '/,
		);
		const branch = await serving.ask("/v1/resume", {
			body: { from_subject_id: SID, kind: "session", branch_on_resume: true },
		});
		expect([branch.json.branch, branch.json.command[1]]).toEqual([true, "--fork"]);
	});

	test.each([
		["neither", {}, 422, "invalid"],
		["both", { from_recap_id: "a", from_subject_id: SID }, 422, "invalid"],
		["an unknown recap", { from_recap_id: "nobody" }, 404, "unknown_recap"],
		["an unknown subject", { from_subject_id: "nobody", kind: "session" }, 404, "unknown_session"],
		["the wrong kind", { from_subject_id: SID, kind: "job" }, 422, "wrong_kind"],
		["a window without tmux", { from_subject_id: SID, kind: "session", open: true }, 501, "no_tmux"],
	])("from %s is refused", async (_what, body, status, reason) => {
		const folder = testFolder();
		folder.put(SID, work());
		const serving = await testServing(folder);
		const { status: got, json } = await serving.ask("/v1/resume", { body });
		expect([got, json.error.reason]).toEqual([status, reason]);
	});

	test("from an earlier recap goes on from that one, although a newer one is there", async () => {
		const folder = testFolder();
		folder.put(SID, work());
		const serving = await testServing(folder);
		const body = { kind: "session", subject_id: SID, generator: "user_edited", force: true };
		const ids: string[] = [];
		for (const headline of ["First", "Second"]) {
			const { json } = await serving.ask("/v1/recap", {
				body: { ...body, headline, next_actions: [headline] },
			});
			ids.push(json.recap.id);
		}
		for (const [index, from_recap_id] of ids.entries()) {
			const { json } = await serving.ask("/v1/resume", { body: { from_recap_id } });
			expect(json).toMatchObject({
				seed_instruction: ["First", "Second"][index],
				resumed_from_recap_id: from_recap_id,
			});
		}
	});

	test("of a session that is open goes to its terminal, where that can be brought to the front", async () => {
		const folder = testFolder();
		folder.put(SID, work());
		folder.claim(SID, "idle");
		const serving = await testServing(folder, {
			goThere: async ({ pid }) => ({ ok: true, told: `In front: ${pid}.` }),
		});
		const { json } = await serving.ask("/v1/resume", { body: { from_subject_id: SID, open: true } });
		expect(json).toMatchObject({ opened: true, told: `In front: ${process.pid}.` });
	});

	test("a window opens once, and not for a session that is open elsewhere unless as a branch", async () => {
		const folder = testFolder();
		folder.put(SID, work());
		const opened: (readonly string[])[] = [];
		const serving = await testServing(folder, {
			openWindow: async (command) => {
				opened.push(command);
				return { ok: true };
			},
		});
		const body = { from_subject_id: SID, kind: "session", open: true };
		const clicks = await Promise.all([1, 2].map(() => serving.ask("/v1/resume", { body })));
		expect(clicks.map(({ json }) => json.error?.reason ?? json.opened).sort()).toEqual(["opening", true]);
		const lease = folder.claim(SID, "working");
		const elsewhere = await serving.ask("/v1/resume", { body });
		expect([elsewhere.status, elsewhere.json.error.reason]).toEqual([423, "live"]);
		expect((await serving.ask("/v1/resume", { body: { ...body, branch_on_resume: true } })).status).toBe(200);
		lease.release();
		expect(opened.map(([env, , pi, flag]) => [env, pi, flag])).toEqual([
			["env", "pi", "--session"],
			["env", "pi", "--fork"],
		]);
	});
});

test("/health says which generators are there, and why not the others", async () => {
	const serving = await testServing(testFolder());
	const { json } = await serving.ask("/health", { token: serving.tokens.read });
	expect(json.features.recap).toMatchObject({
		available: true,
		transport: "daemon-http",
		routes_prefix: "/v1/recap",
		generators_ga: ["heuristic", "user_edited"],
		kinds: ["session", "job"],
	});
	expect(json.features.recap.notes.llm).toMatch(/\/recap-card --llm/);
});

describe("two files with one id", () => {
	const BODY = { from_subject_id: SID };

	test.each([
		[`/v1/sessions/${SID}`, undefined],
		[`/v1/recap?subject_id=${SID}`, undefined],
		[`/watch/sessions/${SID}/recap`, undefined],
		["/v1/recap", { kind: "session", subject_id: SID }],
		["/v1/resume", BODY],
	])("are told apart nowhere: %s says so, and nothing is written", async (path, body) => {
		const folder = testFolder();
		const files = [folder.put(SID, work()), folder.put(SID, work(SID, "/code/copy"), { cwd: "/code/copy" })];
		const before = files.map((file) => readFileSync(file, "utf8"));
		const serving = await testServing(folder);
		const { status, json } = await serving.ask(path, { body });
		expect(status).toBe(409);
		expect(json.error).toMatchObject({ reason: "ambiguous_id", message: "2 session files have this id." });
		expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(before);
		expect((await serving.ask("/v1/sessions")).json.total).toBe(2);
	});

	test("are told apart nowhere by a recap that stands in both", async () => {
		const folder = testFolder();
		const path = folder.put(SID, work());
		const serving = await testServing(folder);
		const written = await serving.ask("/v1/recap", { body: { kind: "session", subject_id: SID } });
		const from = { from_recap_id: written.json.recap.id };
		expect((await serving.ask("/v1/resume", { body: from })).status).toBe(200);
		folder.put(SID, readFileSync(path, "utf8"), { cwd: "/code/copy" });
		const later = await testServing(folder);
		expect((await later.ask("/v1/resume", { body: from })).json.error.reason).toBe("ambiguous_id");
	});
});

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put } from "../../session-core/log/session.test-support.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { session } from "../host/fixtures.ts";
import { sharedServing, testFolder, testServing } from "./serving.ts";

const SID = "0195a1b2-c3d4-7000-8000-00000000000a";

function work(id = SID, cwd = "/code/app"): string {
	return session({ id, cwd })
		.user("Move the retry queue to SQLite")
		.bash("npm test", "Tests  43 passed (43)")
		.assistant("The queue now lives in SQLite. Shall I remove the old fake?")
		.build();
}

const short = (id: string, prompt: string, reply = "Done.", startedAt = new Date(Date.UTC(2026, 2, 1))) =>
	session({ id, startedAt }).user(prompt).assistant(reply).build();

async function serving(text = work(), options: Parameters<typeof testServing>[1] = {}) {
	const folder = testFolder();
	const path = folder.put(SID, text);
	return { folder, path, server: await testServing(folder, options) };
}

const RECAP = { kind: "session", subject_id: SID };
const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

test("a folder is also found if its path is spelled with a slash at the end", async () => {
	const { server } = await serving();
	const found = async (cwd: string) => (await server.ask(`/v1/sessions?cwd=${cwd}`)).json.total;
	expect([await found("/code/app/"), await found("/code/app2")]).toEqual([1, 0]);
});

describe("the list of sessions", () => {
	const shared = sharedServing((folder) => {
		for (let index = 0; index < 5; index++) {
			const id = `bbbb000${index}`;
			folder.put(id, short(id, `Task number ${index}`, "Done.", new Date(Date.UTC(2026, 2, 1 + index))));
		}
		folder.claim("bbbb0001", "working");
		folder.claim("bbbb0000", "waiting");
	});

	test("begins with the waiting ones, then by the last message, with counts", async () => {
		const { status, json } = await shared().ask("/v1/sessions?limit=3");
		expect(status).toBe(200);
		const counts = { waiting: 1, failed: 0, finished: 0, working: 1, idle: 0 };
		expect(json).toMatchObject({ total: 5, next_offset: 3, counts });
		expect(json.sessions).toMatchObject([
			{ id: "bbbb0000", state: "waiting" },
			{ id: "bbbb0001", state: "working" },
			{ id: "bbbb0004", state: "closed", title: "Task number 4" },
		]);
	});

	test.each([
		["offset=3&limit=3", ["bbbb0003", "bbbb0002"]],
		["q=NUMBER%203", ["bbbb0003"]],
		["q=%22number%203%22%20is:closed", ["bbbb0003"]],
		["q=is:wai%20agent:pi", ["bbbb0000"]],
		["state=live", ["bbbb0000", "bbbb0001"]],
		["state=working", ["bbbb0001"]],
		["kind=headless", []],
		["cwd=/elsewhere", []],
	])("%s", async (query, ids) => {
		const { json } = await shared().ask(`/v1/sessions?${query}`);
		expect([idsIn(json.sessions), json.next_offset]).toEqual([ids, null]);
	});

	test.each([
		["limit=0", "limit must be >= 1."],
		["limit=x", "limit must be integer."],
		["state=asleep", "state must be one of waiting, failed, finished, working, idle, closed, live."],
		["colour=red", "The query contains unknown fields: colour."],
		["offset=-1", "offset must be >= 0."],
	])("%s is refused: %s", async (query, message) => {
		const { status, json } = await shared().ask(`/v1/sessions?${query}`);
		const remedy = expect.stringContaining("docs/http.md");
		expect([status, json.error]).toEqual([422, { reason: "invalid", message, remedy }]);
	});
});

describe("requests that change nothing", () => {
	/** The id in the sample file for format version 1. */
	const OLD = "3f6c1d52-7c1e-4b43-9d57-0c1d5b0f8a11";
	let path = "";
	const shared = sharedServing((folder) => {
		path = folder.put(SID, work());
		folder.put("cccc0001", session({ id: "cccc0001" }).build());
		folder.put("cccc0002", work("cccc0002"));
		folder.claim("cccc0002", "idle");
		for (const state of ["idle", "waiting", "working"] as const) {
			folder.put(`dddd-${state}`, short(`dddd-${state}`, "Go on"));
			folder.claim(`dddd-${state}`, state).report(state === "waiting" ? { dialog: "Permission" } : {});
		}
		folder.put(OLD, readFileSync(new URL("../sessions/shared-rows-v1.jsonl", import.meta.url), "utf8"));
		folder.put("cccc0003", `${work("cccc0003")}{"type":"message","id":"ffff`);
	});
	const recap = (more: object) => ["/v1/recap", { ...RECAP, ...more }] as const;
	const resume = (more: object) => ["/v1/resume", { from_subject_id: SID, ...more }] as const;
	const answer = (id: string) => [`/v1/sessions/${id}/answer`, { text: "yes" }] as const;
	const edited = (more: object) => recap({ generator: "user_edited", ...more });

	test.each<[string, readonly [string, object?], number, string]>([
		["a recap of an unknown session", recap({ subject_id: "unknown" }), 404, "unknown_session"],
		["a recap of the wrong kind", recap({ kind: "job" }), 422, "wrong_kind"],
		["a recap by a model", recap({ generator: "llm" }), 501, "generator_not_available"],
		["an unknown generator", recap({ generator: "oracle" }), 422, "invalid"],
		["an unknown field", recap({ headlin: "x" }), 422, "invalid"],
		["no subject", recap({ subject_id: undefined }), 422, "invalid"],
		["own words without a headline", edited({}), 422, "no_headline"],
		["a headline of marks", edited({ headline: "…" }), 422, "no_headline"],
		["a session without a prompt", recap({ subject_id: "cccc0001" }), 422, "nothing"],
		["a live session", recap({ subject_id: "cccc0002" }), 423, "live"],
		["a damaged file", recap({ subject_id: "cccc0003" }), 422, "damaged"],
		["a file in an older format", recap({ subject_id: OLD }), 422, "old_format"],
		["resuming a damaged file", resume({ from_subject_id: "cccc0003" }), 422, "damaged"],
		["a glance without a recap", [`/watch/sessions/${SID}/recap`], 404, "no_recap"],
		["nothing to resume", ["/v1/resume", {}], 422, "invalid"],
		["two things to resume", resume({ from_recap_id: "a" }), 422, "invalid"],
		["an unknown recap", ["/v1/resume", { from_recap_id: "unknown" }], 404, "unknown_recap"],
		["resuming an unknown session", resume({ from_subject_id: "unknown" }), 404, "unknown_session"],
		["resuming as the wrong kind", resume({ kind: "job" }), 422, "wrong_kind"],
		["an answer to a closed session", answer(SID), 409, "not_live"],
		["an answer to a working session", answer("dddd-working"), 409, "busy"],
		["an answer to a dialog", answer("dddd-waiting"), 409, "dialog"],
		["an answer to a session that asks nothing", answer("dddd-idle"), 409, "idle"],
		["a window without tmux", resume({ open: true }), 501, "no_tmux"],
	])("%s: refused with a reason and a remedy", async (_what, [route, body], status, reason) => {
		const before = readFileSync(path);
		const { status: got, json } = await shared().ask(route, { body });
		expect([got, json.error.reason]).toEqual([status, reason]);
		expect(json.error.remedy).not.toBe("");
		expect(readFileSync(path)).toEqual(before);
	});

	test("a card is shown without a stored recap; for a damaged file, its command opens a repaired copy", async () => {
		const before = readFileSync(path);
		const { json } = await shared().ask(`/v1/sessions/${SID}`);
		const recap = { headline: "Move the retry queue to SQLite" };
		expect(json).toMatchObject({ stored: false, fresh: true, recap });
		expect(json.resume_command).toContain(`pi --session ${path}`);
		expect(readFileSync(path)).toEqual(before);
		const damaged = (await shared().ask("/v1/sessions/cccc0003")).json;
		const resume_command = "pi-sessions resume cccc0003 --repair";
		expect(damaged).toMatchObject({ damaged: true, resume_command });
	});
});

describe("recaps", () => {
	test("are written once per last message, again with force, into the session itself", async () => {
		const { path, server } = await serving();
		const before = readFileSync(path, "utf8");
		const body = { ...RECAP, generator: "heuristic" };
		const first = await server.ask("/v1/recap", { body });
		expect(first.status).toBe(201);
		expect(first.json.recap).toMatchObject({ ...RECAP, outcome: "waiting" });
		expect(await server.refusal("/v1/recap", { body })).toEqual([409, "exists"]);
		const forced = await server.post("/v1/recap", { ...body, force: true });
		const stored = await server.ask(`/v1/recap?kind=session&subject_id=${SID}`);
		expect(idsIn(stored.json.recaps)).toEqual([forced.recap.id, first.json.recap.id]);
		const glance = await server.ask(`/watch/sessions/${SID}/recap`, { token: server.tokens.read });
		const newest = { subject_id: SID, state: "closed", fresh: true, recap: { id: forced.recap.id } };
		expect(glance.json).toMatchObject(newest);
		const after = readFileSync(path, "utf8");
		expect(after.startsWith(before)).toBe(true);
		expect(after.slice(before.length).trimEnd().split("\n")).toHaveLength(2);
	});

	test("in the user's own words are not overwritten, and a card leaves out bullets that repeat other parts", async () => {
		const { server } = await serving();
		const bullets = ["Queue in SQLite", "Tested twice", "Ship it"];
		const own = { headline: "Queue in SQLite！", bullets, next_actions: ["Ship it"] };
		const { recap } = await server.post("/v1/recap", { ...RECAP, generator: "user_edited", ...own });
		expect(recap).toMatchObject({
			generator: { type: "user_edited" },
			headline: "Queue in SQLite",
			next_actions: ["Ship it"],
			resume_hint: { seed_instruction: "Ship it" },
		});
		expect((await server.ask(`/v1/sessions/${SID}`)).json.bullets).toEqual(["Tested twice"]);
		expect(await server.refusal("/v1/recap", { body: RECAP })).toEqual([409, "edited"]);
	});

	test("leave what was not edited as it is, so the agent's question is not sent", async () => {
		const question = `Which one should it be: ${"the old fake, ".repeat(15)}or your own?`;
		const { server } = await serving(short(SID, "Move the queue", question));
		for (const edit of [
			{},
			{ bullets: ["Mine"], next_actions: [question] },
			{ next_actions: ["Which one should it be: the old fake, the …"] },
		]) {
			const body = { ...RECAP, generator: "user_edited", force: true, headline: "Queue", ...edit };
			const { recap } = await server.post("/v1/recap", body);
			expect(recap).toMatchObject({ next_actions: [question], next_kinds: ["question"] });
			const plan = await server.post("/v1/resume", { from_recap_id: recap.id, send: true });
			const command = ["pi", "--session", expect.anything()];
			expect(plan).toMatchObject({ needs_answer: question, command });
			expect(plan).not.toHaveProperty("prompt");
		}
	});
});

describe("resuming", () => {
	function windows() {
		const opened: (readonly string[])[] = [];
		const openWindow = async (command: readonly string[]) => {
			opened.push(command);
			return { ok: true } as const;
		};
		return { opened, openWindow };
	}

	test("by recap or by session returns the folder, command, model and first instruction", async () => {
		const folder = testFolder();
		const cwd = join(folder.path, "it's mine");
		mkdirSync(cwd);
		const path = folder.put(SID, work(SID, cwd), { cwd });
		const server = await testServing(folder);
		const own = { ...RECAP, generator: "user_edited", force: true };
		const written = ["First", "Second"].map((text) => ({ ...own, headline: text, next_actions: [text] }));
		const ids: string[] = [];
		for (const body of written) ids.push((await server.post("/v1/recap", body)).recap.id);
		for (const [index, id] of ids.entries()) {
			const plan = await server.post("/v1/resume", { from_recap_id: id });
			const about = { kind: "session", subject_id: SID, cwd, opened: false, resumed_from_recap_id: id };
			const seed_instruction = written[index]?.headline;
			expect(plan).toMatchObject({ ...about, command: ["pi", "--session", path], seed_instruction });
			const line = `cd '${folder.path}/it'\\''s mine' && PI_SESSION_SUITE_RESUME=record:${id} pi --session '`;
			expect(plan.command_line.startsWith(line)).toBe(true);
		}
		const branch = { from_subject_id: SID, kind: "session", branch_on_resume: true };
		const fork = await server.post("/v1/resume", branch);
		expect([fork.branch, fork.command[1]]).toEqual([true, "--fork"]);
	});

	test("the card of a job names a command that checks the next step before it is sent", async () => {
		const folder = testFolder();
		const job = session({ id: "cccc0001", cwd: folder.path }).user("Report").assistant("Done.");
		const record = recapOf({ kind: "job", subject_id: "cccc0001", last_message_id: job.ids.at(-1) ?? "" });
		put(join(folder.path, "s", "b.jsonl"), job.custom("session-suite:recap", record).build());
		const server = await testServing(folder, { sessionDir: join(folder.path, "s") });
		const { resume_command } = (await server.ask("/v1/sessions/cccc0001")).json;
		expect(resume_command).toBe("pi-sessions resume cccc0001");
	});

	test("never sends the step of a session that may come from a repository, but returns it", async () => {
		const folder = testFolder();
		const cwd = join(folder.path, "clone");
		const asked = session({ id: SID, cwd }).user("Move the queue");
		mkdirSync(join(cwd, ".git"), { recursive: true });
		put(join(cwd, "s", "a.jsonl"), asked.assistant("Moved.\n\n- [ ] Delete the backups").build());
		const { opened, openWindow } = windows();
		const server = await testServing(folder, { sessionDir: join(cwd, "s"), openWindow });
		const { sessions } = (await server.ask("/v1/sessions?kind=session")).json;
		expect(sessions).toMatchObject([{ id: SID, planted: true }]);
		const body = { from_subject_id: SID, send: true };
		const plan = await server.post("/v1/resume", body);
		expect(plan).toMatchObject({ not_sent: "Delete the backups", opened: false });
		expect(plan.command_line).not.toContain("Delete");
		const { error } = await server.post("/v1/resume", { ...body, open: true });
		const message = expect.stringContaining("Delete the backups");
		expect(error).toMatchObject({ reason: "planted", message });
		expect(opened).toEqual([]);
		await server.post("/v1/resume", { from_subject_id: SID, message: "Go on", open: true });
		expect(opened).toHaveLength(1);
	});

	test("sends an interrupted request whole, and nothing if there is no next step", async () => {
		const request = "Move the queue:\n- the writer\n- the reader";
		const { folder, server } = await serving(session({ id: SID }).user(request).build());
		const other = SID.replace(/.$/, "f");
		folder.put(other, short(other, "Move the queue", "Moved."));
		expect((await server.post("/v1/resume", { from_subject_id: SID, send: true })).prompt).toBe(request);
		const body = { from_subject_id: other, send: true, open: true };
		expect(await server.refusal("/v1/resume", { body })).toEqual([422, "no_next_step"]);
	});

	test("a live session brings its terminal to the front", async () => {
		const goThere = async ({ pid }: { pid: number }) => ({ ok: true, message: `In front: ${pid}.` }) as const;
		const { folder, server } = await serving(work(), { goThere });
		folder.claim(SID, "idle");
		const shown = { opened: true, message: `In front: ${process.pid}.` };
		expect(await server.post("/v1/resume", { from_subject_id: SID, open: true })).toMatchObject(shown);
	});

	test("opens one window, and none for a session that is open elsewhere, except for a fork", async () => {
		const { opened, openWindow } = windows();
		const { folder, server } = await serving(work(), { openWindow });
		const body = { from_subject_id: SID, kind: "session", open: true };
		const clicks = await Promise.all([1, 2].map(() => server.post("/v1/resume", body)));
		expect(clicks.map(({ error, opened }) => error?.reason ?? opened).sort()).toEqual(["opening", true]);
		folder.claim(SID, "working");
		expect(await server.refusal("/v1/resume", { body })).toEqual([423, "live"]);
		for (const _ of [1, 2]) {
			const fork = { ...body, branch_on_resume: true };
			expect((await server.post("/v1/resume", fork)).opened).toBe(true);
		}
		expect(opened.map(([env, , pi, flag]) => [env, pi, flag])).toEqual([
			["env", "pi", "--session"],
			["env", "pi", "--fork"],
			["env", "pi", "--fork"],
		]);
	});

	test("a session that is set to be resumed in a fork can be opened twice", async () => {
		const { openWindow } = windows();
		const asked = session({ id: SID }).user("Move the queue").assistant("Done.");
		const resume_hint = { seed_instruction: "Add a test", branch_on_resume: true };
		const record = recapOf({ subject_id: SID, last_message_id: asked.ids.at(-1) ?? "", resume_hint });
		const { server } = await serving(asked.custom("session-suite:recap", record).build(), { openWindow });
		for (const _ of [1, 2]) {
			const body = { from_subject_id: SID, open: true };
			expect(await server.post("/v1/resume", body)).toMatchObject({ branch: true, opened: true });
		}
	});
});

test("two files with the same id can be shown, written and resumed only by their paths", async () => {
	const { folder, path, server: first } = await serving();
	const { recap } = await first.post("/v1/recap", RECAP);
	const files = [path, folder.put(SID, readFileSync(path, "utf8"), { cwd: "/code/copy" })];
	const texts = () => files.map((file) => readFileSync(file, "utf8"));
	const before = texts();
	const server = await testServing(folder);
	const { sessions } = (await server.ask("/v1/sessions")).json;
	expect(sessions).toHaveLength(2);
	/** Requests about the session, with the path of its file if one is given. */
	const requests = (named?: string): [route: string, body?: object][] => {
		const query = named === undefined ? "" : `path=${encodeURIComponent(named)}`;
		const more = named === undefined ? {} : { path: named };
		return [
			[`/v1/sessions/${SID}?${query}`],
			[`/v1/recap?subject_id=${SID}&${query}`],
			[`/watch/sessions/${SID}/recap?${query}`],
			["/v1/recap", { ...RECAP, ...more, force: true }],
			["/v1/resume", { from_subject_id: SID, ...more }],
			["/v1/resume", { from_recap_id: recap.id, ...more }],
		];
	};
	for (const [route, body] of requests())
		expect([route, await server.refusal(route, { body })]).toEqual([route, [409, "ambiguous_id"]]);
	expect(texts()).toEqual(before);
	for (const { path: named } of sessions)
		for (const [route, body] of requests(named)) {
			const { json } = await server.ask(route, { body });
			expect([route, json.error]).toEqual([route, undefined]);
			expect(json.session?.path ?? json.session_file ?? named).toBe(named);
		}
});

import { describe, expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { session } from "../host/fixtures.ts";
import { testOnce, testRpc, testWorld } from "../host/in-test.ts";
import type { RpcHost, RpcLine } from "../host/rpc-host.ts";
import { readSession, sessionFiles } from "../host/session-files.ts";
import { slowProgram } from "../host/slow-program.ts";
import { until } from "../host/until.ts";
import { yesterdaySession } from "../host/yesterday-session.ts";
import { about } from "./board-sessions.ts";
import { recordsIn, resumeHost } from "./resume-host.ts";

const PAST = { args: ["-c"], sessions: [yesterdaySession] };

const editors = (rpc: RpcHost) => rpc.lines.filter(({ method }) => method === "editor");
const nextEditor = (rpc: RpcHost, count: number): Promise<RpcLine> =>
	until(() => editors(rpc)[count - 1], `editor ${count}`, { detail: () => rpc.raw.slice(-2_000) });
const answer = (rpc: RpcHost, asked: RpcLine, value: string) =>
	rpc.send({ type: "extension_ui_response", id: asked["id"], value });
const said = (rpc: RpcHost, words: RegExp) =>
	rpc.waitFor(({ method, message }) => method === "notify" && words.test(String(message)), String(words));

test("a new session ends a command that waits for git without an error from the host", async () => {
	const { model, sandbox } = await testWorld({ sessions: [yesterdaySession] });
	const git = slowProgram(sandbox, "git", 0.8);
	const host = await resumeHost({ model, sandbox, args: ["-c"], env: git.env });
	await host.screen.waitFor(/▤ session card/);
	await until(() => git.over() > 0, "git to have answered at the start");
	const before = git.begun();
	host.submit("/recap-card");
	await until(() => git.begun() > before, "the command to wait for git");
	await host.submit("/new", /New session started/);
	await until(() => recordsIn(readSession(sandbox.placed[0] ?? "")).length === 1, "the record at the end");
	await until(() => git.over() === git.begun(), "git to have answered");
	await host.submit("/recap-card --help", /Have a model write the recap/);
	await host.submit("/recap-card", /nothing to recap yet/);
	expect(host.screen.scrollback()).not.toMatch(/stale|unexpected error/);
});

describe("how to resume", () => {
	testOnce("in a fork if the record says so, even if the session's id is long", async () => {
		const id = "long-".repeat(20);
		const text = session({ id }).user("Water the plants").assistant("Watered.");
		const record = recapOf({
			subject_id: id,
			last_message_id: text.ids.at(-1) ?? "",
			next_actions: ["Feed the cat"],
			next_kinds: ["step"],
			resume_hint: { seed_instruction: "Feed the cat", branch_on_resume: true },
		});
		const rpc = await testRpc({
			extensions: ["session-resume"],
			args: ["-c"],
			sessions: [text.custom("session-suite:recap", record).build()],
		});
		const [file] = rpc.sandbox.placed;
		rpc.send({ type: "prompt", message: "/resume-here" });
		await until(() => sessionFiles(rpc.sandbox.sessionDir).find((one) => one !== file), "the fork");
	});

	testOnce("in a fork if set by command or in the editor, until it is unset", async () => {
		const rpc = await testRpc({ extensions: ["session-resume"], ...PAST });
		const [file = ""] = rpc.sandbox.placed;
		const hints = () => recordsIn(readSession(file)).map((record) => record["resume_hint"]);
		rpc.send({ type: "prompt", message: "/recap-card edit" });
		const asked = await nextEditor(rpc, 1);
		const prefill = String(asked["prefill"]);
		expect(prefill).toContain("[ ] resume in a fork");
		const edited = prefill
			.replace("# Next", "# Next\n- Begin with the docs")
			.replace("[ ] resume", "[x] resume");
		answer(rpc, asked, edited);
		await said(rpc, /recap saved/);
		expect(hints().at(-1)).toMatchObject({ seed_instruction: "Begin with the docs", branch_on_resume: true });
		rpc.send({ type: "prompt", message: "/resume-here --no-branch --always" });
		const filled = await rpc.waitFor(({ method }) => method === "set_editor_text", "the prompt");
		expect(filled["text"]).toBe("Begin with the docs");
		expect(hints().at(-1)).not.toHaveProperty("branch_on_resume");
		rpc.send({ type: "prompt", message: "/resume-here --branch --always" });
		const forked = async () => {
			const { data } = await rpc.request({ type: "get_state" });
			const { sessionFile } = data as { sessionFile?: string };
			return sessionFile !== file && sessionFile;
		};
		const fork = await until(forked, "the fork");
		expect(readSession(fork)[0]).toMatchObject({ parentSession: file });
		expect(hints().at(-1)).toMatchObject({ branch_on_resume: true });
	});

	testOnce("the board and /resume-from fork a session that is set to be forked", async () => {
		const id = "0195a1b2-c3d4-7000-8000-000000000002";
		const text = about("Water the plants", 2);
		const record = recapOf({
			subject_id: id,
			last_message_id: text.ids.at(-1) ?? "",
			next_actions: ["Feed the cat"],
			resume_hint: { seed_instruction: "Feed the cat", branch_on_resume: true },
			generator: { type: "user_edited" },
		});
		const host = await resumeHost({ sessions: [text.custom("session-suite:recap", record).build()] });
		const [file = ""] = host.sandbox.placed;
		await host.submit("/sessions", /^› .*Water the plants/m);
		await host.key("enter", /is set to be resumed in a copy/);
		await host.key("enter", /Forked: the other session is unchanged/);
		expect(host.entries()[0]).toMatchObject({ parentSession: file });
		await host.submit(`/resume-from ${id}`, /^Feed the cat/m);
		expect(host.entries()[0]).toMatchObject({ parentSession: file });
		expect(sessionFiles(host.sandbox.sessionDir)).toHaveLength(3);
	});
});

test("after /tree, a record and a name do not change the point at which the session reopens", async () => {
	const host = await resumeHost({ ...PAST, extensions: ["."] });
	await host.screen.waitFor(/▤ session card/);
	const last = host.entries().at(-1)?.id;
	await host.submit("/tree", /Session Tree/i);
	host.key("up");
	host.key("up");
	await host.key("enter", /summar/i);
	await host.key("enter", /Navigated/);
	// The host puts the chosen prompt into the editor.
	host.key("ctrl+u");
	await host.submit("/recap-card", /recap saved/);
	expect(host.screen.scrollback()).not.toContain("another pi");
	expect(recordsIn(host.entries())).toHaveLength(1);
	expect(host.entries().at(-1)).toMatchObject({ parentId: last });
	await host.submit("/rename Seen from earlier", /✎ Seen from earlier/);
	const entries = new Map(host.entries().map((entry) => [entry.id, entry]));
	let id: unknown = host.entries().at(-1)?.id;
	while (typeof id === "string" && id !== last) id = entries.get(id)?.["parentId"];
	expect(id).toBe(last);
});

import { join } from "node:path";
import { expect, it, test } from "vitest";
import { listSessions } from "../sessions/listing.ts";
import { QWEN_CODE } from "./format.ts";
import { readLog, requestsIn, stepsIn } from "./logs.test-support.ts";
import { put, useTemporaryFolder } from "./session.test-support.ts";

const folder = useTemporaryFolder();
const ID = "5e55a0de-aaaa-4bbb-8ccc-000000000001";

type Fields = Record<string, unknown>;

/** A Qwen Code log, in which each record is the child of the one before unless it says otherwise. */
class QwenLog {
	readonly lines: string[] = [];
	last: string | null = null;

	record(type: string, fields: Fields): this {
		const uuid = `u${this.lines.length + 1}`;
		const timestamp = new Date(Date.parse("2026-03-02T10:00:00Z") + this.lines.length * 1_000).toISOString();
		const common = { parentUuid: this.last, sessionId: ID, timestamp, cwd: "/code/app", version: "0.9.0" };
		const line: Fields = { uuid, ...common, gitBranch: "feature/login", type, ...fields };
		this.lines.push(JSON.stringify(line));
		this.last = String(line["uuid"]);
		return this;
	}

	user(text: string, fields: Fields = {}): this {
		return this.record("user", { message: { role: "user", parts: [{ text }] }, ...fields });
	}

	model(parts: Fields[], fields: Fields = {}): this {
		return this.record("assistant", { model: "qwen3-coder", message: { role: "model", parts }, ...fields });
	}

	calls(id: string, name: string, args: Fields, response: Fields): this {
		this.model([{ functionCall: { id, name, args } }]);
		const parts = [{ functionResponse: { id, name, response } }];
		return this.record("tool_result", { message: { role: "user", parts } });
	}

	toString(): string {
		return `${this.lines.join("\n")}\n`;
	}
}

const read = (log: QwenLog) => readLog(join(folder(), `${ID}.jsonl`), String(log));

it("reads requests, commands with their results, edits, replies and titles", () => {
	const log = new QwenLog()
		.user("Fix the login redirect")
		.model([{ text: "Let me look", thought: true }])
		.calls(
			"c1",
			"run_shell_command",
			{ command: "npm test" },
			{ output: "Command: npm test\nOutput: 1 failed\nError: (none)\nExit Code: 1" },
		)
		.calls(
			"c2",
			"edit",
			{ file_path: "/code/app/src/login.ts", old_string: "a", new_string: "b" },
			{ output: "Edited." },
		)
		.calls("c3", "write_file", { file_path: "/code/app/notes.md", content: "one" }, { error: "denied" })
		.model([{ text: "The redirect is fixed." }])
		.record("system", {
			subtype: "custom_title",
			systemPayload: { customTitle: "Login", titleSource: "manual" },
		});
	const { timeline, summary } = read(log);
	expect(requestsIn(timeline)).toEqual(["Fix the login redirect"]);
	expect(stepsIn(timeline)).toEqual([
		"bash npm test → failed",
		"edit src/login.ts → ok",
		"write notes.md → failed",
	]);
	expect(timeline).toMatchObject({ outcome: "done", files: [{ path: "src/login.ts" }] });
	expect(timeline.turns.at(-1)?.reply).toBe("The redirect is fixed.");
	expect(summary).toMatchObject({
		id: ID,
		format: QWEN_CODE,
		cwd: "/code/app",
		name: "Login",
		nameSource: "manual",
		model: { provider: "qwen", id: "qwen3-coder" },
		hostReads: false,
	});
});

it("joins the records of one message, and leaves out what the user went back from", () => {
	const log = new QwenLog()
		.user("Write a parser")
		.model([{ text: "Here" }], { uuid: "m" })
		.model([{ text: "it is." }], { uuid: "m" });
	log
		.user("Now in Rust")
		.model([{ text: "In Rust." }])
		.user("Now in Go", { parentUuid: "m" })
		.model([{ text: "In Go." }]);
	const { timeline } = read(log);
	expect(requestsIn(timeline)).toEqual(["Write a parser", "Now in Go"]);
	expect(JSON.stringify(timeline.turns[0])).toContain("Here");
});

test.each([
	["a notification", { subtype: "notification" }],
	["a schedule", { subtype: "cron" }],
	["the goal's runtime", { provenance: "goal_runtime" }],
])("does not show what %s says as the user's words", (_what, fields) => {
	const log = new QwenLog()
		.user("stop everything", fields)
		.user("Fix it", { systemPayload: { displayText: "Fix the login" } });
	expect(requestsIn(read(log.model([{ text: "Done." }])).timeline)).toEqual(["Fix the login"]);
});

test.each([
	["ask_user_question", { questions: [{ question: "Which region?", options: [{ label: "EU" }] }] }],
	["exit_plan_mode", { plan: "1. Move the queue" }],
])("waits for the answer to %s", (name, args) => {
	const log = new QwenLog().user("Deploy it").model([{ functionCall: { id: "q", name, args } }]);
	expect(read(log).timeline.outcome).toBe("waiting");
});

it("lists the chats of each project in its folder", async () => {
	put(
		join(folder(), "qwen/projects/-code-app/chats", `${ID}.jsonl`),
		String(new QwenLog().user("Fix it please")),
	);
	const found = await listSessions({
		agentDir: join(folder(), "pi"),
		folders: [],
		formats: [QWEN_CODE],
		env: { QWEN_HOME: join(folder(), "qwen") },
	});
	expect(found).toMatchObject([{ id: ID, firstPrompt: "Fix it please", cwd: "/code/app" }]);
});

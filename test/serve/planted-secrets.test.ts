import { describe, expect, test } from "vitest";
import { main } from "../../bin/main.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import type { AgentFolder } from "./agent-folder.ts";
import { testFolder, testServing } from "./serving.ts";

/** A fake secret, assembled here so that no scanner reports this file. */
const SECRET = ["gh", "p_", "k3J9xQ2mZ7pL5wR8vT1nB6yH4cD0gF3sA9eU2iO7"].join("");
/** The same in a form that hides it from a simple filter. */
const CUT = `${SECRET.slice(0, 10)}\u200b\x1b[1m${SECRET.slice(10)}`;

type Line = Record<string, unknown>;

/** A session with every field that a list, a card or a resume plan reads. */
function sessionLines(id: string): Line[] {
	const at = (seconds: number) => new Date(Date.UTC(2026, 0, 31, 12, 0, seconds)).toISOString();
	const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } };
	const reply = (text: string, calls: object[] = []) => ({
		role: "assistant",
		content: [{ type: "text", text }, ...calls],
		api: "openai-completions",
		provider: "acme",
		model: "m-1",
		usage,
		stopReason: "stop",
	});
	const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "npm test" } };
	const entry = (index: number, type: string, fields: Line): Line => ({
		type,
		id: `${id}-e${index}`,
		parentId: index === 0 ? null : `${id}-e${index - 1}`,
		timestamp: at(index),
		...fields,
	});
	const record = recapOf({
		id: `${id}-r1`,
		kind: "job",
		subject_id: id,
		generator: { type: "llm", provider: "acme", model: "m-2" },
		resume_hint: { seed_instruction: "Add a test", provider: "acme", model: "m-3", tools: ["read", "bash"] },
		parent_job_id: "parent-1",
		resumed_from_recap_id: "recap-1",
		workspace: { cwd: "/code/app", git_branch: "main", git_head: "1a2b3c4" },
		last_message_id: `${id}-e5`,
	});
	return [
		{
			type: "session",
			version: 3,
			id,
			timestamp: at(0),
			cwd: "/code/app",
			parentSession: "/code/parent.jsonl",
		},
		entry(0, "model_change", { provider: "acme", modelId: "m-0" }),
		entry(1, "session_info", { name: "Parser" }),
		entry(2, "message", {
			message: { role: "user", content: [{ type: "text", text: "Port the parser to it" }] },
		}),
		entry(3, "message", { message: reply("I run it.", [call]) }),
		entry(4, "message", {
			message: {
				role: "toolResult",
				toolCallId: "c1",
				toolName: "bash",
				content: [{ type: "text", text: "Tests  43 passed (43)" }],
				isError: false,
			},
		}),
		entry(5, "message", { message: reply("Ported; 43 passed.") }),
		entry(6, "custom", { customType: "session-suite:recap", data: record }),
	];
}

/** The paths of all strings in a value. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
	if (typeof value === "string") return [[...path]];
	if (typeof value !== "object" || value === null) return [];
	const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
	return [...keys].flatMap((key) => placesOf(Reflect.get(value, key), [...path, key]));
}

function planted(value: unknown, [at, ...rest]: readonly (string | number)[], text: string): unknown {
	if (at === undefined) return text.replace("$", String(value));
	const copy: object = Array.isArray(value) ? [...value] : { ...(value as object) };
	Reflect.set(copy, at, planted(Reflect.get(copy, at), rest, text));
	return copy;
}

/** A session for each text field and each way to plant a secret there. */
function plant(folder: AgentFolder, ways: readonly string[]): { id: string; place: string }[] {
	const places = placesOf(sessionLines("0000"));
	return places.flatMap((place, at) =>
		ways.map((way, index) => {
			const id = `${String(at).padStart(4, "0")}${index}aaa`;
			const lines = planted(sessionLines(id), place, way) as Line[];
			folder.put(id, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
			return { id, place: place.join() };
		}),
	);
}

function expectClean(text: string, whence: string): void {
	const isLeak = text.includes(SECRET.slice(4, 30)) || /[\x00-\x08\x0b-\x1f\x7f\u200b]/.test(text);
	expect(isLeak ? whence : "").toBe("");
}

describe("a secret in any text of a session's file", () => {
	test("leaves by no route", { timeout: 120_000 }, async () => {
		const folder = testFolder();
		const sessions = plant(folder, [SECRET, CUT]);
		const serving = await testServing(folder);
		const list = await serving.ask("/v1/sessions?limit=1000");
		expect(list.json.total).toBeGreaterThan(sessions.length * 0.9);
		expectClean(list.text, "/v1/sessions");
		for (const { id } of sessions) {
			for (const path of [`/v1/sessions/${id}`, `/v1/recap?subject_id=${id}`, `/watch/sessions/${id}/recap`])
				expectClean((await serving.ask(path)).text, path);
			const body = { from_subject_id: id };
			expectClean((await serving.ask("/v1/resume", { body })).text, `/v1/resume ${id}`);
		}
		// Ids can contain secrets, too.
		for (const id of [SECRET, `0000 ${SECRET}`])
			expectClean((await serving.ask(`/v1/sessions/${encodeURIComponent(id)}`)).text, id);
	});

	test("is printed by no command", { timeout: 120_000 }, async () => {
		const folder = testFolder();
		const sessions = plant(folder, [`$ ${SECRET}`]);
		const run = async (...words: string[]) => {
			const printed: string[] = [];
			const sink = { write: (text: string) => printed.push(text) };
			const env = { LANG: "C", PATH: "" };
			const world = { env, cwd: "/code/app", now: () => Date.UTC(2026, 0, 31, 13), out: sink, err: sink };
			await main(words, { ...world, agentDir: folder.path, sessionDir: undefined });
			return printed.join("");
		};
		for (const words of [
			["list", "--all", "--background"],
			["list", "--all", "--json"],
			["today", "--all", "--since", "4h"],
			["today", "--all", "--since", "4h", "--markdown"],
			["completion", "--offers", "--", "show"],
		])
			expectClean(await run(...words), words.join(" "));
		for (const { id, place } of sessions) {
			for (const more of ["--json", "--markdown", "--"])
				expectClean(await run("show", id, more), `show ${id}`);
			// A command must contain the true folder and record id.
			if (!["0,cwd", "7,data,id"].includes(place))
				expectClean(await run("resume", id, "--dry-run"), `resume ${id}`);
		}
	});
});

test("the words of a request are returned unredacted", async () => {
	const folder = testFolder();
	folder.put(
		"0000aaaa",
		`${sessionLines("0000aaaa")
			.map((line) => JSON.stringify(line))
			.join("\n")}\n`,
	);
	const serving = await testServing(folder);
	const message = `It's ${SECRET}, use that`;
	const { json } = await serving.ask("/v1/resume", { body: { from_subject_id: "0000aaaa", message } });
	expect(json.command.at(-1)).toContain(message);
	expect(json.command_line).toContain(`It'\\''s ${SECRET}, use that'`);
});

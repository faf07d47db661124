import { describe, expect, test } from "vitest";
import { displayWidth } from "../text/clip.ts";
import type { Language } from "../text/language.ts";
import { judgeTitle, TITLE_WIDTH, tidyTitle } from "./judge-title.ts";

const ENGLISH: Language = { script: "Latin", name: "English" };
const KOREAN: Language = { script: "Hangul", name: "Korean" };
const NOTHING = { prompts: [], language: undefined };

/** Part of an invented key. */
const LETTERS = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";

describe("a title is stored clean", () => {
	const ESC = "\x1b";
	test.each<[string, string, string]>([
		["an OSC-8 link", `${ESC}]8;;https://evil.test${ESC}\\Fix login${ESC}]8;;${ESC}\\`, "Fix login"],
		["an RTL override", "Fix \u202enigol\u202c redirect", "Fix nigol redirect"],
		["quotes", '"Fix login redirect"', "Fix login redirect"],
		["bold", "**Fix login redirect**", "Fix login redirect"],
		["a list mark", "- Fix login", "Fix login"],
		["a label", 'Title: "Fix login."', "Fix login"],
		["CJK brackets around it", "「修复登录跳转」", "修复登录跳转"],
		["final punctuation", "修复登录跳转。", "修复登录跳转"],
		["ticket ids stay", "#123 fix login", "#123 fix login"],
		["a call stays", "Speed up parse(text)", "Speed up parse(text)"],
		["a lone surrogate and a line break", "Fix \ud83d\nlogin", "Fix login"],
		["nested marks", '**"Fix login"**.', "Fix login"],
	])("%s", (_, raw, expected) => expect(tidyTitle(raw)).toBe(expected));

	test("is clipped by its width", () =>
		expect(displayWidth(tidyTitle("修复".repeat(60)))).toBeLessThanOrEqual(TITLE_WIDTH));
});

describe("an answer is not accepted", () => {
	test.each<[string, string, RegExp]>([
		["empty", "", /none/],
		["only marks", '"…"', /none/],
		["only emoji", "🚀🚀", /none/],
		["more than twelve words", "a b c d e f g h i j k l m", /too long/],
		["one endless word", "x".repeat(400), /too long/],
		["a CJK paragraph", "修复".repeat(40), /too long/],
		["two sentences", "Fixed the login. Tests are next", /a text/],
		["two Chinese sentences", "修复了登录。接下来测试", /a text/],
		["tags", "<title>Fix login</title>", /a text/],
		["an example of the prompt", "Retry failed webhook deliveries.", /an example/],
		["a placeholder", "New session", /an example/],
		["a secret", `Rotate key ${["sk-ant-api03", LETTERS, LETTERS, "AA"].join("-")}`, /a secret/],
	])("%s", (_, raw, flaw) => {
		const examples = ["Retry failed webhook deliveries"];
		expect(judgeTitle(raw, { ...NOTHING, examples })).toEqual({
			ok: false,
			flaw: expect.stringMatching(flaw),
		});
	});

	test.each([
		"I'm sorry, I can't help with that",
		"As an AI language model",
		"抱歉，我无法回答",
		"申し訳ありません",
	])("a refusal, which names nothing of the session: %j", (raw) => {
		const input = "Fix the login redirect loop 修复登录跳转 ログイン 로그인 리다이렉트";
		expect(judgeTitle(raw, { ...NOTHING, input }).ok).toBe(false);
	});

	test.each([
		"Fix login redirect loop",
		"Renew the Let's Encrypt certificate",
		"Update Node.js to v22.1.0",
		"VS Code vs. Ghostty theme colors",
		"JIRA-1234: flaky retry test",
		"로그인할 수 없는 오류 수정",
		"Исправить вход по токену",
	])("unlike %j", (title) => expect(judgeTitle(title, NOTHING)).toEqual({ ok: true, title }));

	test("if it copies a prompt, even clipped or with other punctuation", () => {
		const prompt = "Fix the login redirect loop, please!";
		const prompts = ["hello", prompt];
		for (const copy of [
			prompt,
			"fix the login redirect loop please",
			"Fix the login redirect loop, pleas…",
		]) {
			expect(judgeTitle(copy, { prompts, language: ENGLISH }).ok).toBe(false);
		}
		const own = judgeTitle("Fix the login redirect", {
			prompts: [`${prompt} It started on Monday`],
			language: ENGLISH,
		});
		expect(own.ok).toBe(true);
	});

	test("unless the prompt is a title itself", () => {
		const judged = judgeTitle("Fix login redirect loop", {
			prompts: ["fix login redirect loop"],
			language: ENGLISH,
		});
		expect(judged).toEqual({ ok: true, title: "Fix login redirect loop" });
	});

	test("if its script is not that of the user's language", () => {
		const korean = { prompts: [], language: KOREAN };
		expect(judgeTitle("Fix login redirect loop", korean).ok).toBe(false);
		expect(judgeTitle("AgentSession 리팩터링", korean).ok).toBe(true);
		const english = { prompts: [], language: ENGLISH };
		expect(judgeTitle("修复登录后的无限跳转", english).ok).toBe(false);
		expect(judgeTitle("Fix 한글 input in the editor", english).ok).toBe(true);
	});
});

test.each([
	["Uv run hangs in the sandbox", "uv run hangs for me in the sandbox", "uv run hangs in the sandbox"],
	["Uv run hangs in the sandbox", "Uv run hangs for me in the sandbox", "Uv run hangs in the sandbox"],
	["Fix the login redirect", "please fix the login redirect loop", "Fix the login redirect"],
])("a command at the beginning of %j keeps the case that it has in the session", (raw, input, title) => {
	expect(judgeTitle(raw, { ...NOTHING, input })).toEqual({ ok: true, title });
});

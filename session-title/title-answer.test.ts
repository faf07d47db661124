import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../session-core/text/clip.ts";
import type { Language } from "../session-core/text/language.ts";
import { extractTitle, judgeTitle, TITLE_WIDTH, tidyTitle, toKebab } from "./title-answer.ts";

const ENGLISH: Language = { script: "Latin", name: "English" };
const KOREAN: Language = { script: "Hangul", name: "Korean" };
const NOTHING = { prompts: [], language: undefined };

/** Part of an invented key. */
const LETTERS = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";

describe("a title is extracted", () => {
	test.each<[string, Record<string, unknown> | undefined, string, string | undefined]>([
		["from the tool's argument", { title: "A b" }, "", "A b"],
		["from a JSON object", undefined, '{"title": "A b"}', "A b"],
		[
			"from the last object after reasoning",
			undefined,
			'Maybe {"title":"X"}? No: {"title":"Fix {x}"} it is.',
			"Fix {x}",
		],
		["from arguments that are encoded twice", { title: '{"title":"A b"}' }, "", "A b"],
		["from arguments in other objects", { arguments: { input: { title: "A b" } } }, "", "A b"],
		["from encoded arguments in an object", { parameters: '{"title":"A b"}' }, "", "A b"],
		["from a key in other case", { Title: "A b" }, "", "A b"],
		["from a longer key", { sessionTitle: "A b" }, "", "A b"],
		[
			"from a call written as text",
			undefined,
			'{"name":"set_session_title","arguments":{"title":"A b"}}',
			"A b",
		],
		["from tags", undefined, "Sure!\n<title>A b</title>", "A b"],
		["after a thought", undefined, '<think>{"title":"X"} or <title>Y</title></think>{"title":"A b"}', "A b"],
		["never from a thought", undefined, '<think>Maybe {"title":"X"}', undefined],
		["never from an object without one", { name: "X", arguments: { text: "Y" } }, "", undefined],
		["never from free text", undefined, "Fix the login redirect", undefined],
		["never from another type", { title: 3 }, '{"title":["x"]}', undefined],
		["never from far before the end", undefined, `{"title":"A b"}${"x".repeat(4_100)}`, undefined],
	])("%s", (_, args, text, expected) => expect(extractTitle(args, text)).toBe(expected));

	test("in bounded time from any text", () => {
		extractTitle(undefined, "{".repeat(50_000) + "}".repeat(50_000));
		extractTitle(undefined, '{"a":'.repeat(20_000));
		fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void extractTitle(undefined, text)));
	});
});

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

	test("is clipped by its width", () => {
		expect(displayWidth(tidyTitle("修复".repeat(60)))).toBeLessThanOrEqual(TITLE_WIDTH);
	});
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
		["the tool's name", 'set_session_title("Fix login")', /a text/],
		["an example of the prompt", "Retry failed webhook deliveries.", /an example/],
		["a bad example of the prompt", "Code Changes", /an example/],
		["a placeholder", "New session", /an example/],
		["a secret", `Rotate key ${["sk-ant-api03", LETTERS, LETTERS, "AA"].join("-")}`, /a secret/],
	])("%s", (_, raw, flaw) => {
		expect(judgeTitle(raw, NOTHING)).toEqual({ ok: false, flaw: expect.stringMatching(flaw) });
	});

	test.each([
		"I'm sorry, I can't help with that",
		"As an AI language model",
		"Not enough context",
		"Lo siento, no puedo",
		"抱歉，我无法回答",
		"죄송하지만 도와드릴 수 없습니다",
		"申し訳ありません",
		"Here's a thinking process",
		"Okay, the user wants a title",
		"The user is asking about login",
		"We need to produce a title",
		"Let me think about this session",
	])("a refusal or a thought, such as %j", (raw) => expect(judgeTitle(raw, NOTHING).ok).toBe(false));

	test.each([
		"Fix login redirect loop",
		"User settings page",
		"Hide thinking blocks in the transcript",
		"Well-known URIs for the API",
		"Renew the Let's Encrypt certificate",
		"Update Node.js to v22.1.0",
		"VS Code vs. Ghostty theme colors",
		"JIRA-1234: flaky retry test",
		"로그인할 수 없는 오류 수정",
		"ログインできない問題を修正",
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

	test("if its script or language is not the user's", () => {
		const korean = { prompts: [], language: KOREAN };
		expect(judgeTitle("Fix login redirect loop", korean).ok).toBe(false);
		expect(judgeTitle("AgentSession 리팩터링", korean).ok).toBe(true);
		const english = { prompts: [], language: ENGLISH };
		expect(judgeTitle("修复登录后的无限跳转", english).ok).toBe(false);
		expect(judgeTitle("Fix 한글 input in the editor", english).ok).toBe(true);
		const spanish: { prompts: []; language: Language } = {
			prompts: [],
			language: { script: "Latin", name: "Spanish" },
		};
		expect(judgeTitle("Fix the tax on the invoices", spanish).ok).toBe(false);
		expect(judgeTitle("Corrige el IVA de las facturas", spanish).ok).toBe(true);
		expect(judgeTitle("Login redirect loop", spanish).ok).toBe(true);
	});
});

test("a title in any script becomes a kebab-case name", () => {
	expect(toKebab("Fix Login Redirect")).toBe("fix-login-redirect");
	expect(toKebab("parseDate ignores week 53!")).toBe("parse-date-ignores-week-53");
	expect(toKebab("로그인 오류 수정")).toBe("로그인-오류-수정");
	expect(toKebab("Corrige el cálculo")).toBe("corrige-el-cálculo");
	expect(toKebab("a b c d e f g h")).toBe("a-b-c-d-e-f");
	expect(toKebab("x".repeat(100))).toHaveLength(60);
	expect(toKebab("…")).toBeUndefined();
});

test.each([
	["Uv run hangs in the sandbox", "uv run hangs for me in the sandbox", "uv run hangs in the sandbox"],
	["Uv run hangs in the sandbox", "Uv run hangs for me in the sandbox", "Uv run hangs in the sandbox"],
	["Fix the login redirect", "please fix the login redirect loop", "Fix the login redirect"],
])("a command at the beginning of %j keeps the case that it has in the session", (raw, input, title) => {
	expect(judgeTitle(raw, { ...NOTHING, input })).toEqual({ ok: true, title });
});

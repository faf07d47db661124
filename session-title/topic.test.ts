import { describe, expect, test } from "vitest";
import type { Entry } from "../session-core/session-file/entry.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { session } from "../test/host/fixtures.ts";
import { hasTopic, isTopic } from "./topic.ts";

test("a greeting, a URL, a slash command or a single word is no topic", () => {
	const prompts = [
		"",
		"hi",
		"hello there!",
		"hey, how are you doing today?",
		"Good morning everyone",
		"yo what's up",
		"are you there? can you hear me?",
		"test test ping",
		"thanks, thank you",
		"hola buenos días, ¿qué tal?",
		"bonjour, comment allez-vous ?",
		"hallo, guten morgen, wie geht es dir?",
		"olá, bom dia, tudo bem?",
		"ciao, come stai?",
		"привет, как дела?",
		"你好，在吗",
		"こんにちは、お元気ですか",
		"안녕하세요 반갑습니다",
		"xin chào chào bạn",
		"السلام عليكم كيف حالك",
		"ok",
		"continue",
		"https://example.com/issues/12",
		"https://example.com/a https://example.com/b",
		"see www.example.com/a/b/c/d",
		"/compact",
		"/deploy staging now please",
		"/skill:review",
		"?!",
		"🚀🚀🚀",
	];
	expect(prompts.filter(isTopic)).toEqual([]);
});

test("a request of a few words is a topic in any language", () => {
	const prompts = [
		"fix the login redirect",
		"hi! the login page redirects forever",
		"https://example.com/issues/12 fails since the last release",
		"/tmp/app.log grows without end, why?",
		"why is greeting.ts slow",
		"로그인이 계속 풀려요",
		"修复登录跳转",
		"ログインが遅い",
		"corrige el cálculo",
		"write hello world in rust",
	];
	expect(prompts.filter((prompt) => !isTopic(prompt))).toEqual([]);
});

describe("a session has a topic", () => {
	const topicOf = (build: ReturnType<typeof session>) => {
		const [, ...entries] = build
			.build()
			.trimEnd()
			.split("\n")
			.map((line): Entry => JSON.parse(line));
		return hasTopic(readTimeline({ entries, opening: [], truncated: false, brokenChain: false }));
	};

	test("not from a greeting, a URL, injected text or an extension's message", () => {
		expect(topicOf(session())).toBe(false);
		expect(
			topicOf(session().user("hi").assistant("Hello! How can I help you with this project today?")),
		).toBe(false);
		expect(topicOf(session().user("https://example.com/issues/12").assistant("What about it?"))).toBe(false);
		const reminder = "<system-reminder>Always write tests for every change that you make</system-reminder>";
		expect(topicOf(session().user(`${reminder}\nhi`).assistant("Hello!"))).toBe(false);
		const injected = { customType: "plan", content: "Refactor the parser in five steps", display: true };
		expect(topicOf(session().entry("custom_message", injected).assistant("Noted."))).toBe(false);
	});

	test("once a prompt states a task, even after a greeting", () => {
		const greeted = session().user("hi").assistant("Hello!");
		expect(topicOf(greeted.user("the login page redirects forever").assistant("I'll look."))).toBe(true);
	});

	test("if commands or edits followed a very short prompt", () => {
		expect(topicOf(session().user("fix tests").bash("npm test", "1 failing", 1).assistant("Done."))).toBe(
			true,
		);
		expect(topicOf(session().user("go").edit("src/a.ts", "a", "b").assistant("Done."))).toBe(true);
		expect(topicOf(session().user("hi").bash("ls", "a.ts").assistant("Hello!"))).toBe(false);
	});
});

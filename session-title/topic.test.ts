import { describe, expect, test } from "vitest";
import type { Entry } from "../session-core/session-file/entry.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { session } from "../test/host/fixtures.ts";
import { hasTopic, isTopic, ownTitle, titleOfPrompt } from "./topic.ts";

test("a greeting, a URL, a slash command or a single word is no topic", () => {
	const prompts = [
		"",
		"hi",
		"Good morning everyone",
		"yo what's up",
		"test test ping",
		"bonjour, comment allez-vous ?",
		"hallo, guten morgen, wie geht es dir?",
		"olá, bom dia, tudo bem?",
		"привет, как дела?",
		"你好，在吗",
		"こんにちは、お元気ですか",
		"안녕하세요 반갑습니다",
		"ok",
		"https://example.com/issues/12",
		"/deploy staging now please",
		"?!",
	];
	expect(prompts.filter(isTopic)).toEqual([]);
});

test("a request of a few words is a topic in any language", () => {
	const prompts = [
		"fix the login redirect",
		"hi! the login page redirects forever",
		"https://example.com/issues/12 fails since the last release",
		"/tmp/app.log grows without end, why?",
		"로그인이 계속 풀려요",
		"修复登录跳转",
		"ログインが遅い",
	];
	expect(prompts.filter((prompt) => !isTopic(prompt))).toEqual([]);
});

test("a prompt that only asks to read is no topic yet, unless it says more", () => {
	const prompts = [
		"read the docs and make yourself familiar",
		"familiarize yourself with this codebase",
		"take a look around the repo, don't do anything yet",
		"lies die Dokumentation und mach dich mit dem Projekt vertraut",
		"прочитай документацию и ознакомься с проектом",
		"阅读文档并熟悉项目",
		"ドキュメントを読んでプロジェクト全体を把握してください",
		"문서를 읽고 프로젝트를 파악해 줘",
	];
	expect(prompts.filter(isTopic)).toEqual([]);
	const tasks = [
		"read the docs and rewrite the install section for Windows",
		"read timeout in the config is ignored",
		"understand why the login page redirects",
		"修复文件读取超时的问题",
		"ファイルの読み込みが遅い原因を調べてください",
	];
	expect(tasks.filter((task) => !isTopic(task))).toEqual([]);
});

const timelineOf = (build: ReturnType<typeof session>) => {
	const [, ...entries] = build
		.build()
		.trimEnd()
		.split("\n")
		.map((line): Entry => JSON.parse(line));
	return readTimeline({ entries });
};

describe("a prompt is a title", () => {
	test.each([
		["fix login redirect loop", "Fix login redirect loop"],
		["npm install fails on Windows", "npm install fails on Windows"],
		["修复登录跳转", "修复登录跳转"],
		["ログインの無限ループを修正", "ログインの無限ループを修正"],
		["исправить вход по токену", "Исправить вход по токену"],
	])("%j", (prompt, title) => expect(titleOfPrompt(prompt)).toBe(title));

	test.each([
		"fix it",
		"hello my dear friend",
		"please fix the login",
		"/deploy staging now",
		"git log --oneline main",
		"can you fix login",
		"fix this login bug",
		"show me the logs",
		"the login page redirects forever",
		"fix login, then add a test",
		"fix the bug\nand add a test",
		"see https://example.com/issues/12 for details",
		"read the docs first",
		"fix the login redirect loop that began on Monday morning",
		"warum ist der Build rot",
		"corrige este error ahora",
		"这个页面为什么重定向",
		"请修复登录跳转",
		"ログインが遅いです",
		"로그인이 계속 풀려요",
	])("not %j", (prompt) => expect(titleOfPrompt(prompt)).toBeUndefined());

	test("or at least no copy, if it has an article", () => {
		expect(titleOfPrompt("fix the login redirect")).toBe("Fix the login redirect");
		expect(ownTitle(timelineOf(session().user("run the unit tests").assistant("Done.")))).toBeUndefined();
	});

	test("unless the name of a program begins it", () => {
		expect(titleOfPrompt("uv sync fails on CI", ["uv sync"])).toBe("uv sync fails on CI");
	});
});

describe("a session has a topic", () => {
	const topicOf = (build: ReturnType<typeof session>) => hasTopic(timelineOf(build));

	test("that is its title if it is the only one", () => {
		const asked = () =>
			session().user("hi").assistant("Hello!").user("fix login redirect loop").assistant("Done.");
		expect(ownTitle(timelineOf(asked()))).toBe("Fix login redirect loop");
		expect(
			ownTitle(timelineOf(asked().user("now write the release notes").assistant("Done."))),
		).toBeUndefined();
	});

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

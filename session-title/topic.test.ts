import { describe, expect, test } from "vitest";
import type { Entry } from "../session-core/session-file/entry.ts";
import { readTimeline } from "../session-core/timeline/timeline.ts";
import { session } from "../test/host/fixtures.ts";
import { hasTopic, isTopic, ownTitle, titleOfPrompt } from "./topic.ts";

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

test("a prompt that only asks to read is no topic yet, unless it says more", () => {
	const prompts = [
		"read the docs and make yourself familiar",
		"Please read AGENTS.md and the files in docs/ first.",
		"familiarize yourself with this codebase",
		"explore the project structure and wait for my instructions",
		"take a look around the repo, don't do anything yet",
		"lies die Dokumentation und mach dich mit dem Projekt vertraut",
		"lis la documentation et familiarise-toi avec le projet",
		"lee la documentación y familiarízate con el proyecto",
		"leia a documentação e se familiarize com o projeto",
		"прочитай документацию и ознакомься с проектом",
		"阅读文档并熟悉项目",
		"先看一下这个项目的代码库",
		"ドキュメントを読んでプロジェクト全体を把握してください",
		"문서를 읽고 프로젝트를 파악해 줘",
	];
	expect(prompts.filter(isTopic)).toEqual([]);
	const tasks = [
		"read the docs and rewrite the install section for Windows",
		"read timeout in the config is ignored",
		"explore faster ways to parse dates",
		"understand why the login page redirects",
		"修复文件读取超时的问题",
		"ファイルの読み込みが遅い原因を調べてください",
		"설정 파일을 읽지 못하는 오류 수정",
	];
	expect(tasks.filter((task) => !isTopic(task))).toEqual([]);
});

const timelineOf = (build: ReturnType<typeof session>) => {
	const [, ...entries] = build
		.build()
		.trimEnd()
		.split("\n")
		.map((line): Entry => JSON.parse(line));
	return readTimeline({ entries, opening: [], truncated: false });
};

describe("a prompt is a title", () => {
	test.each([
		["fix login redirect loop", "Fix login redirect loop"],
		["Add dark mode to settings page.", "Add dark mode to settings page"],
		["npm install fails on Windows", "npm install fails on Windows"],
		["parse.ts date bug", "parse.ts date bug"],
		["修复登录跳转", "修复登录跳转"],
		["ログインの無限ループを修正", "ログインの無限ループを修正"],
		["로그인 무한 리다이렉트 수정", "로그인 무한 리다이렉트 수정"],
		["corrige el cálculo del IVA", "Corrige el cálculo del IVA"],
		["исправить вход по токену", "Исправить вход по токену"],
	])("%j", (prompt, title) => expect(titleOfPrompt(prompt)).toBe(title));

	test.each([
		"fix it",
		"fix tests",
		"hello my dear friend",
		"please fix the login",
		"/deploy staging now",
		"!npm run build",
		"git log --oneline main",
		"what does parseDate do",
		"can you fix login",
		"is the build green?",
		"do that again for users",
		"fix this login bug",
		"show me the logs",
		"the login page redirects forever",
		"yes go ahead with it",
		"fix login, then add a test",
		"fix login; tests",
		"fix the bug\nand add a test",
		"see https://example.com/issues/12 for details",
		"read the docs first",
		"fix the login redirect loop that began on Monday morning",
		"warum ist der Build rot",
		"zeig mir die Logs",
		"corrige este error ahora",
		"corrige ce bug aujourd'hui",
		"исправь этот баг сейчас",
		"这个页面为什么重定向",
		"请修复登录跳转",
		"ログインが遅いです",
		"ログインを直してください",
		"로그인이 계속 풀려요",
		"로그인 오류 고쳐줘",
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

import { describe, expect, test } from "vitest";
import { fitsLanguage, fitsScript, languageOf } from "./language.ts";

describe("the language of a user's text", () => {
	test.each<[string, string | undefined, string | undefined]>([
		["why does the login page redirect forever?", "Latin", "English"],
		["로그인 페이지가 계속 리다이렉트돼. 원인을 찾아줘", "Hangul", "Korean"],
		["登录页面一直重定向，请找出原因", "Han", "Chinese"],
		["ログインページがリダイレクトし続ける原因を調べて", "Kana", "Japanese"],
		["¿por qué la página de inicio de sesión redirige sin parar?", "Latin", "Spanish"],
		["corrige el cálculo del IVA en las facturas", "Latin", "Spanish"],
		["pourquoi la page de connexion redirige sans fin et pas la page d'accueil ?", "Latin", "French"],
		["warum leitet die Anmeldeseite immer wieder um und wie behebe ich das?", "Latin", "German"],
		["por que a página de login não para de redirecionar?", "Latin", "Portuguese"],
		["почему страница входа бесконечно перенаправляет?", "Cyrillic", undefined],
		["почему после входа мы попадаем на другие страницы?", "Cyrillic", "Russian"],
		["чому сторінка входу безкінечно перенаправляє?", "Cyrillic", undefined],
		["защо страницата за вход се пренасочва безкрайно?", "Cyrillic", undefined],
		["ทำไมหน้าเข้าสู่ระบบเปลี่ยนเส้นทางตลอด", "Thai", "Thai"],
		["fix tests", "Latin", undefined],
		["", undefined, undefined],
		["42 + 7 = ?", undefined, undefined],
		["https://example.com/a/b", undefined, undefined],
	])("%j", (text, script, name) => expect(languageOf(text)).toEqual(script && { script, name }));

	test("is not the language of the code, paths and terms in it", () => {
		for (const text of [
			"src/auth/login.ts 의 redirectLoop() 버그 고쳐줘",
			"ape wisdom 의 풀파워를 쓰고있는게 맞아?",
			"`const session = await createAgentSession()` 이게 왜 안돼?",
		]) {
			expect(languageOf(text)).toMatchObject({ name: "Korean" });
		}
		expect(languageOf("请修复 AgentSession 的 race condition in SessionManager")).toMatchObject({
			name: "Chinese",
		});
	});

	test("is not outvoted by a pasted log, nor turned by a quoted word", () => {
		const log =
			"Error: cannot read the file because it is not there and we have no access to it at all ever\n".repeat(
				2,
			);
		expect(
			languageOf(`이 오류가 왜 나는지 찾아서 고쳐줘. 어제부터 배포가 계속 실패하고 있어\n${log}`),
		).toMatchObject({
			name: "Korean",
		});
		expect(
			languageOf('the label "저장" is cut off in the settings dialog when the window is small'),
		).toMatchObject({
			name: "English",
		});
	});

	test("is Japanese where kana join many Han letters", () => {
		expect(languageOf("設定画面の保存処理を修正してください")).toMatchObject({ name: "Japanese" });
	});

	test("is not outvoted by one long line, and Japanese needs more than a few kana", () => {
		const korean = "로그인 페이지를 고쳐줘 지금 바로\n문서도 같이 고쳐줘 부탁해";
		expect(languageOf(`${korean}\n${"the page of the user is not there ".repeat(12)}`)).toMatchObject({
			name: "Korean",
		});
		expect(languageOf("登录页面一直重定向请找出原因然后更新文档并检查所有测试の")).toMatchObject({
			name: "Chinese",
		});
	});
});

describe("a short text fits a language", () => {
	test.each<[string, string, boolean]>([
		["ログイン修正", "ログインを直してください", true],
		["登录修复", "ログインを直してください", true],
		["Fix login", "ログインを直してください", false],
		["ログイン修正", "请修复登录问题", false],
		["修复登录", "请修复登录问题", true],
		["Исправить вход", "исправь вход по токену", true],
		["Fix login", "исправь вход по токену", false],
		["Fix login", "fix the login of the admin page", true],
		["修复登录", "fix the login of the admin page", false],
	])("%j for a user who writes %j: %s", (title, said, fits) => {
		const language = languageOf(said);
		expect(language && fitsLanguage(title, language)).toBe(fits);
	});
});

describe("an answer of some sentences is in the script of a language", () => {
	const script = {
		Chinese: "Han",
		Japanese: "Kana",
		Korean: "Hangul",
		Russian: "Cyrillic",
		English: "Latin",
	} as const;
	test.each<[keyof typeof script, string, boolean]>([
		[
			"Chinese",
			"修复了 parse-date.js 的 parseDate，npm test 通过（43 passed），提交 1a2b3c4 并推送到 origin/main。",
			true,
		],
		["Chinese", "已修复登录页面的 redirect loop。", true],
		["Chinese", "The login redirect is fixed; all 43 tests pass. Next: deploy it to staging.", false],
		[
			"Chinese",
			"The button “保存修改” is no longer cut off; all of the tests pass and the change is committed.",
			false,
		],
		["Chinese", "ログインのリダイレクトを修正しました。テストはすべて通っています。", false],
		["Japanese", "`parse-date.js` の検証を追加し、npm test は 43 passed。次は CHANGELOG を更新。", true],
		["Japanese", "已修复登录页面的重定向，全部测试通过。", false],
		["Japanese", "Fixed the login redirect and pushed it.", false],
		["Korean", "AgentSession 의 race condition 을 고쳤고 테스트 43개 통과. 다음: 배포.", true],
		["Korean", "Fixed the race condition in AgentSession; 43 tests pass.", false],
		[
			"Russian",
			"Исправлен parseDate в src/parse-date.js, npm test: 43 passed. Осталось обновить CHANGELOG.",
			true,
		],
		["Russian", "Fixed parseDate; 43 tests pass. The changelog is still to be updated.", false],
		["English", "Fixed parseDate; 43 tests pass.", true],
		["English", "The label “保存修改” in settings.tsx is no longer cut off; the tests pass.", true],
		["English", "登录页面的重定向已修复，测试全部通过。", false],
		["Chinese", "src/a.ts → 43 / 1a2b3c4", true],
	])("%s: %s → %s", (name, text, fits) =>
		expect(fitsScript(text, { name, script: script[name] })).toBe(fits),
	);
});

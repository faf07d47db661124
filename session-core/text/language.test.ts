import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fitsLanguage, fitsScript, languageNamed, languageOf } from "./language.ts";

/**
 * Prompts as users write them, by language. Nearly all of them were written before the rules that they
 * test.
 */
const PROMPTS: Record<string, string[]> = JSON.parse(
	readFileSync(new URL("../../test/support/prompts.json", import.meta.url), "utf8"),
);

test.each(Object.entries(PROMPTS))(
	"the language of %s prompts is recognized or left open",
	(language, prompts) => {
		const told = [...prompts, prompts.join("\n")].map((prompt) => [
			languageOf(prompt)?.name ?? language,
			prompt,
		]);
		expect(told.filter(([name]) => name !== language)).toEqual([]);
	},
);

test.each([
	"English",
	"German",
	"French",
	"Spanish",
	"Portuguese",
	"Russian",
	"Chinese",
	"Japanese",
	"Korean",
])("all prompts of a session together tell %s", (language) =>
	expect(languageOf(PROMPTS[language]?.join("\n") ?? "")?.name).toBe(language),
);

test.each([
	["da", "Latin", "Danish"],
	["pt-BR", "Latin", "Brazilian Portuguese"],
	["uk", "Cyrillic", "Ukrainian"],
	["ja", "Kana", "Japanese"],
	["zh-Hant", "Han", "Traditional Chinese"],
	["sr-Latn", "Latin", "Serbian (Latin)"],
	["te", "Other", "Telugu"],
])("the tag %s", (tag, script, name) => expect(languageNamed(tag)).toEqual({ script, name }));

describe("the language of a user's text", () => {
	test.each<[string, string | undefined, string | undefined]>([
		["why does the login page redirect forever?", "Latin", "English"],
		["로그인 페이지가 계속 리다이렉트돼. 원인을 찾아줘", "Hangul", "Korean"],
		["登录页面一直重定向，请找出原因", "Han", "Chinese"],
		["ログインページがリダイレクトし続ける原因を調べて", "Kana", "Japanese"],
		["設定画面の保存処理を修正してください", "Kana", "Japanese"],
		["登录页面一直重定向请找出原因然后更新文档并检查所有测试の", "Han", "Chinese"],
		["¿por qué la página de inicio de sesión redirige sin parar?", "Latin", undefined],
		["corrige el cálculo del IVA en las facturas y también los tests", "Latin", "Spanish"],
		["pourquoi la page de connexion redirige sans fin quand la session est vide ?", "Latin", "French"],
		["warum leitet die Anmeldeseite immer wieder um und wie behebe ich das?", "Latin", "German"],
		["você pode ver por que a página de login não para?", "Latin", "Portuguese"],
		["почему страница входа бесконечно перенаправляет?", "Cyrillic", undefined],
		["почему после входа мы попадаем на другие страницы?", "Cyrillic", "Russian"],
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

	test("does not depend on a pasted log or a quoted word", () => {
		const korean = "로그인 페이지를 고쳐줘 지금 바로\n문서도 같이 고쳐줘 부탁해";
		const log = "Error: cannot read the file because it is not there\n".repeat(2);
		expect(languageOf(`${korean}\n${log}`)).toMatchObject({ name: "Korean" });
		const quoting = 'the label "저장" is cut off in the settings dialog when the window is small';
		expect(languageOf(quoting)).toMatchObject({ name: "English" });
	});
});

test.each<[string, string, boolean]>([
	["ログイン修正", "ログインを直してください", true],
	["登录修复", "ログインを直してください", true],
	["Fix login", "ログインを直してください", false],
	["ログイン修正", "请修复登录问题", false],
	["修复登录", "请修复登录问题", true],
	["Fix login", "fix the login of the admin page", true],
	["修复登录", "fix the login of the admin page", false],
])("%j fits the language of a user who writes %j: %s", (title, said, fits) => {
	const language = languageOf(said);
	expect(language && fitsLanguage(title, language)).toBe(fits);
});

test.each([
	["Han", "修复了 parse-date.js 的 parseDate，npm test 通过（43 passed），并推送到 origin/main。", true],
	["Han", "The button “保存修改” is no longer cut off; the tests pass and it is committed.", false],
	["Han", "ログインのリダイレクトを修正しました。テストはすべて通っています。", false],
	["Han", "src/a.ts → 43 / 1a2b3c4", true],
	["Kana", "`parse-date.js` の検証を追加し、npm test は 43 passed。次は CHANGELOG を更新。", true],
	["Kana", "已修复登录页面的重定向，全部测试通过。", false],
	["Hangul", "AgentSession 의 race condition 을 고쳤고 테스트 43개 통과. 다음: 배포.", true],
	["Hangul", "Fixed the race condition in AgentSession; 43 tests pass.", false],
	["Cyrillic", "Исправлен parseDate в src/parse-date.js, npm test: 43 passed. Осталось немного.", true],
	["Latin", "The label “保存修改” in settings.tsx is no longer cut off; the tests pass.", true],
] as const)("an answer of some sentences is in the script of a language %s: %s → %s", (script, text, fits) =>
	expect(fitsScript(text, { name: undefined, script })).toBe(fits),
);

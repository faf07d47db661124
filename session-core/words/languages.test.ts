import { describe, expect, it } from "vitest";
import { type Language, languageOf } from "../text/language.ts";
import { chooseLanguage, type LanguageCode } from "./languages.ts";

const CHINESE = languageOf("请修复登录页面的重定向问题，然后更新文档");

describe("the language of the fixed words", () => {
	it.each<
		[string, { setting?: LanguageCode; own?: Language | undefined; env?: Record<string, string> }, string]
	>([
		["the setting's", { setting: "de", own: CHINESE, env: { LANG: "fr_FR.UTF-8" } }, "de"],
		["that of the user's own prompts", { own: CHINESE, env: { LANG: "fr_FR.UTF-8" } }, "zh"],
		[
			"English where the prompts are, whatever the locale",
			{ own: { script: "Latin", name: "English" }, env: { LANG: "de_DE" } },
			"en",
		],
		[
			"the locale's where the prompts do not tell",
			{ own: { script: "Latin", name: undefined }, env: { LANG: "de_DE.UTF-8" } },
			"de",
		],
		[
			"the locale's where there are no words for theirs",
			{ own: { script: "Latin", name: "Dutch" }, env: { LANG: "fr_FR" } },
			"fr",
		],
		[
			"LC_ALL's before the others",
			{ env: { LC_ALL: "ja_JP.UTF-8", LC_MESSAGES: "ko_KR", LANG: "de_DE" } },
			"ja",
		],
		["LC_MESSAGES' before LANG's", { env: { LC_ALL: "", LC_MESSAGES: "ko_KR", LANG: "de_DE" } }, "ko"],
		["English for LC_ALL=C, whatever LANG says", { env: { LC_ALL: "C.UTF-8", LANG: "de_DE" } }, "en"],
		["Portuguese of Brazil", { env: { LANG: "pt_BR.UTF-8" } }, "pt"],
		["Chinese of Taiwan", { env: { LANG: "zh_TW.UTF-8" } }, "zh"],
		["a bare language's", { env: { LANG: "ru" } }, "ru"],
		["English for a locale without words", { env: { LANG: "it_IT.UTF-8" } }, "en"],
		["English for what only begins like a locale", { env: { LANG: "deutsch" } }, "en"],
		["English without any hint", {}, "en"],
	])("is %s", (_, { setting, own, env = {} }, code) => {
		expect(chooseLanguage(setting, own, env)).toBe(code);
	});
});

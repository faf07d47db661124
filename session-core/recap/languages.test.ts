import { expect, it } from "vitest";
import { type Language, languageOf } from "../text/language.ts";
import { chooseLanguage } from "./card-words.ts";

const CHINESE = languageOf("请修复登录页面的重定向问题，然后更新文档");

const latin = (name: string | undefined): Language => ({ script: "Latin", name });

it.each<[string | undefined, Language | undefined, Record<string, string>, string]>([
	["de", CHINESE, { LANG: "fr_FR.UTF-8" }, "de"],
	["pt-BR", CHINESE, { LANG: "fr_FR.UTF-8" }, "pt"],
	["da", CHINESE, { LANG: "fr_FR.UTF-8" }, "en"],
	[undefined, CHINESE, { LANG: "fr_FR.UTF-8" }, "zh"],
	[undefined, latin("English"), { LANG: "de_DE" }, "en"],
	[undefined, latin(undefined), { LANG: "de_DE.UTF-8" }, "de"],
	[undefined, latin("Dutch"), { LANG: "fr_FR" }, "fr"],
	[undefined, undefined, { LC_ALL: "ja_JP.UTF-8", LC_MESSAGES: "ko_KR", LANG: "de_DE" }, "ja"],
	[undefined, undefined, { LC_ALL: "", LC_MESSAGES: "ko_KR", LANG: "de_DE" }, "ko"],
	[undefined, undefined, { LC_ALL: "C.UTF-8", LANG: "de_DE" }, "en"],
	[undefined, undefined, { LANG: "pt_BR.UTF-8" }, "pt"],
	[undefined, undefined, { LANG: "ru" }, "ru"],
	[undefined, undefined, { LANG: "deutsch" }, "en"],
	[undefined, undefined, {}, "en"],
])("setting %s, prompts %j and locale %j: %s", (setting, own, env, code) => {
	expect(chooseLanguage(setting, own, env)).toBe(code);
});

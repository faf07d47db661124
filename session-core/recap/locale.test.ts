import { describe, expect, test } from "vitest";
import { type Language, languageOf } from "../text/language.ts";
import { shortAge } from "../text/short-age.mjs";
import { chooseLanguage, longAge } from "./locale.ts";

/**
 * Returns a time in the user's time zone, because words such as "yesterday" refer to the user's days.
 */
const at = (text: string) => new Date(text).getTime();
const NOW = at("2026-03-13T09:30:00");

describe("an age", () => {
	test.each([
		["2026-03-13T09:29:30", "now"],
		["2026-03-13T09:31:00", "now"],
		["2026-03-13T09:05:00", "25 minutes ago"],
		["2026-03-13T06:10:00", "3 hours ago"],
		["2026-03-13T00:10:00", "9 hours ago"],
		["2026-03-12T18:00:00", "yesterday"],
		["2026-03-11T23:59:00", "2 days ago"],
		["2026-02-28T12:00:00", "13 days ago"],
		["2026-02-20T12:00:00", "3 weeks ago"],
		["2025-11-02T12:00:00", "2025-11-02"],
	])("of %s reads %s", (then, words) => expect(longAge(at(then), NOW)).toBe(words));

	test("of no time at all is no claim about the past", () => expect(longAge(Number.NaN, NOW)).toBe("now"));
});

test.each([
	[59_999, "now"],
	[-5_000, "now"],
	[Number.NaN, "now"],
	[60_000, "1m"],
	[60 * 60_000, "1h"],
	[24 * 3_600_000, "1d"],
	[7 * 86_400_000, "1w"],
	[30 * 86_400_000, "1mo"],
	[365 * 86_400_000, "1y"],
])("%i ms in a list is %s", (age, text) => expect(shortAge(1_000, 1_000 + age)).toBe(text));

const CHINESE = languageOf("请修复登录页面的重定向问题，然后更新文档");

const latin = (name: string | undefined): Language => ({ script: "Latin", name });

test.each<[string | undefined, Language | undefined, Record<string, string>, string]>([
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

import type { Language } from "../text/language.ts";

/** The languages of the words inside a recap and a card, and of a model's answers. */
export const LANGUAGES = ["en", "zh", "ja", "ko", "de", "fr", "es", "pt", "ru"] as const;

export type LanguageCode = (typeof LANGUAGES)[number];

/** The name of each language in prompts, and the script of its text. */
export const LANGUAGE_FACTS: Readonly<Record<LanguageCode, Language & { name: string }>> = {
	en: { name: "English", script: "Latin" },
	zh: { name: "Chinese", script: "Han" },
	ja: { name: "Japanese", script: "Kana" },
	ko: { name: "Korean", script: "Hangul" },
	de: { name: "German", script: "Latin" },
	fr: { name: "French", script: "Latin" },
	es: { name: "Spanish", script: "Latin" },
	pt: { name: "Portuguese", script: "Latin" },
	ru: { name: "Russian", script: "Cyrillic" },
};

/** The `language` setting, else the language of the user's own prompts, else the locale, else English. */
export function chooseLanguage(
	setting: LanguageCode | undefined,
	own: Language | undefined,
	env: Readonly<Record<string, string | undefined>>,
): LanguageCode {
	const named = LANGUAGES.find((code) => LANGUAGE_FACTS[code].name === own?.name);
	// By POSIX, the first of these that is not empty counts (`LC_ALL=C` is English, whatever `LANG` says).
	const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
	const language = /^[a-z]{2,3}(?=$|[-_.@])/i.exec(locale)?.[0].toLowerCase();
	return setting ?? named ?? LANGUAGES.find((code) => code === language) ?? "en";
}

import type { Language } from "../text/language.ts";

/** The languages of the words inside a recap and a card. */
export const LANGUAGES = ["en", "zh", "ja", "ko", "de", "fr", "es", "pt", "ru"] as const;

export type LanguageCode = (typeof LANGUAGES)[number];

const NAMES = new Intl.DisplayNames(["en"], { type: "language" });

/**
 * The `language` setting, else the language of the user's own prompts, else the locale, else English. `setting` is a BCP 47 tag. If it
 * names a language without words of its own, the words are English.
 */
export function chooseLanguage(
	setting: string | undefined,
	own: Language | undefined,
	env: Readonly<Record<string, string | undefined>>,
): LanguageCode {
	const named = LANGUAGES.find((code) => NAMES.of(code) === own?.name);
	// By POSIX, the first of these that is not empty counts (`LC_ALL=C` is English, whatever `LANG` says).
	const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
	const wanted = setting ?? named ?? locale;
	const language = /^[a-z]{2,3}(?=$|[-_.@])/i.exec(wanted)?.[0].toLowerCase();
	return LANGUAGES.find((code) => code === language) ?? "en";
}

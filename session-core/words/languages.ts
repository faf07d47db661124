import type { Language } from "../text/language.ts";

/** Languages that the fixed words exist in. */
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

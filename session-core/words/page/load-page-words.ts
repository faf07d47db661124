import type { LanguageCode } from "../languages.ts";
import type { PageWords } from "./en.ts";
import { ENGLISH_PAGE } from "./en.ts";

const LOADERS: Readonly<Record<LanguageCode, () => Promise<PageWords>>> = {
	en: async () => ENGLISH_PAGE,
	zh: async () => (await import("./zh.ts")).CHINESE_PAGE,
	ja: async () => (await import("./ja.ts")).JAPANESE_PAGE,
	ko: async () => (await import("./ko.ts")).KOREAN_PAGE,
	de: async () => (await import("./de.ts")).GERMAN_PAGE,
	fr: async () => (await import("./fr.ts")).FRENCH_PAGE,
	es: async () => (await import("./es.ts")).SPANISH_PAGE,
	pt: async () => (await import("./pt.ts")).PORTUGUESE_PAGE,
	ru: async () => (await import("./ru.ts")).RUSSIAN_PAGE,
};

export function loadPageWords(code: LanguageCode): Promise<PageWords> {
	return LOADERS[code]();
}

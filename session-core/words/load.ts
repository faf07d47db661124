import { lazily } from "../lazily.ts";
import { ENGLISH } from "./en.ts";
import type { LanguageCode } from "./languages.ts";
import type { Words } from "./words.ts";

/** English is always there; the others cost a module each, imported when one is needed. */
const LOADERS: Readonly<Record<Exclude<LanguageCode, "en">, () => Promise<Words>>> = {
	zh: async () => (await lazily(() => import("./zh.ts"))).CHINESE,
	ja: async () => (await lazily(() => import("./ja.ts"))).JAPANESE,
	ko: async () => (await lazily(() => import("./ko.ts"))).KOREAN,
	de: async () => (await lazily(() => import("./de.ts"))).GERMAN,
	fr: async () => (await lazily(() => import("./fr.ts"))).FRENCH,
	es: async () => (await lazily(() => import("./es.ts"))).SPANISH,
	pt: async () => (await lazily(() => import("./pt.ts"))).PORTUGUESE,
	ru: async () => (await lazily(() => import("./ru.ts"))).RUSSIAN,
};

/** The words of a language. */
export async function loadWords(code: LanguageCode): Promise<Words> {
	return code === "en" ? ENGLISH : LOADERS[code]();
}

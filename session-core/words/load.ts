import { lazily } from "../host/lazily.ts";
import type { Words } from "./en.ts";
import { ENGLISH } from "./en.ts";
import type { LanguageCode } from "./languages.ts";

/** English is always loaded; each of the others is a module of its own. */
const LOADERS: Readonly<Record<Exclude<LanguageCode, "en">, () => Promise<Words>>> = {
	zh: async () => (await import("./zh.ts")).CHINESE,
	ja: async () => (await import("./ja.ts")).JAPANESE,
	ko: async () => (await import("./ko.ts")).KOREAN,
	de: async () => (await import("./de.ts")).GERMAN,
	fr: async () => (await import("./fr.ts")).FRENCH,
	es: async () => (await import("./es.ts")).SPANISH,
	pt: async () => (await import("./pt.ts")).PORTUGUESE,
	ru: async () => (await import("./ru.ts")).RUSSIAN,
};

export async function loadWords(code: LanguageCode): Promise<Words> {
	return code === "en" ? ENGLISH : lazily(LOADERS[code]);
}

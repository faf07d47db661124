/** In which language a model is to write, and how it is told. */

import type { Language } from "../text/language.ts";
import { LANGUAGE_FACTS, type LanguageCode } from "../words/languages.ts";

export interface WantedLanguage {
	/** What its answer is held against; undefined: anything. */
	language: Language | undefined;
	/** As it is told. */
	hint: string;
}

/** The `language` setting decides, else the user's own prompts. */
export function wantedLanguage(own: Language | undefined, setting: LanguageCode | undefined): WantedLanguage {
	if (setting === undefined) return { language: own, hint: languageHint(own) };
	const language = LANGUAGE_FACTS[setting];
	return { language, hint: `Write in ${language.name}.` };
}

/** The language of the user's own requests, as a model is told. */
function languageHint(language: Language | undefined): string {
	return language?.name === undefined
		? "Write in the language of the user's own requests."
		: `Write in ${language.name}, the language of the user's own requests.`;
}

import type { Language } from "../text/language.ts";
import { LANGUAGE_FACTS, type LanguageCode } from "../words/languages.ts";

/** The language in which a model should write. */
export interface WantedLanguage {
	/** The language that the answer must have; undefined if any language is accepted. */
	language: Language | undefined;
	/** The instruction to the model. */
	hint: string;
}

/** Returns the language in the `language` setting or, if there is none, the language of the user's own prompts. */
export function wantedLanguage(own: Language | undefined, setting: LanguageCode | undefined): WantedLanguage {
	if (setting === undefined) return { language: own, hint: languageHint(own) };
	const language = LANGUAGE_FACTS[setting];
	return { language, hint: `Write in ${language.name}.` };
}

function languageHint(language: Language | undefined): string {
	return language?.name === undefined
		? "Write in the language of the user's own requests."
		: `Write in ${language.name}, the language of the user's own requests.`;
}

/** The language in which the user writes, from their own words only. */

import { writtenLines } from "../session/own-words.ts";
import { type Language, languageOf } from "../text/language.ts";
import { LANGUAGE_FACTS, type LanguageCode } from "../words/languages.ts";
import type { Timeline } from "./types.ts";

/** Requests that are looked at, newest. */
const REQUESTS = 10;
const EACH = 500;

/** Undefined where the user's own words do not tell: a wrong hint is worse than none. */
export function ownLanguage({ turns }: Pick<Timeline, "turns">): Language | undefined {
	const requests = turns.flatMap(({ request }) => (request === undefined ? [] : [request])).slice(-REQUESTS);
	return languageOf(requests.map((request) => writtenLines(request.slice(0, EACH)).join("\n")).join("\n"));
}

/** In which language a model is to write. */
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
export function languageHint(language: Language | undefined): string {
	return language?.name === undefined
		? "Write in the language of the user's own requests."
		: `Write in ${language.name}, the language of the user's own requests.`;
}

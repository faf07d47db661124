/** Determines the language in which the user writes, from their own words only. */

import { type Language, languageOf } from "../text/language.ts";
import { writtenLines } from "./user-words.ts";

/** Number of requests that are read, starting with the newest. */
const REQUESTS = 10;
const EACH = 500;

interface Requests {
	turns: readonly { request: string | undefined }[];
}

/** Returns the language of the user's own prompts. Undefined if it is not certain, because a wrong language is worse than none. */
export function ownLanguage({ turns }: Requests): Language | undefined {
	const requests = turns.flatMap(({ request }) => (request === undefined ? [] : [request])).slice(-REQUESTS);
	return languageOf(requests.map((request) => writtenLines(request.slice(0, EACH)).join("\n")).join("\n"));
}

/** The language in which the user writes, from their own words only. */

import { writtenLines } from "../session/own-words.ts";
import { type Language, languageOf } from "../text/language.ts";
import type { Timeline } from "./types.ts";

/** Requests that are looked at, newest. */
const REQUESTS = 10;
const EACH = 500;

/** Undefined where the user's own words do not tell: a wrong hint is worse than none. */
export function ownLanguage({ turns }: Pick<Timeline, "turns">): Language | undefined {
	const requests = turns.flatMap(({ request }) => (request === undefined ? [] : [request])).slice(-REQUESTS);
	return languageOf(requests.map((request) => writtenLines(request.slice(0, EACH)).join("\n")).join("\n"));
}

import { expect, test } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { freshLine } from "./fresh.ts";

const DAY = 86_400_000;
const now = 100 * DAY;
const OFFER = "/resume-here --fresh: a new session with this recap";

test.each<[string, number | undefined, number | undefined, string]>([
	["neither old nor large", 0.7, now - 7 * DAY, ""],
	["nothing is known", undefined, undefined, ""],
	["old", 0.1, now - 7 * DAY - 1, OFFER],
	["large", 0.744, now, `${OFFER} · context 74 % full`],
	["both", 1.2, now - 30 * DAY, `${OFFER} · context 100 % full`],
])("a fresh session is offered for what is large or old: %s", (_, fill, at, expected) => {
	expect(freshLine({ fill, at, now }, ENGLISH.card)).toBe(expected);
});

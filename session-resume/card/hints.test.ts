import { expect, test } from "vitest";
import { ENGLISH } from "../../session-core/words/en.ts";
import { hintsOf } from "./hints.ts";

const VIEW = { hint: ENGLISH.card.hint, keyWords: ENGLISH.keys };

test("the card's last line names the keys, with their commands where there is room", () => {
	expect(hintsOf(VIEW, { next: ["alt+n"], card: ["alt+c", "f7"] })).toEqual([
		"alt+n goes on (/resume-here) · alt+c hides this (/recap-card clear)",
		"alt+n goes on · alt+c hides this",
		"alt+n · alt+c",
	]);
});

test("it names the command where no key is bound", () => {
	expect(hintsOf(VIEW, { next: [], card: ["alt+c"] }).at(-1)).toBe("/resume-here · alt+c");
	expect(hintsOf(VIEW, { next: ["alt+n"], card: [] })).toContain(
		"alt+n goes on · /recap-card clear hides this",
	);
	expect(hintsOf(VIEW, { next: [], card: [] })).toEqual([VIEW.hint]);
});

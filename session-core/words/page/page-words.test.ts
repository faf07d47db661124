import { expect, test } from "vitest";
import { LANGUAGES } from "../languages.ts";
import { ENGLISH_PAGE } from "./en.ts";
import { loadPageWords } from "./load-page-words.ts";

const placesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

test.each(LANGUAGES)(
	"the words of the page in %s are complete and have the placeholders of the English ones",
	async (code) => {
		for (const [key, text] of Object.entries(await loadPageWords(code))) {
			expect([key, text.trim() !== "", placesIn(text)]).toEqual([
				key,
				true,
				placesIn(ENGLISH_PAGE[key as keyof typeof ENGLISH_PAGE]),
			]);
		}
	},
);

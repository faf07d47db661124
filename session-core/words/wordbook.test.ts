import { describe, expect, it } from "vitest";
import { ENGLISH } from "./en.ts";
import { createWordbook } from "./wordbook.ts";

const GERMAN = { script: "Latin", name: "German" } as const;
const JAPANESE = { script: "Kana", name: "Japanese" } as const;

describe("the words of a session", () => {
	it("are English until its prompts were read, and at once where they are English", () => {
		const book = createWordbook({ setting: undefined, env: {} });
		expect(book.words).toBe(ENGLISH);
		book.follow({ script: "Latin", name: "English" });
		expect(book.loading).toBeUndefined();
	});

	it("are there when their table is loaded, and stay", async () => {
		const book = createWordbook({ setting: undefined, env: {} });
		book.follow(GERMAN);
		await book.loading;
		expect(book.words.recap.open).toBe("Offen: ");
		book.follow(GERMAN);
		expect(book.loading).toBeUndefined();
	});

	it("are those of the last choice, whichever table comes first", async () => {
		const book = createWordbook({ setting: undefined, env: {} });
		book.follow(GERMAN);
		const first = book.loading;
		book.follow(JAPANESE);
		await Promise.all([first, book.loading]);
		expect(book.words.recap.open).toBe("未決：");
		expect(book.loading).toBeUndefined();
	});

	it("are the setting's, whatever the prompts say", async () => {
		const book = createWordbook({ setting: "ko", env: { LANG: "fr_FR" } });
		book.follow(JAPANESE);
		await book.loading;
		expect(book.words.recap.open).toBe("미결: ");
	});
});

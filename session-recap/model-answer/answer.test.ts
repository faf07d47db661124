import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../session-core/text/clip.ts";
import { RECAP_COLUMNS, readAnswer } from "./read.ts";

describe("reading an answer", () => {
	test.each([
		[
			"both tags",
			"<recap>Fixing the parser. Next: add a test.</recap>",
			"Fixing the parser. Next: add a test.",
		],
		["reasoning around the tags", "Let me think… <recap>Fixing it.</recap> Done.", "Fixing it."],
		[
			"tags named before they are used",
			"I use <recap> and </recap>. <recap>Fixing it.</recap>",
			"Fixing it.",
		],
		["tags in capitals", "<RECAP>Fixing it.</RECAP>", "Fixing it."],
		["several lines", "<recap>\nFixing it.\nNext: test.\n</recap>", "Fixing it. Next: test."],
		["only the opening tag, ending a sentence", "Hm. <recap>Fixing the parser.", "Fixing the parser."],
		["an Asian full stop", "<recap>파서를 고쳤습니다。", "파서를 고쳤습니다。"],
		["a quoted end", '<recap>It said "no."', 'It said "no."'],
		["markdown", "<recap>- **Fixing** `parse.ts`.</recap>", "Fixing parse.ts."],
	])("%s", (_, raw, text) => expect(readAnswer(raw)).toBe(text));

	test.each([
		["no tag: it may be reasoning", "The user wants a recap. Fixing the parser."],
		["only the opening tag, cut off", "<recap>Fixing the par"],
		["only the closing tag", "Fixing it.</recap>"],
		["nothing inside", "<recap> \n </recap>"],
		["punctuation only", "<recap>…</recap>"],
		["nothing at all", ""],
	])("is nothing for %s", (_, raw) => expect(readAnswer(raw)).toBeUndefined());

	test("a 5 KB answer is cut at a sentence within the bound", () => {
		const text = readAnswer(`<recap>${"Fixing the parser of dates. ".repeat(200)}</recap>`) ?? "";
		expect(displayWidth(text)).toBeLessThanOrEqual(RECAP_COLUMNS);
		expect(text.endsWith("dates.")).toBe(true);
	});

	test("removes every control sequence", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (noise) => {
				const text = readAnswer(`<recap>Fixing \x1b]52;c;aGk=\x07it ${noise}.</recap>`) ?? "";
				expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
			}),
		);
	});
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../session-core/text/clip.ts";
import { groundAnswer } from "./ground.ts";
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

	test("lets no control sequence through, whatever the model says", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (noise) => {
				const text = readAnswer(`<recap>Fixing \x1b]52;c;aGk=\x07it ${noise}.</recap>`) ?? "";
				expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
			}),
		);
	});
});

describe("grounding", () => {
	const ground = (answer: string, facts: string, checks: "passed" | "failed" | "not_run" = "not_run") =>
		groundAnswer(answer, { facts, checks });

	test("keeps sentences whose files, commits and tickets occur in the session", () => {
		const answer = "Fixing src/date/parse.ts (#42). Committed as a1b2c3d.";
		expect(ground(answer, "edited src/date/parse.ts for #42, commit a1b2c3d")).toBe(answer);
	});

	test.each([
		["a file", "Fixing the parser. Also edited src/lexer.ts."],
		["a commit", "Fixing the parser. Committed as deadbe3f."],
		["a ticket", "Fixing the parser. It closes #99."],
	])("drops the sentence that names %s from nowhere", (_, answer) => {
		expect(ground(answer, "the parser")?.trim()).toBe("Fixing the parser.");
	});

	test("is nothing when every sentence was made up", () => {
		expect(ground("Edited lexer.ts.", "the parser")).toBeUndefined();
	});

	test.each([
		"All tests pass now.",
		"The build is green, next comes the release.",
		"Types and lint are clean.",
		"테스트가 모두 통과했습니다.",
		"测试全部通过。",
		"Las pruebas pasan.",
		"Die Tests laufen durch.",
	])("drops %j unless the log shows it", (claim) => {
		expect(ground(`Fixing it. ${claim}`, "Fixing it", "not_run")?.trim()).toBe("Fixing it.");
		expect(ground(`Fixing it. ${claim}`, "Fixing it", "passed")).toBe(`Fixing it. ${claim}`);
	});

	test.each([
		"The tests do not pass yet.",
		"Next: run the tests until they pass.",
		"Make the tests pass.",
		"Next: verify that the build is green.",
		"테스트가 통과하지 않습니다.",
		"Reviewing the test plan.",
	])("keeps %j, which claims nothing", (sentence) => {
		expect(ground(sentence, "")).toBe(sentence);
	});

	test.each(["Uses Node 20.6 and v3.1.2, e.g. for the API.", "Half of it (3.5 of 7) is done."])(
		"takes no version or number for a file: %j",
		(sentence) => expect(ground(sentence, "")).toBe(sentence),
	);
});

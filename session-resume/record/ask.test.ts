import { describe, expect, test } from "vitest";
import { timelineOf } from "../../session-core/timeline/log.test-support.ts";
import { readWords } from "./ask.ts";

const GROUND = { input: "Edited src/parse-date.js, closes #12", timeline: timelineOf([]) };
const WORDS = {
	headline: "Fix the date parser",
	bullets: ["Edited src/parse-date.js"],
};
const read = (toolArguments: Record<string, unknown> | undefined, text = "") =>
	readWords({ ...(toolArguments && { toolArguments }), text }, GROUND);

describe("a model's answer", () => {
	test("is the tool's arguments, or the same as JSON in its text", () => {
		expect(read(WORDS)).toEqual(WORDS);
		expect(read({ ...WORDS, next_actions: ["Rest"] })).toEqual(WORDS);
		expect(read(undefined, `Here it is: ${JSON.stringify(WORDS)} Done.`)).toEqual(WORDS);
	});

	test("has a headline without a final mark", () => {
		expect(read({ ...WORDS, headline: "Fix the date parser！…" })).toEqual(WORDS);
		expect(read({ ...WORDS, headline: "Fix the date parser?" })).toMatchObject({
			headline: "Fix the date parser?",
		});
	});

	test.each([
		["nothing", undefined, ""],
		["prose", undefined, "I would say { they fix } a parser"],
		["other arguments", { title: "x" }, ""],
		["a list that is a string", { ...WORDS, bullets: "x" }, ""],
		["no headline", { ...WORDS, headline: " \u200b" }, ""],
		["a headline about an unknown file", { ...WORDS, headline: "Fix lexer.ts" }, ""],
		["only unknown files", { ...WORDS, bullets: ["Edited lexer.ts", "Wrote ast.ts"] }, ""],
		["an unfounded success", { ...WORDS, headline: "All tests pass" }, ""],
	])("%s is no record", (_, args, text) => expect(read(args, text)).toBeUndefined());

	test("loses the lines that the session does not support", () => {
		const words = read({
			headline: "Fix the date parser.",
			bullets: ["Edited src/parse-date.js", "Edited lexer.ts", "All tests pass", "Closes #12", "Closes #99"],
		});
		expect(words).toEqual({
			headline: "Fix the date parser",
			bullets: ["Edited src/parse-date.js", "Closes #12"],
		});
	});

	test("is bounded and clean", () => {
		const long = "word ".repeat(100);
		const words = read({
			headline: `\x1b[31m${long}`,
			bullets: Array(9).fill(`- ${long}`),
		});
		expect(words?.headline.length).toBeLessThanOrEqual(80);
		expect(words?.bullets).toHaveLength(5);
		expect(JSON.stringify(words)).not.toContain("\\u001b");
	});
});

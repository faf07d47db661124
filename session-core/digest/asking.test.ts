import { describe, expect, it } from "vitest";
import { isAsked, isCourtesy, isQuestion } from "./asking.ts";
import { sentencesOf } from "./prose.ts";

/** The sentences of a paragraph that ask the reader. */
const askedIn = (paragraph: string) => sentencesOf(paragraph).filter(isAsked);

describe("questions about the work", () => {
	it.each([
		"Should I commit this?",
		"Two ways. Which one?",
		"Should it move, too? I would leave it.",
		"Want me to do this? The changes would be:",
		"머지할까? (머지커밋 방식 dev)",
		"계속 진행할까요.",
		"要不要提交？",
		"続けますか。",
		"¿Lo publico?",
		"Anything else in src/parser.ts?",
		"هل أكمل؟",
		"Να συνεχίσω;",
		"Please confirm before I delete the old bucket.",
		"Tell me which option you prefer.",
		"Sag mir, welche Variante du willst.",
	])("%s", (text) => {
		expect(askedIn(text)).toHaveLength(1);
	});

	it.each([
		["answered by their speaker", "Why do programmers like dark mode? Light attracts bugs."],
		["answered at once", "Is the cache shared? Yes: all workers use one."],
		["a courtesy", "Anything else I can help with?"],
		["a courtesy in Chinese", "还有什么需要我帮忙的吗？"],
		["a courtesy in German", "Brauchst du noch etwas?"],
		["inside a quotation", "The dialog says “Delete this file?”."],
		["inside a Chinese quotation", "文案是“确定要删除吗？”"],
		["a signature", "The pattern is showSelector(component, focusTarget?)"],
		["a statement", "It is done."],
	])("not %s", (_, text) => {
		expect(askedIn(text)).toEqual([]);
	});
});

it.each([
	["Let me know if you need anything else.", true],
	["Let me know if you want me to implement this.", false],
	["개별 파일로도 필요하면 말씀해요!", true],
	["If you want, I can patch it.", false],
])("%s is a courtesy: %j", (sentence, isOne) => {
	expect(isCourtesy(sentence)).toBe(isOne);
	expect(isQuestion(sentence)).toBe(false);
});

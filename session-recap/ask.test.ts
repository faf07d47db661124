import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, useTemporaryFolder } from "../session-core/session-file/session.test-support.ts";
import { displayWidth } from "../session-core/text/clip.ts";
import { isAboutSession, projectContext, RECAP_COLUMNS, readAnswer } from "./ask.ts";

describe("reading an answer", () => {
	test.each([
		[
			"both tags",
			"<recap>Fixing the parser. Next: add a test.</recap>",
			"Fixing the parser. Next: add a test.",
		],
		["reasoning around the tags", "Let me think… <recap>Fixing it.</recap> Done.", "Fixing it."],
		["tags in capitals", "<RECAP>Fixing it.</RECAP>", "Fixing it."],
		["only the opening tag, ending a sentence", "Hm. <recap>Fixing the parser.", "Fixing the parser."],
		[
			"a thought before it",
			"<think>inside <recap> tags. I will mention it.</think><recap>Fixing it.</recap>",
			"Fixing it.",
		],
		[
			"the end of a thought before it",
			"The <recap> tag. Good.</think>\n<recap>Fixing it.</recap>",
			"Fixing it.",
		],
		[
			"a draft in a thought",
			"<thought><recap>Draft.</recap></thought> <recap>Fixing it.</recap>",
			"Fixing it.",
		],
		["a thought in it", "<recap>Fixing it. <think>Is that so? Yes.</think></recap>", "Fixing it."],
		["a thought after it", "<recap>Fixing it.</recap><reasoning>That was easy.</reasoning>", "Fixing it."],
		[
			"a session about thoughts",
			"<recap>The parser strips <think> tags.</recap>",
			"The parser strips <think> tags.",
		],
		["tags that are doubled", "<recap><recap>Fixing it.</recap></recap>", "Fixing it."],
		["markdown", "<recap>- **Fixing** `parse.ts`.</recap>", "Fixing parse.ts."],
		["control sequences", "<recap>Fixing \x1b]52;c;aGk=\x07it \x1b[2J\u202enow.</recap>", "Fixing it now."],
	])("%s", (_, raw, text) => expect(readAnswer(raw)).toBe(text));

	test.each([
		["no tag: it may be reasoning", "The user wants a recap. Fixing the parser."],
		["only the opening tag, cut off", "<recap>Fixing the par"],
		["only the closing tag", "Fixing it.</recap>"],
		["nothing inside", "<recap> \n </recap>"],
		["a thought that was cut off", "<think>I write it inside <recap> tags. I will mention the login."],
		["a thought without tags that was cut off", "I write it inside <recap> tags. I will mention the login."],
		["a draft in a thought that was cut off", "<thinking>So: <recap>Draft of it.</recap> Hm, is that"],
		["a draft in a thought that was closed", "<thinking>So: <recap>Draft of it.</recap></thinking>"],
		["a thought in a draft", "<recap><think>\nThe user wants a recap."],
		["nothing at all", ""],
	])("is nothing for %s", (_, raw) => expect(readAnswer(raw)).toBeUndefined());

	test("a 5 KB answer is cut at a sentence within the bound", () => {
		const text = readAnswer(`<recap>${"Fixing the parser of dates. ".repeat(200)}</recap>`) ?? "";
		expect(displayWidth(text)).toBeLessThanOrEqual(RECAP_COLUMNS);
		expect(text.endsWith("dates. …")).toBe(true);
	});
});

describe("what is a recap", () => {
	const SESSION =
		"User: the login redirects forever; 登录重定向循环; ログイン; 로그인 리다이렉트. Agent: added a test.";
	test.each([
		"The login redirect loop is fixed; the guard compares paths.",
		"登录重定向循环已经修复,下一步是补充测试。",
		"Der Login leitet nicht mehr im Kreis um.",
	])("%s", (text) => expect(isAboutSession(text, SESSION)).toBe(true));
	test.each([
		"OK",
		"Everything went well and is done.",
		"All of it is finished, great job!",
		"What's the task?",
		"How can I help you with the login today?",
		"There is no task in this login session.",
		"I don't see any task here. Could you share more details about the login?",
		"Ich sehe hier keine Aufgabe, an der am Login gearbeitet wurde.",
		"Wie kann ich dir mit dem Login helfen?",
		"Comment puis-je vous aider avec le login ?",
		"Чем я могу помочь с этим login сегодня?",
		"我没有看到任何任务,请提供更多登录信息。",
		"ログインについて何かお手伝いできますか？",
	])("not: %s", (text) => expect(isAboutSession(text, SESSION)).toBe(false));
});

const folder = useTemporaryFolder();
const contextOf = (instructions: string) => {
	put(join(folder(), "project", "AGENTS.md"), instructions);
	return projectContext(join(folder(), "project"), join(folder(), "agent"));
};

test("sends the first 2,000 characters of a project's instructions, without splitting a character", () => {
	expect(contextOf("Use tabs.\n")).toBe("Use tabs.");
	expect(contextOf("Use tabs. ".repeat(300))).toBe("Use tabs. ".repeat(200));
	const torn = contextOf(`${"x".repeat(1_999)}🎉 and more`);
	expect(torn?.isWellFormed()).toBe(true);
});

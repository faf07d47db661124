import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractTitle, toKebab } from "./title-answer.ts";

describe("a title is extracted", () => {
	test.each<[string, Record<string, unknown> | undefined, string, string | undefined]>([
		["from the tool's argument", { title: "A b" }, "", "A b"],
		["from a JSON object", undefined, '{"title": "A b"}', "A b"],
		[
			"from the last object after reasoning",
			undefined,
			'Maybe {"title":"X"}? No: {"title":"Fix {x}"} it is.',
			"Fix {x}",
		],
		["from arguments that are encoded twice", { title: '{"title":"A b"}' }, "", "A b"],
		["from arguments in other objects", { arguments: { input: { title: "A b" } } }, "", "A b"],
		["from encoded arguments in an object", { parameters: '{"title":"A b"}' }, "", "A b"],
		["from a key in other case", { Title: "A b" }, "", "A b"],
		["from a longer key", { sessionTitle: "A b" }, "", "A b"],
		[
			"from a call written as text",
			undefined,
			'{"name":"set_session_title","arguments":{"title":"A b"}}',
			"A b",
		],
		["from tags", undefined, "Sure!\n<title>A b</title>", "A b"],
		["after a thought", undefined, '<think>{"title":"X"} or <title>Y</title></think>{"title":"A b"}', "A b"],
		["never from a thought", undefined, '<think>Maybe {"title":"X"}', undefined],
		["never from an object without one", { name: "X", arguments: { text: "Y" } }, "", undefined],
		["never from free text", undefined, "Fix the login redirect", undefined],
		["never from another type", { title: 3 }, '{"title":["x"]}', undefined],
		["never from far before the end", undefined, `{"title":"A b"}${"x".repeat(4_100)}`, undefined],
	])("%s", (_, args, text, expected) => expect(extractTitle(args, text)).toBe(expected));

	test("in bounded time from any text", () => {
		extractTitle(undefined, "{".repeat(50_000) + "}".repeat(50_000));
		extractTitle(undefined, '{"a":'.repeat(20_000));
		fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void extractTitle(undefined, text)));
	});
});

test("a title in any script becomes a kebab-case name", () => {
	expect(toKebab("Fix Login Redirect")).toBe("fix-login-redirect");
	expect(toKebab("parseDate ignores week 53!")).toBe("parse-date-ignores-week-53");
	expect(toKebab("로그인 오류 수정")).toBe("로그인-오류-수정");
	expect(toKebab("Corrige el cálculo")).toBe("corrige-el-cálculo");
	expect(toKebab("a b c d e f g h")).toBe("a-b-c-d-e-f");
	expect(toKebab("x".repeat(100))).toHaveLength(60);
	expect(toKebab("…")).toBeUndefined();
});

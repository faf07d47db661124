import { expect, test } from "vitest";
import { recapOf } from "../session-core/recap/record.test-support.ts";
import { toKebab, topicOfNote } from "./ask.ts";

test("a title in any script becomes a kebab-case name", () => {
	expect(toKebab("Fix Login Redirect")).toBe("fix-login-redirect");
	expect(toKebab("parseDate ignores week 53!")).toBe("parse-date-ignores-week-53");
	expect(toKebab("로그인 오류 수정")).toBe("로그인-오류-수정");
	expect(toKebab("Corrige el cálculo")).toBe("corrige-el-cálculo");
	expect(toKebab("a b c d e f g h")).toBe("a-b-c-d-e-f");
	expect(toKebab("x".repeat(100))).toHaveLength(60);
	expect(toKebab("…")).toBeUndefined();
});

const NOTE = { type: "llm", provider: "acme", model: "m-1" } as const;

test.each([
	["a note with a topic", { headline: "Strict dates", generator: NOTE }, "Strict dates"],
	["a note without a topic", { headline: "Fix the parser", generator: NOTE }, undefined],
	["a record without a model", { headline: "Strict dates" }, undefined],
])("%s provides a title: %o, %s", (_, fields, title) => {
	const offline = recapOf({ headline: "Fix the parser" });
	const made = topicOfNote({ shown: { ...offline, ...fields }, offline });
	expect(made).toEqual(title && { title, model: "acme/m-1" });
	expect(topicOfNote(undefined)).toBeUndefined();
});

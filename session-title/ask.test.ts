import { expect, test } from "vitest";
import { toKebab } from "./ask.ts";

test("a title in any script becomes a kebab-case name", () => {
	expect(toKebab("Fix Login Redirect")).toBe("fix-login-redirect");
	expect(toKebab("parseDate ignores week 53!")).toBe("parse-date-ignores-week-53");
	expect(toKebab("로그인 오류 수정")).toBe("로그인-오류-수정");
	expect(toKebab("Corrige el cálculo")).toBe("corrige-el-cálculo");
	expect(toKebab("a b c d e f g h")).toBe("a-b-c-d-e-f");
	expect(toKebab("x".repeat(100))).toHaveLength(60);
	expect(toKebab("…")).toBeUndefined();
});

import { describe, expect, it } from "vitest";
import { isRequest, spokenText, substance } from "./voice.ts";

describe("spokenText", () => {
	it.each([
		["plain words", "fix the parser", "fix the parser"],
		["a system reminder", "<system-reminder>\nsecret tree\n</system-reminder>\nfix it", "fix it"],
		["a reminder that never closes", "fix it\n<system-reminder>\ntree", "fix it"],
		[
			"a skill's text before the arguments",
			'<skill name="x" location="/s">\nDo this.\n</skill>\n\nfor the parser',
			"for the parser",
		],
		["attached files", '<file name="a.ts">\nconst a = 1;\n</file>\nexplain this', "explain this"],
		[
			"a template that was expanded behind the words",
			"build it\n---\nname: build\ndescription: >\n  Builds.\n---\nStep 1",
			"build it",
		],
		["a dropped screenshot", "'/var/tmp/Screenshot 1.png'\n\nwhy does it flicker?", "why does it flicker?"],
		["nothing but an address", "https://example.com/page", "https://example.com/page"],
		["a generic in the user's own words", "make it Map<string, number>", "make it Map<string, number>"],
	])("keeps the user's words of %s", (_, raw, words) => {
		expect(spokenText(raw)).toBe(words);
	});
});

describe("isRequest", () => {
	it.each(["fix the parser", "리드미 다국어 만들어줘", "把配置文件移到根目录", "añade pruebas al parser"])(
		"yes: %s",
		(text) => {
			expect(isRequest(text)).toBe(true);
		},
	);
	it.each(["ok", "ls", "고고", "好", "/model", "/the", "https://example.com/page", "'/tmp/a.png'", ""])(
		"no: %s",
		(text) => {
			expect(isRequest(text)).toBe(false);
		},
	);
});

describe("substance", () => {
	it("counts two characters of a dense script as a word", () => {
		expect(substance("fix the parser")).toBe(3);
		expect(substance("봉 간격 전환")).toBe(2.5);
		expect(substance("…!?")).toBe(0);
	});
});

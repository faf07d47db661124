import { describe, expect, it } from "vitest";
import { wantedLanguage } from "../model/ask.ts";
import { type Happening, timelineOf } from "./log.test-support.ts";
import { ownLanguage } from "./user-language.ts";

const OTHER = "Write in the language of the user's own requests.";
const hintFor = (...requests: string[]): string => {
	const happenings: Happening[] = requests.flatMap((user) => [
		{ user },
		{ says: "All right, that is done now." },
	]);
	return wantedLanguage(ownLanguage(timelineOf(happenings)), undefined).hint;
};

describe("the language hint", () => {
	it.each([
		["Fix the parser so that it takes the commas at the end of lists", "English"],
		["차트 봉 간격을 바꾸면 스케일이 찌그러지는 문제를 고쳐줘", "Korean"],
		["把配置文件移到根目录，然后更新文档", "Chinese"],
		["パーサーを直して、テストを追加してください", "Japanese"],
		["добавь тесты к парсеру, чтобы он принимал запятые", "Russian"],
		["Bitte ändere den Parser, dass er auch das Komma am Ende der Liste nimmt", "German"],
	])("%s → %s", (request, language) => {
		expect(hintFor(request)).toBe(`Write in ${language}, the language of the user's own requests.`);
	});

	it.each([
		["nothing was asked", []],
		["a word says nothing", ["ok"]],
		["code is in no language", ["`npm test`", "src/parser.ts"]],
		["Cyrillic is the script of several languages", ["додай тести до парсера та онови документацію"]],
		["a few letters show no alphabet", ["добавь тесты"]],
	])("is not guessed: %s", (_, requests) => {
		expect(hintFor(...requests)).toBe(OTHER);
	});

	it("is not told by a skill, a host's data or a pasted log", () => {
		const skill = `<skill name="x" location="/s">\n${"You must always read the file and then do what it says. ".repeat(9)}\n</skill>\n\n차트를 고쳐줘 지금 바로`;
		expect(hintFor(skill)).toMatch(/Korean/);
		const log = `빌드가 왜 실패하는지 찾아줘\n\`\`\`\n${"error: the module that you want is not in the list of this build\n".repeat(9)}\`\`\``;
		expect(hintFor(log)).toMatch(/Korean/);
	});

	it("is told by the newest ten requests", () => {
		const korean = Array.from({ length: 30 }, () => "차트를 고쳐줘 지금 바로");
		const english = Array.from({ length: 10 }, () => "now fix the chart in the other view as well");
		expect(hintFor(...korean, ...english)).toMatch(/English/);
	});

	it("is the setting, whatever the user writes; what an answer is held against follows", () => {
		const own = { script: "Hangul", name: "Korean" } as const;
		expect(wantedLanguage(own, "de")).toEqual({
			language: { name: "German", script: "Latin" },
			hint: "Write in German.",
		});
		expect(wantedLanguage(own, undefined)).toMatchObject({
			language: own,
			hint: expect.stringMatching(/Korean/),
		});
		expect(wantedLanguage(undefined, undefined)).toEqual({ language: undefined, hint: OTHER });
	});

	it("is not told by what the agent says", () => {
		const turns = timelineOf([
			{ user: "차트를 고쳐줘 지금 바로" },
			{ says: "The chart is fixed and all of the tests are green." },
		]);
		expect(wantedLanguage(ownLanguage(turns), undefined).hint).toMatch(/Korean/);
	});
});

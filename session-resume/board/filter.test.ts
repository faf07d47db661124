import { describe, expect, test } from "vitest";
import { CLAUDE_CODE, CODEX } from "../../session-core/log/format.ts";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { aRow, liveState, NO_MARKS } from "./board.test-support.ts";
import { List } from "./list.ts";
import { filteredRows, type Row, withLive } from "./rows.ts";

const titles = (rows: readonly Row[]) => rows.map(({ title }) => title);
const named = (name: string, more = {}) => aRow(name, { name, firstPrompt: undefined, ...more });

describe("filtering", () => {
	const rows = [
		aRow("0195abcd", { name: "Fix the date parser", firstPrompt: "It fails in Berlin" }),
		aRow("two", { name: "Fix the widget", firstPrompt: "It fails in Berlin" }),
		named("ο κοσμος"),
		named("Die Straße"),
		named("Menu of the Café"),
		named("Señales del año"),
		named("修复解析器的时区问题"),
		named("날짜 파서를 고쳐 주세요"),
		named("日付パーサーを直す"),
	];
	const [parser] = titles(rows);

	test.each([
		["all words, anywhere and in any case", "BERLIN parser", [parser]],
		["words in quotation marks, in this order", '"date parser"', [parser]],
		["an open quotation mark, which reaches to the end", '"parser date', []],
		["case as in Unicode", "ΚΟΣΜΟΣ", ["ο κοσμος"]],
		["case as in Unicode", "STRASSE", ["Die Straße"]],
		["without accents", "cafe", ["Menu of the Café"]],
		["with accents of their own", "cafe\u0301", ["Menu of the Café"]],
		["without accents", "senales ano", ["Señales del año"]],
		["any part of a Chinese text", "解析器", ["修复解析器的时区问题"]],
		["any part of a Korean text", "파서", ["날짜 파서를 고쳐 주세요"]],
		["any part of a Japanese text", "パーサー", ["日付パーサーを直す"]],
		["no single letters of these", "修时", []],
		["the start of an id", "0195ab", [parser]],
		["no other part of an id", "abcd", []],
	])("finds %s (%s)", (_, query, expected) => expect(titles(filteredRows(rows, query))).toEqual(expected));

	test("titles come first, then other text, then letters in order; equal matches keep the list's order", () => {
		const some = [
			named("Pin array settings errors"),
			aRow("said", { name: "Something else", firstPrompt: "the parser" }),
			named("A parser, older"),
			named("A parser, oldest"),
		];
		expect(titles(filteredRows(some, "parse"))).toEqual([
			"A parser, older",
			"A parser, oldest",
			"Something else",
			"Pin array settings errors",
		]);
		expect(titles(filteredRows([named("parser rewrite"), named("refactor the footer")], "prsr"))).toEqual([
			"parser rewrite",
		]);
	});

	test.each(["ported", "colours", "linter", "code/app"])("finds recaps and projects (%s)", (query) => {
		const recap = recapOf({
			headline: "Ported the theme",
			bullets: ["moved the colours"],
			next_actions: ["Run the linter"],
			last_message_id: "m9",
		});
		const row = aRow("one", { firstPrompt: "Look around", recap });
		expect(filteredRows([row], query)).toEqual([row]);
	});
});

describe("the conditions branch:, is: and agent:", () => {
	const failure = { id: "m9", role: "assistant", stopReason: "error", errorMessage: "overloaded", at: 0 };
	const record = (git_branch: string, outcome: "done" | "waiting" = "done") =>
		recapOf({ outcome, workspace: { cwd: "/code", git_branch }, last_message_id: "m9" });
	const rows = [
		named("Parser", { recap: record("fix/Dates") }),
		named("Widget", { recap: record("main", "waiting"), format: CODEX }),
		named("Broken parser", { last: failure, format: CLAUDE_CODE }),
		named("Live", { recap: record("main") }),
	];
	const live = [liveState("Live", { state: "failed" })];

	test.each([
		["branch:dates", ["Parser"]],
		["BRANCH:main", ["Widget", "Live"]],
		["branch:", ["Parser", "Widget", "Broken parser", "Live"]],
		["is:failed", ["Broken parser", "Live"]],
		["is:fai parser", ["Broken parser"]],
		["branch:main is:failed", ["Live"]],
		["is:waiting", ["Widget"]],
		["is:closed parser", ["Parser", "Broken parser"]],
		["is:unknown", []],
		['"is:failed"', []],
		["agent:codex", ["Widget"]],
		["agent:claude", ["Broken parser"]],
		["agent:pi parser", ["Parser"]],
		["codex", []],
	])("%j finds %j", (query, expected) => {
		expect(titles(filteredRows(withLive(rows, live), query))).toEqual(expected);
	});

	test("are not searched for in messages", () => {
		const start = { scope: "all", marks: NO_MARKS, page: 9, openPath: undefined } as const;
		const wordsIn = (query: string) => new List({ ...start, query }).messageQuery;
		expect(wordsIn('is:failed "date parser" branch:main agent:codex fix')).toBe('"date parser" fix');
		expect(wordsIn("is:failed branch:main agent:pi")).toBe("");
	});
});

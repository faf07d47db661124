import { describe, expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { aRow, liveState } from "./board.test-support.ts";
import { filtered, searchText, wordsOf } from "./filter.ts";
import { type Row, withLive } from "./row.ts";

const matching = (rows: readonly Row[], query: string) => filtered(rows, query).rows;
const titles = (rows: readonly Row[]) => rows.map(({ title }) => title);
const named = (name: string, more = {}) => aRow(name, { name, firstPrompt: undefined, ...more });

describe("filtering", () => {
	test("all words must match, anywhere and in any case", () => {
		const rows = [
			aRow("one", { name: "Fix the date parser", firstPrompt: "It fails in Berlin" }),
			aRow("two", { name: "Fix the widget", firstPrompt: "It fails in Berlin" }),
		];
		expect(titles(matching(rows, "BERLIN parser"))).toEqual(["Fix the date parser"]);
	});

	test("case is folded as Unicode does, and an open quotation mark reaches to the end", () => {
		const rows = [named("ο κοσμος"), named("Die Straße"), named("parser of the date")];
		expect(titles(matching(rows, "ΚΟΣΜΟΣ"))).toEqual(["ο κοσμος"]);
		expect(titles(matching(rows, "STRASSE"))).toEqual(["Die Straße"]);
		expect(matching(rows, '"date parser')).toEqual([]);
		expect(wordsOf('"date parser')).toEqual(["date parser"]);
	});

	test("accents make no difference", () => {
		const rows = [named("Menu of the Café"), named("Señales del año")];
		for (const query of ["cafe", "CAFÉ", "cafe\u0301"])
			expect(titles(matching(rows, query))).toEqual(["Menu of the Café"]);
		expect(titles(matching(rows, "senales ano"))).toEqual(["Señales del año"]);
	});

	test("agent: selects the sessions of an agent, and other words do not match its name", () => {
		const rows = [
			named("Login"),
			named("Queue", { agent: "codex" }),
			named("Docs", { agent: "claude-code" }),
		];
		expect(titles(matching(rows, "agent:codex"))).toEqual(["Queue"]);
		expect(titles(matching(rows, "agent:claude"))).toEqual(["Docs"]);
		expect(titles(matching(rows, "agent:pi"))).toEqual(["Login"]);
		expect(matching(rows, "codex")).toEqual([]);
	});

	test("titles come first, then other text, then letters in order; equal matches keep the list's order", () => {
		const rows = [
			named("Pin array settings errors"),
			aRow("said", { name: "Something else", firstPrompt: "the parser" }),
			named("A parser, older"),
			named("A parser, oldest"),
		];
		expect(titles(matching(rows, "parse"))).toEqual([
			"A parser, older",
			"A parser, oldest",
			"Something else",
			"Pin array settings errors",
		]);
		expect(titles(matching([named("parser rewrite"), named("refactor the footer")], "prsr"))).toEqual([
			"parser rewrite",
		]);
	});

	test("recaps, projects and the start of an id are matched, too; the rest of an id is not", () => {
		const recap = recapOf({
			headline: "Ported the theme",
			bullets: ["moved the colours"],
			next_actions: ["Run the linter"],
			last_message_id: "m9",
		});
		const row = aRow("0195abcd", { firstPrompt: "Look around", recap });
		for (const query of ["ported", "colours", "linter", "code/app", "0195ab"]) {
			expect(matching([row], query)).toEqual([row]);
		}
		expect(matching([row], "abcd")).toEqual([]);
	});

	test("Chinese, Japanese and Korean are found by any part, and never letter by letter", () => {
		const rows = [
			named("修复解析器的时区问题"),
			named("날짜 파서를 고쳐 주세요"),
			named("日付パーサーを直す"),
		];
		expect(titles(matching(rows, "解析器"))).toEqual(["修复解析器的时区问题"]);
		expect(titles(matching(rows, "파서"))).toEqual(["날짜 파서를 고쳐 주세요"]);
		expect(titles(matching(rows, "パーサー"))).toEqual(["日付パーサーを直す"]);
		expect(matching(rows, "修时")).toEqual([]);
	});
});

describe("the conditions branch:, is: and agent:", () => {
	const failure = { id: "m9", role: "assistant", stopReason: "error", errorMessage: "overloaded", at: 0 };
	const record = (git_branch: string, outcome: "done" | "waiting" = "done") =>
		recapOf({ outcome, workspace: { cwd: "/code", git_branch }, last_message_id: "m9" });
	const rows = [
		named("Parser", { recap: record("fix/Dates") }),
		named("Widget", { recap: record("main", "waiting") }),
		named("Broken parser", { last: failure }),
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
	])("%j finds %j", (query, expected) => {
		expect(titles(filtered(withLive(rows, live), query).rows)).toEqual(expected);
	});

	test("are no part of what is searched for in the messages", () => {
		expect(searchText('is:failed "date parser" branch:main agent:codex fix')).toBe('"date parser" fix');
		expect(wordsOf("is:failed branch:main agent:pi")).toEqual([]);
	});
});

describe("a query that begins with re:", () => {
	const rows = [
		aRow("a", { name: "Fix the parser" }),
		aRow("b", { name: "Parse dates" }),
		aRow("c", { name: "Other" }),
	];

	test.each([
		["re:^pars", ["b"]],
		["RE: pars", ["a", "b"]],
		["re:dates|other", ["b", "c"]],
		["re:fix the", ["a"]],
		["re:", ["a", "b", "c"]],
	])("%j finds %j", (query, expected) => {
		expect(matching(rows, query).map(({ id }) => id)).toEqual(expected);
	});

	test("with an invalid pattern matches nothing and reports it", () => {
		expect(filtered(rows, "re:(x")).toEqual({ rows: [], problem: "invalid" });
	});

	test("that takes too long matches nothing and reports it; the next pattern is tried again", () => {
		const all = [...rows, aRow("d", { name: `${"a".repeat(60)}!` })];
		expect(filtered(all, "re:(a+)+$")).toEqual({ rows: [], problem: "invalid" });
		expect(matching(all, "re:^a+!$").map(({ id }) => id)).toEqual(["d"]);
	});
});
